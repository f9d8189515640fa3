import { type ActHistoryItem, actHistoryItem } from '#shared/api/acts.ts';
import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { ConsoleError } from '#shared/errors.ts';
import { circumstancesOf } from '../audit/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { undoOf } from './acts.ts';
import { offerActs } from './offer.ts';
import type { ActRow, ActStore } from './store.ts';
import type { Acts } from './types.ts';

export type ActRouteParts = {
  readonly acts: Acts;
  readonly store: Pick<ActStore, 'list'>;
  readonly targetOf: OpenTargetOf;
  readonly isWritable: (target: string) => boolean;
  /** Epoch ms. */
  readonly now: () => number;
};

/** `/api/acts` and below. */
export function actHandlers(parts: ActRouteParts): Handlers<Extract<RouteId, `acts.${string}`>> {
  const { acts, store, targetOf, isWritable, now } = parts;
  return {
    'acts.list': () => ({ items: [...acts.definitions()] }),

    async 'acts.offer'({ query: { target, ...object } }, { caller }) {
      const { id, cluster } = await targetOf(target, caller);
      if (id === undefined) throw new ConsoleError('NotFound', 'There is no target.');
      return offerActs(cluster, id, object, { writable: isWritable(id), now: now() });
    },

    'acts.preview': ({ body }, { caller, signal }) =>
      acts.preview(body, { kind: 'person', email: caller.email }, signal),

    'acts.perform': ({ body }, { caller, signal, address, userAgent }) =>
      acts.perform(
        body,
        { kind: 'person', email: caller.email },
        signal,
        circumstancesOf({ address, userAgent }),
      ),

    async 'acts.history'({ query }) {
      return { items: (await store.list(query)).map(historyItem) };
    },
  };
}

function historyItem(row: ActRow): ActHistoryItem {
  const undo = undoOf(row);
  return actHistoryItem.parse({
    act_id: row.act_id,
    target: row.target,
    act: row.act,
    object: JSON.parse(row.object),
    sentence: row.sentence,
    actor: row.actor,
    state: row.state,
    progress: row.progress,
    started_at: new Date(row.started_at).toISOString(),
    ...(row.ended_at === null ? {} : { ended_at: new Date(row.ended_at).toISOString() }),
    ...(undo === undefined || row.state === 'open' ? {} : { undo }),
  });
}
