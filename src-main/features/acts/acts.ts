import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { type ActOutcome, actAgain, actState } from '#shared/api/acts.ts';
import type { AuditDetail } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { errorMessage } from '../../base/error-message.ts';
import type { Cluster } from '../../sources/cluster/index.ts';
import type { Audit, AuditTrail } from '../audit/index.ts';
import type { Actor, GuardrailSettings } from '../guardrails/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { argsOf, definitionOf, definitions, takesKind } from './definitions.ts';
import { judgeAct, recordTarget } from './judge.ts';
import { type ActTiming, carryOut, type Ending, usualTiming } from './perform.ts';
import { objectLabel } from './plans/identity.ts';
import { previewAct, type TargetFacts } from './preview.ts';
import { recoverActs } from './recover.ts';
import type { ActRow, ActStore } from './store.ts';
import type { ActPerformance, ActRequest, Acts } from './types.ts';

export type ActParts = {
  readonly store: ActStore;
  readonly audit: Pick<AuditTrail, 'begin' | 'list' | 'record'>;
  readonly targetOf: OpenTargetOf;
  readonly isWritable: (target: string) => boolean;
  /** Returns whether the name of a target must be typed before each act in it. */
  readonly isProtected: (target: string) => boolean;
  readonly decide: GuardrailSettings['decide'];
  /** Epoch ms. */
  readonly now: () => number;
  readonly log: { warn(fields: object, message: string): void };
  /** True where other consoles use the same store. */
  readonly shared: boolean;
  readonly timing?: Partial<ActTiming>;
};

/** The acts of a console, with those that an earlier run of it left open. */
export type RunningActs = Acts & {
  /**
   * Closes what an earlier run left open: each act's outcome is found out by reading, and recorded as "outcome unknown, found
   * out as …". Also those of other consoles on the same store that gave no sign for a minute.
   */
  recover(): Promise<void>;
  /** Waits for the acts under way, which stop following their effect. */
  close(): Promise<void>;
};

/** A console that carries out an act gives a sign at least this often, in ms. */
const signEvery = 10_000;
/** An act without a sign for so long was left, in ms. */
const leftAfter = 60_000;

/** Creates the registry of acts. */
export function createActs(parts: ActParts): RunningActs {
  const { store, audit, now, log } = parts;
  const timing = { ...usualTiming, ...parts.timing };
  const opened = now();
  const closing = new AbortController();
  const running = new Map<string, Promise<ActOutcome>>();

  const factsOf = (target: string): TargetFacts => ({
    writable: parts.isWritable(target),
    protected: parts.isProtected(target),
  });
  const clusterOf = async (target: string): Promise<Cluster> =>
    (await parts.targetOf(target, { email: undefined })).cluster;

  /** Opens, records, carries out, records, closes: in this order, whatever happens between. */
  const run = async (
    row: ActRow,
    request: ActPerformance,
    actor: Actor,
    { cluster, origin }: { readonly cluster: Cluster; readonly origin: AuditDetail },
  ): Promise<ActOutcome> => {
    const detail = { ...origin, ...factsFor(row, request, actor) };
    try {
      await recordBefore(audit, row, request, detail);
    } catch (error) {
      // Nothing was done, and nothing is left open for the next start.
      await store.change(row.act_id, {
        state: 'refused',
        progress: 'It could not be recorded, so nothing was done.',
        ended_at: now(),
      });
      throw error;
    }
    const sign = setInterval(() => {
      store
        .change(row.act_id, { alive_at: now() })
        .catch((err: unknown) => log.warn({ err }, 'an act gave no sign'));
    }, signEvery);
    sign.unref();
    let ending: Ending;
    try {
      ending = await carryOut(request, actor, {
        cluster,
        target: () => factsOf(request.target),
        decide: parts.decide,
        timing,
        now,
        closing: closing.signal,
        onSend: (evidence, undo) =>
          store.change(row.act_id, {
            evidence: JSON.stringify(evidence),
            undo: undo === undefined ? null : JSON.stringify(undo),
            progress: 'Sent.',
          }),
        onProgress: (progress) => store.change(row.act_id, { progress, alive_at: now() }),
      });
    } catch (error) {
      log.warn({ err: error, act: row.act_id }, 'an act failed in the console itself');
      const known = await store.byKey(row.key);
      ending =
        known?.evidence == null
          ? {
              state: 'failed',
              sentence: 'The console failed before anything was sent; the reason is in its log.',
            }
          : {
              state: 'unknown',
              sentence: 'Outcome unknown: the console failed on this; the reason is in its log.',
            };
    } finally {
      clearInterval(sign);
    }
    await recordAfter(audit, row, request, { ending, detail });
    await store.change(row.act_id, {
      state: ending.state,
      progress: ending.sentence,
      undo: ending.undo === undefined ? null : JSON.stringify(ending.undo),
      ended_at: now(),
    });
    return outcomeOf(row.act_id, ending);
  };

  return {
    definitions: () => definitions,

    async preview(request, _actor, signal) {
      const cluster = await clusterOf(request.target);
      const judged = await judgeAct(cluster, request, { key: 'preview', now: now() });
      return previewAct(request, judged, factsOf(request.target), signal);
    },

    async perform(request, actor, signal, origin = {}) {
      signal.throwIfAborted();
      const known = running.get(request.key) ?? (await keptOutcome(store, request, timing.poll, signal));
      if (known !== undefined) return known;
      checkRequest(request);
      const cluster = await clusterOf(request.target);
      const row = rowOf(request, actor, now());
      if (!(await store.claim(row))) {
        const kept = running.get(request.key) ?? (await keptOutcome(store, request, timing.poll, signal));
        if (kept !== undefined) return kept;
        throw new ConsoleError('Conflict', 'This key is being used by another act.');
      }
      const work = run(row, request, actor, { cluster, origin }).finally(() => running.delete(request.key));
      running.set(request.key, work);
      return work;
    },

    async recover() {
      const before = parts.shared ? now() - leftAfter : opened;
      const mine = new Set(running.keys());
      const left = (await store.abandoned(before)).filter(({ key }) => !mine.has(key));
      await recoverActs(left, { store, audit, clusterOf, timing, now, closing: closing.signal });
    },

    async close() {
      closing.abort();
      await Promise.allSettled(running.values());
    },
  };
}

