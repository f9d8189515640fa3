import type { Kysely } from 'kysely';
import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import type { Registry } from '../../sources/registry/index.ts';
import { recentRuns } from '../runs/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { clusterRollout } from './cluster-rollout.ts';
import { controllerDeliveries } from './controllers.ts';
import { devexOf, windowOf } from './devex.ts';
import { workflowDeliveries } from './gitops.ts';
import { lineage, lineageOfCommit } from './lineage.ts';
import { readOutcomes } from './read-outcomes.ts';
import { startRecorder } from './recorder.ts';
import type { DeliveryTables } from './store.ts';

type DeliveryRouteId = Extract<RouteId, `delivery.${string}`>;

export type DeliveryParts = {
  readonly codeHost: CodeHost;
  readonly registry: Registry;
  /** Host of the registry, with its port. */
  readonly registryHost: () => string;
  /** The cluster that is delivered to. */
  readonly targetOf: OpenTargetOf;
  /** The store that the outcomes of now belong to. */
  readonly db: () => Kysely<DeliveryTables>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly log: { debug(fields: object, message: string): void };
};

export type Deliveries = {
  readonly handlers: Handlers<DeliveryRouteId>;
  /** Stops recording run outcomes; resolves when the last write is done. */
  close(): Promise<void>;
};

const usualDays = '28';

/** Delivery: GitOps, lineage and indicators, and the recorder of run outcomes, which begins to run. */
export function createDelivery(parts: DeliveryParts): Deliveries {
  const { codeHost, registry, targetOf, db, now, registryHost } = parts;
  const recorder = startRecorder(parts);
  return {
    handlers: {
      'delivery.gitops': async ({ query: { repo, target } }, { caller }) => {
        const controlled = await controllerDeliveries(await targetOf(target, caller), repo);
        return (
          controlled.answer ??
          workflowDeliveries(await recentRuns(codeHost, now, repo), controlled.unmeasured)
        );
      },
      'delivery.lineage': async ({ query: { sha, repo, target } }, { caller }) => {
        const open = await targetOf(target, caller);
        const rollout = clusterRollout(open, codeHost.contains, now);
        const sources = { codeHost, registry, registryHost: registryHost(), rollout, now };
        const answer = await (sha === undefined
          ? lineage(sources, repo)
          : lineageOfCommit(sources, sha, repo));
        return { ...answer, ...(open.id === undefined ? {} : { target: open.id }) };
      },
      'delivery.devex': async ({ query: { days = usualDays, repo } }) => {
        const into = db();
        const recent = await recentRuns(codeHost, now, repo);
        const recorded = await recorder.record(recent, into);
        const window = windowOf(Number(days), now());
        const unread = recorded ? recent.unmeasured : [...recent.unmeasured, notRecorded];
        return devexOf(window, await readOutcomes(into, window.from, recent.org, repo), unread);
      },
    },
    close: recorder.close,
  };
}

const notRecorded = 'The newest runs could not be added to the series: the store did not take them.';
