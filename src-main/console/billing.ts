import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { errorMessage } from '../base/error-message.ts';
import type { Config } from '../config/index.ts';
import type { Audit } from '../features/audit/index.ts';
import { openBilling } from '../features/billing/index.ts';
import type { Keys } from '../features/settings/index.ts';
import type { ConsoleTables } from './tables.ts';

type Parts = {
  readonly config: Config;
  /** The settings as they are now. */
  readonly current: () => Config;
  /** The sandbox's store while it runs: its payments are not mixed with real ones. */
  readonly db: () => Kysely<ConsoleTables>;
  readonly keys: Keys;
  readonly audit: Audit;
  /** Origin of the console for a browser, once it listens. */
  readonly origin: () => string | undefined;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The billing of this console. `start` catches up with what happened while no console listened. */
export function consoleBilling(parts: Parts, opened: AsyncDisposableStack) {
  const { config, current, log } = parts;
  const { handlers, background, close } = openBilling({
    db: parts.db,
    keys: parts.keys,
    paymentsUrl: () => current().paymentsUrl,
    recaptcha: {
      url: config.recaptchaUrl,
      hosts: config.publicUrl === undefined ? [] : [config.publicUrl.hostname],
    },
    audit: parts.audit,
    origin: () => parts.origin() ?? '',
    now: parts.now,
    log,
  });
  opened.defer(close);
  return {
    handlers,
    /** A provider that does not answer is asked again by and by. */
    start(): void {
      background
        .catchUp()
        .catch((error: unknown) =>
          log.warn({ reason: errorMessage(error) }, 'missed payment events were not read'),
        );
    },
  };
}