/** Throws `BadInput` for what no act takes, before anything is kept. */
function checkRequest({ act, args, object }: ActRequest): void {
  const definition = definitionOf(act);
  argsOf(act, args);
  if (!takesKind(definition, object))
    throw new ConsoleError('BadInput', `"${definition.title}" is not for ${object.kind}.`);
}

/** The outcome of the act that a key was used for; undefined for a new key. Throws `Conflict` for another act. */
async function keptOutcome(
  store: ActStore,
  { key, digest }: ActPerformance,
  poll: number,
  signal: AbortSignal,
): Promise<ActOutcome | undefined> {
  for (;;) {
    const row = await store.byKey(key);
    if (row === undefined) return undefined;
    if (row.digest !== digest)
      throw new ConsoleError('Conflict', 'This key was used for another act: choose a new one.');
    const ended = actState.safeParse(row.state).data;
    if (ended !== undefined)
      return outcomeOf(row.act_id, { state: ended, sentence: row.progress, undo: undoOf(row) });
    // Another console carries it out.
    await after(poll, undefined, { signal, ref: false });
  }
}

/** What undoes a kept act. */
export function undoOf({ undo }: Pick<ActRow, 'undo'>): Ending['undo'] {
  return undo === null ? undefined : actAgain.parse(JSON.parse(undo));
}

function outcomeOf(actId: string, { state, sentence, undo }: Ending): ActOutcome {
  return { state, sentence, act_id: actId, ...(undo === undefined ? {} : { undo }) };
}

/** The actor as records name it. */
function actorName(actor: Actor): string {
  return actor.kind === 'person' ? (actor.email ?? 'anonymous') : actor.by;
}

function rowOf(request: ActPerformance, actor: Actor, at: number): ActRow {
  const { key, digest, target, act, object, args } = request;
  return {
    act_id: randomUUID(),
    key,
    digest,
    target,
    act,
    object: JSON.stringify(object),
    args: JSON.stringify(args ?? {}),
    actor: actorName(actor),
    sentence: `${definitionOf(act).title} ${objectLabel(object)}.`,
    state: 'open',
    progress: 'Begun.',
    evidence: null,
    undo: null,
    started_at: at,
    ended_at: null,
    alive_at: at,
  };
}

/** Facts of both records. Values of variables and edited objects are no part of them: they may be secret. */
function factsFor(
  { act_id: id }: ActRow,
  { act, target, object, args, digest }: ActPerformance,
  actor: Actor,
): AuditDetail {
  const shown = typeof args === 'object' && args !== null ? Object.entries(args) : [];
  return {
    act_id: id,
    act,
    cluster: target,
    object: { ...object, namespace: object.namespace ?? '' },
    args: Object.fromEntries(
      shown
        .filter(([name]) => name !== 'value' && name !== 'yaml')
        .map(([name, value]) => [name, String(value)]),
    ),
    digest,
    ...(actor.kind === 'platform' && actor.approvedBy !== undefined ? { approved_by: actor.approvedBy } : {}),
  };
}

async function recordBefore(
  audit: Pick<Audit, 'begin'>,
  row: ActRow,
  request: ActPerformance,
  detail: AuditDetail,
) {
  const event = await audit.begin(
    { actor: row.actor, action: 'acts.begin', target: recordTarget(request) },
    detail,
  );
  event.record(row.sentence);
  await event.success();
}

async function recordAfter(
  audit: Pick<Audit, 'begin'>,
  row: ActRow,
  request: ActPerformance,
  { ending, detail }: { readonly ending: Ending; readonly detail: AuditDetail },
): Promise<void> {
  try {
    const event = await audit.begin(
      { actor: row.actor, action: 'acts.perform', target: recordTarget(request) },
      { ...detail, state: ending.state },
      { always: true },
    );
    event.record(row.sentence);
    if (ending.state === 'done') {
      event.record(ending.sentence);
      await event.success();
    } else if (ending.state === 'refused') await event.refuse(ending.sentence);
    else await event.fail(ending.sentence);
  } catch (error) {
    // The act stays open: the next start records how it ended.
    throw new ConsoleError(
      'Unavailable',
      `${ending.sentence} This could not be recorded: tell the administrator of this console. ${errorMessage(error)}`,
      {},
      { cause: error },
    );
  }
}
