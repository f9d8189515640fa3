/** Kinds of objects the console follows at the payment provider. */
export type PaymentObjectKind = 'subscription' | 'invoice' | 'checkout';

/** A message that something of an object changed. Nothing of its content is believed but which object to fetch. */
export type PaymentHint = {
  /** ID of the event, by which a second delivery is known. */
  readonly id: string;
  readonly type: string;
  /** Epoch ms by the provider's clock. */
  readonly createdAt: number;
  /** Undefined for an event about something the console does not follow. */
  readonly object: { readonly kind: PaymentObjectKind; readonly id: string } | undefined;
};

/** Events the console follows, as its endpoint at the provider must be set to send. */
export const followedEvents = [
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.created',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.updated',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'invoice.deleted',
] as const;

const kinds: readonly { readonly prefix: string; readonly kind: PaymentObjectKind; readonly id: RegExp }[] = [
  { prefix: 'customer.subscription.', kind: 'subscription', id: /^sub_[A-Za-z0-9_]{1,240}$/ },
  { prefix: 'invoice.', kind: 'invoice', id: /^in_[A-Za-z0-9_]{1,240}$/ },
  { prefix: 'checkout.session.', kind: 'checkout', id: /^cs_[A-Za-z0-9_]{1,240}$/ },
];

/** Returns which object an event is about. An ID of another form is followed no further: it would become a path. */
export function hintOf(event: {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly objectId: unknown;
}): PaymentHint {
  const { id, type, created, objectId } = event;
  const followed = kinds.find(({ prefix }) => type.startsWith(prefix));
  const object =
    followed !== undefined && typeof objectId === 'string' && followed.id.test(objectId)
      ? { kind: followed.kind, id: objectId }
      : undefined;
  return { id, type, createdAt: created * 1000, object };
}
