import type { Kysely } from 'kysely';
import { createStripePayments } from '../../sources/payments/index.ts';
import { verifyRecaptcha } from '../../sources/recaptcha/index.ts';
import { createBillingBackground } from './background.ts';
import { type BillingParts, billingHandlers } from './routes.ts';
import type { BillingTables } from './store.ts';

export { type BillingTables, billingMigrations } from './store.ts';

type Options = Pick<BillingParts, 'db' | 'keys' | 'audit' | 'origin' | 'now' | 'log'> & {
  readonly db: () => Kysely<BillingTables>;
  /** Address of the payment provider's API, as it is set now. */
  readonly paymentsUrl: () => URL;
  readonly recaptcha: {
    readonly url: URL;
    /** Hosts of the console on which a reCAPTCHA may have been solved; any when empty. */
    readonly hosts: readonly string[];
  };
};

/** Plans, sign-up, checkout, seats and the payment provider's events; catches up with what was missed when it opens. */
export function openBilling(options: Options) {
  const { db, keys, now, log, recaptcha } = options;
  const payments = createStripePayments({
    url: options.paymentsUrl,
    key: () => keys.value('STRIPE_SECRET_KEY'),
  });
  const background = createBillingBackground(
    () => (keys.value('STRIPE_SECRET_KEY') === undefined ? undefined : { db: db(), payments, now, log }),
    log,
  );
  return {
    handlers: billingHandlers({
      ...options,
      payments,
      background,
      verifyRecaptcha: (secret, token) => verifyRecaptcha({ ...recaptcha, secret, token, action: 'signup' }),
    }),
    background,
    close: () => background.close(),
  };
}
