import { z } from 'zod';
import { actId, actObject } from '#shared/api/acts.ts';
import { errorMessage } from '../../base/error-message.ts';
import type { Cluster } from '../../sources/cluster/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { findOut } from './find-out.ts';
import { accessTo, recordTarget } from './judge.ts';
import type { ActTiming, Ending } from './perform.ts';
import type { ActRow, ActStore } from './store.ts';
import type { Evidence } from './types.ts';

export type RecoverParts = {
  readonly store: ActStore;
  readonly audit: Pick<AuditTrail, 'begin' | 'list' | 'record'>;
  readonly clusterOf: (target: string) => Promise<Cluster>;
  readonly timing: Pick<ActTiming, 'lost'>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly closing: AbortSignal;
};

/** Closes acts that a console left open, each with the one record that is missing. */
export async function recoverActs(left: readonly ActRow[], parts: RecoverParts): Promise<void> {
  for (const row of left) {
    if (parts.closing.aborted) return;
    if (await isAwaited(row, parts)) continue;
    if (await parts.store.takeOver(row, parts.now())) await recoverOne(row, parts);
  }
}

/** Time for which a target that is not there is waited for: the sandbox starts, a kubeconfig is put back, in ms. */
const waitsForTarget = 10 * 60_000;

/** Returns whether an act's target is not there yet: nothing can be found out of it now. */
async function isAwaited(row: ActRow, { clusterOf, now }: RecoverParts): Promise<boolean> {
  if (now() - row.started_at > waitsForTarget) return false;
  return clusterOf(row.target).then(
    () => false,
    () => true,
  );
}

async function recoverOne(row: ActRow, parts: RecoverParts): Promise<void> {
  const { store, audit, now } = parts;
  const earlier = await endRecord(audit, row);
  const ending: Ending = earlier ?? (await foundOut(row, parts));
  if (earlier === undefined) {
    const object = actObject.parse(JSON.parse(row.object));
    const event = await audit.begin(
      {
        actor: row.actor,
        action: 'acts.perform',
        target: recordTarget({ target: row.target, object }),
      },
      {
        act_id: row.act_id,
        act: actId.parse(row.act),
        cluster: row.target,
        state: ending.state,
        recovered: true,
      },
      { always: true },
    );
    event.record(row.sentence);
    if (ending.state === 'done') {
      event.record(ending.sentence);
      await event.success();
    } else await event.fail(ending.sentence);
  }
  await store.change(row.act_id, {
    state: ending.state,
    progress: ending.sentence,
    ...(ending.state === 'done' ? {} : { undo: null }),
    ended_at: now(),
  });
}

/** Records of one actor since the act began that are looked through, at most. */
const mostRecords = 200;

/** The record after an act that was written before the console ended, which then did not close the act. */
async function endRecord(audit: RecoverParts['audit'], row: ActRow): Promise<Ending | undefined> {
  const filter = { action: 'acts.perform', actor: row.actor, since: new Date(row.started_at).toISOString() };
  const { items } = await audit.list(filter, { limit: mostRecords });
  for (const { seq, outcome, summary } of items) {
    const record = await audit.record(seq);
    if (record?.record.detail.act_id !== row.act_id) continue;
    const state = { success: 'done', refused: 'refused', failure: 'failed' } as const;
    return { state: state[outcome], sentence: summary };
  }
  return undefined;
}

async function foundOut(row: ActRow, { clusterOf }: RecoverParts): Promise<Ending> {
  const interrupted = 'Outcome unknown when the console ended, found out as';
  if (row.evidence === null)
    return { state: 'failed', sentence: `${interrupted}: not carried out; nothing had been sent.` };
  try {
    const access = accessTo(await clusterOf(row.target));
    const evidence = evidenceOf(row.evidence);
    const found = await Promise.all(evidence.map((each) => findOut(access, each)));
    const done = found.filter(({ state }) => state === 'done').length;
    const unknown = found.find(({ state }) => state === 'unknown');
    if (unknown !== undefined)
      return {
        state: 'unknown',
        sentence: `Outcome unknown: the console ended, and it could not be found out. ${unknown.sentence}`,
      };
    const sentences = found.length === 1 ? (found[0]?.sentence ?? '') : `${done} of ${found.length} steps.`;
    return done === found.length
      ? { state: 'done', sentence: `${interrupted}: carried out. ${sentences}` }
      : {
          state: 'failed',
          sentence: `${interrupted}: ${done === 0 ? 'not carried out' : 'carried out in part'}. ${sentences}`,
        };
  } catch (error) {
    return {
      state: 'unknown',
      sentence: `Outcome unknown: the console ended, and it could not be found out. ${errorMessage(error)}`,
    };
  }
}

const kept = z.array(
  z.looseObject({
    kind: z.looseObject({}),
    name: z.string(),
    shows: z.enum(['fields', 'exists', 'gone']),
  }),
);

/** Evidence as this console kept it in its own store. */
function evidenceOf(text: string): readonly Evidence[] {
  // Checked for its form; what is in it was written by `onSend` from values of this type.
  return kept.parse(JSON.parse(text)) as unknown as readonly Evidence[];
}
