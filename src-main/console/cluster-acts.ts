import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { type Acts, actHandlers, createActStore, createActs } from '../features/acts/index.ts';
import type { AuditTrail } from '../features/audit/index.ts';
import type { GuardrailSettings } from '../features/guardrails/index.ts';
import type { LiveSettings } from '../features/settings/index.ts';
import type { Targets } from '../features/targets/index.ts';
import type { ConsoleTables } from './tables.ts';

type Parts = {
  readonly db: Kysely<ConsoleTables>;
  /** True where other consoles use the same database. */
  readonly shared: boolean;
  readonly audit: AuditTrail;
  readonly targets: Targets;
  readonly settings: Pick<LiveSettings, 'valueOf'>;
  readonly decide: GuardrailSettings['decide'];
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
};

export type ClusterActs = {
  readonly acts: Acts;
  readonly handlers: ReturnType<typeof actHandlers>;
  /** Closes what an earlier run left open, now and from time to time. */
  start(): void;
};

/** Time between two looks for acts that another console left open, in ms. */
const recoverEvery = 60_000;

/** Puts the acts on objects of clusters together: the registry, its routes, and what an earlier run left open. */
export function openClusterActs(
  { db, shared, audit, targets, settings, decide, now, log }: Parts,
  opened: AsyncDisposableStack,
): ClusterActs {
  const { targetOf, isWritable } = targets;
  const store = createActStore(db);
  const isProtected = (target: string): boolean =>
    (settings.valueOf('CONSOLE_PROTECTED_TARGETS') ?? '').split(',').some((name) => name.trim() === target);
  const acts = createActs({ store, audit, targetOf, isWritable, isProtected, decide, now, log, shared });
  opened.defer(() => acts.close());
  return {
    acts,
    handlers: actHandlers({ acts, store, targetOf, isWritable, now }),
    start() {
      const recover = (): void => {
        acts.recover().catch((err: unknown) => {
          log.warn({ err }, 'acts that were left open could not be closed yet');
        });
      };
      recover();
      const timer = setInterval(recover, recoverEvery);
      timer.unref();
      opened.defer(() => clearInterval(timer));
    },
  };
}
