import { setTimeout as after } from 'node:timers/promises';
import type { ActAgain, ActState } from '#shared/api/acts.ts';
import { ConsoleError } from '#shared/errors.ts';
import { errorMessage } from '../../base/error-message.ts';
import type { Cluster, ObjectAccess, WriteResult } from '../../sources/cluster/index.ts';
import type { Actor, GuardrailSettings } from '../guardrails/index.ts';
import { definitionOf } from './definitions.ts';
import { findOut } from './find-out.ts';
import { type Judged, judgeAct } from './judge.ts';
import type { TargetFacts } from './preview.ts';
import type { ActPerformance, Evidence, Plan, PlannedWrite } from './types.ts';

/** How long an act is followed, in ms. */
export type ActTiming = {
  /** Between two reads of how far it came. */
  readonly poll: number;
  /** Until it counts as without effect. */
  readonly effect: number;
  /** For which a blocked eviction is asked again. */
  readonly blocked: number;
  /** For which a lost answer is looked for. */
  readonly lost: number;
};

export const usualTiming: ActTiming = { poll: 1000, effect: 300_000, blocked: 120_000, lost: 45_000 };

/** The end of an act, for its record and its caller. */
export type Ending = {
  readonly state: ActState;
  readonly sentence: string;
  readonly undo?: ActAgain | undefined;
};

export type CarryOutParts = {
  readonly cluster: Cluster;
  readonly target: () => TargetFacts;
  readonly decide: GuardrailSettings['decide'];
  readonly timing: ActTiming;
  /** Epoch ms. */
  readonly now: () => number;
  /** Aborts when the console closes. */
  readonly closing: AbortSignal;
  /** Keeps what proves that the writes were carried out. Called before the first is sent. */
  readonly onSend: (evidence: readonly Evidence[], undo: ActAgain | undefined) => Promise<void>;
  readonly onProgress: (sentence: string) => Promise<void>;
};

/** Judges an act once more and carries it out. Resolves with how it ended, whatever happens. */
export async function carryOut(request: ActPerformance, actor: Actor, parts: CarryOutParts): Promise<Ending> {
  let judged: Judged;
  try {
    const refusal = refusalOf(request, actor, parts.target());
    if (refusal !== undefined) return { state: 'refused', sentence: refusal };
    judged = await judgeAct(parts.cluster, request, { key: request.key, now: parts.now() });
    const name = judged.plan.class ?? definitionOf(request.act).class;
    const { verdict, sentence } = await parts.decide(name, actor);
    if (verdict !== 'allowed') return { state: 'refused', sentence };
  } catch (error) {
    if (!(error instanceof ConsoleError)) throw error;
    return { state: 'refused', sentence: error.message };
  }
  const { plan, forbidden, digest, context } = judged;
  if (digest !== request.digest)
    return {
      state: 'refused',
      sentence: 'It changed since the preview, so nothing was sent: preview it again.',
    };
  const reason = plan.refusal ?? forbidden;
  if (reason !== undefined) return { state: 'refused', sentence: reason };
  await parts.onSend(
    plan.writes.map(({ evidence }) => evidence),
    plan.undo,
  );
  const sent = await sendAll(context.access, plan.writes, parts);
  if (sent.state !== 'done') return { ...sent, undo: sent.carriedOut > 0 ? plan.undo : undefined };
  return followEffect(context.access, plan, sent.sentence, parts);
}

/** Why nothing may be sent to a target, or not without its name. */
function refusalOf(
  { target, confirm }: ActPerformance,
  actor: Actor,
  facts: TargetFacts,
): string | undefined {
  if (!facts.writable)
    return `${target} is read-only: name it in CONSOLE_WRITABLE_TARGETS to change anything in it.`;
  if (!facts.protected) return undefined;
  if (actor.kind === 'platform')
    return actor.approvedBy === undefined
      ? `${target} is protected: a person approves each act in it.`
      : undefined;
  return confirm === target ? undefined : `${target} is protected: its name has to be typed to confirm.`;
}

type Sent = Ending & { readonly carriedOut: number };

