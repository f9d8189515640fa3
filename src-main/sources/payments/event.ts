import { z } from 'zod';
import { hintOf, type PaymentHint } from './hint.ts';
import { loadStripe } from './load-stripe.ts';

/** Time by which a signature may be older or newer than our clock, in seconds: the provider's own default. */
const toleranceSeconds = 300;

const eventShape = z.object({
  id: z.string().regex(/^evt_[A-Za-z0-9_]{1,240}$/),
  object: z.literal('event'),
  type: z.string().min(1).max(200),
  created: z.number().int().nonnegative(),
  data: z.object({ object: z.object({ id: z.string().optional() }) }),
});

/** The reason an event is not taken. */
export type EventFault = 'unsigned' | 'future' | 'unreadable';

/**
 * Reads an event as it came, bytes unchanged, and checks its signature (https://docs.stripe.com/webhooks/signature). `now` in
 * epoch ms. A signature older than five minutes is `unsigned`; so is one that gives its time twice. The provider's package
 * takes any time in the future, so that is checked here.
 */
export async function readPaymentEvent(
  body: Uint8Array,
  {
    header,
    secret,
    now,
  }: { readonly header: string | undefined; readonly secret: string; readonly now: number },
): Promise<PaymentHint | EventFault> {
  const times = [...(header ?? '').slice(0, 4096).matchAll(/(?:^|,)\s*t=([^,]*)/g)].map(
    ([, time]) => time ?? '',
  );
  const [time = ''] = times;
  if (header === undefined || times.length !== 1 || !/^\d{1,12}$/.test(time)) return 'unsigned';
  const { webhooks, errors } = await loadStripe();
  let event: unknown;
  try {
    event = webhooks.constructEvent(Buffer.from(body), header, secret, toleranceSeconds, undefined, now);
  } catch (error) {
    return error instanceof errors.StripeSignatureVerificationError ? 'unsigned' : 'unreadable';
  }
  if (Number(time) - Math.floor(now / 1000) > toleranceSeconds) return 'future';
  const read = eventShape.safeParse(event);
  if (!read.success) return 'unreadable';
  const { id, type, created, data } = read.data;
  return hintOf({ id, type, created, objectId: data.object.id });
}
