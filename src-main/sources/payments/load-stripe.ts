import type { Stripe } from 'stripe';

let loading: Promise<typeof Stripe> | undefined;

/** Loads the provider's package when it is first needed: most consoles take no payments. */
export function loadStripe(): Promise<typeof Stripe> {
  loading ??= import('stripe').then(({ Stripe }) => Stripe);
  return loading;
}