/** Sends the writes one after another, and stops at the first that was not carried out. */
async function sendAll(
  access: ObjectAccess,
  writes: readonly PlannedWrite[],
  parts: CarryOutParts,
): Promise<Sent> {
  let carriedOut = 0;
  const notes: string[] = [];
  for (const write of writes) {
    // The target may have been taken off the list since the act began.
    const result: OneSent = parts.target().writable ? await sendOne(access, write, parts) : readOnly;
    const prefix = write.part === undefined ? '' : `${write.part}: `;
    const before = writes.length > 1 ? ` ${carriedOut} of ${writes.length} steps were carried out.` : '';
    if (result.state === 'unknown')
      return {
        state: 'unknown',
        sentence: `Outcome unknown: ${prefix}${result.reason} It could not be found out.${before}`,
        carriedOut,
      };
    if (result.state === 'not_done')
      return { state: 'failed', sentence: `Not carried out: ${prefix}${result.reason}${before}`, carriedOut };
    carriedOut += 1;
    if (result.state === 'done' && result.note !== undefined) notes.push(`${prefix}${result.note}`);
    if (write.part !== undefined && writes.length > 1)
      await parts.onProgress(`${carriedOut} of ${writes.length}: ${write.part}.`);
  }
  return { state: 'done', sentence: notes.join(' '), carriedOut };
}

const readOnly = { state: 'not_done', reason: 'the target is read-only now.' } as const satisfies OneSent;

type OneSent =
  | { readonly state: 'done'; readonly note?: string | undefined }
  | { readonly state: 'not_done' | 'unknown'; readonly reason: string };

async function sendOne(access: ObjectAccess, write: PlannedWrite, parts: CarryOutParts): Promise<OneSent> {
  const until = performance.now() + parts.timing.blocked;
  for (;;) {
    const result = await access.write(write);
    if (result.state === 'done') return { state: 'done' };
    if (result.state === 'lost') {
      const found = await findLost(access, write.evidence, result, parts);
      if (found !== undefined) return found;
      return { state: 'unknown', reason: result.reason };
    }
    // A pod that is to be evicted and is gone needs no eviction.
    if (result.state === 'missing' && write.evidence.shows === 'gone' && write.patient === true)
      return { state: 'done' };
    const isWaiting = result.state === 'blocked' && write.patient === true;
    if (!isWaiting || performance.now() >= until || parts.closing.aborted)
      return { state: 'not_done', reason: result.reason };
    await parts.onProgress(`Waiting: ${result.reason}`);
    await pause(parts.timing.poll, parts.closing);
  }
}

/** Reads until it is clear what became of a write without an answer; undefined when it stays unclear. */
async function findLost(
  access: ObjectAccess,
  evidence: Evidence,
  { reason }: Extract<WriteResult, { state: 'lost' }>,
  { timing, closing, onProgress }: CarryOutParts,
): Promise<OneSent | undefined> {
  await onProgress('The answer was lost: reading what became of it.');
  const until = performance.now() + timing.lost;
  let notDone = 0;
  for (;;) {
    const found = await findOut(access, evidence);
    if (found.state === 'done')
      return { state: 'done', note: `The answer was lost; found out by reading: ${found.sentence}` };
    notDone = found.state === 'not_done' ? notDone + 1 : 0;
    // Twice, because what was sent may be carried out a moment after it was given up.
    if (notDone === 2)
      return { state: 'not_done', reason: `${reason} Found out by reading: ${found.sentence}` };
    if (performance.now() >= until || closing.aborted) return undefined;
    await pause(timing.poll, closing);
  }
}

/** Follows an act until it took effect, or it is clear that it does not. */
async function followEffect(
  access: ObjectAccess,
  plan: Plan,
  note: string,
  { timing, closing, onProgress }: CarryOutParts,
): Promise<Ending> {
  const { undo } = plan;
  const said = (text: string): string => [note, text].filter((each) => each !== '').join(' ');
  const until = performance.now() + timing.effect;
  let last = '';
  for (;;) {
    if (closing.aborted)
      return {
        state: 'done',
        sentence: said(`Carried out; the console closed before it took effect. ${last}`),
        undo,
      };
    const progress = await plan.progress(access);
    const sentence = progress?.sentence ?? last;
    if (progress?.state === 'done') return { state: 'done', sentence: said(sentence), undo };
    if (progress?.state === 'gone')
      return { state: 'failed', sentence: said(`Carried out, without effect: ${sentence}`) };
    // A controller may report a failure of before for a moment: the time limit decides.
    if (performance.now() >= until)
      return { state: 'failed', sentence: said(`Carried out, but not in effect yet: ${sentence}`), undo };
    if (sentence !== last) await onProgress(sentence);
    last = sentence;
    await pause(timing.poll, closing);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return after(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
    if (!signal.aborted) throw new Error(errorMessage(error), { cause: error });
  });
}
