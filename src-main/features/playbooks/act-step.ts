import type { ActAgain } from '#shared/api/acts.ts';
import { type ActClass, actClass } from '#shared/api/guardrails.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { ActRequest } from '../acts/index.ts';
import type { ActSpec } from './definition.ts';
import type { Attempt } from './progress.ts';
import {
  actorOf,
  decisionOn,
  ended,
  mayDecide,
  type StepOutcome,
  type StepParts,
  type Work,
  waiting,
} from './step-outcome.ts';
import { fill } from './templates.ts';

/** How often an approval is looked for that nothing announced, in ms. */
const lookEvery = 30_000;

/** Changes and warnings of a preview that are kept with a run. */
const mostLines = 40;

type Asked = {
  readonly request: ActRequest;
  /** Classes asked of the guardrails beside the act's own. */
  readonly classes: readonly ActClass[];
};

/** Returns the act of a step with its places filled in. Throws `TemplateFault`, `BadInput`. */
export function requestOf(
  spec: ActSpec,
  { run, scope }: Pick<Work, 'run' | 'scope'>,
  parts: StepParts,
): ActRequest {
  // Filling keeps the shape: it replaces texts only.
  const { target, act, object, args } = fill(spec, scope) as ActSpec;
  const { group = '', version, kind, namespace, name } = object;
  return {
    target: targetNamed(target, run, parts),
    act,
    object: {
      group: String(group),
      version,
      kind,
      ...(namespace === undefined ? {} : { namespace: String(namespace) }),
      name: String(name),
    },
    args,
  };
}

/** Returns an act that undoes another, in the same target. */
export function undoRequest(target: string, { act, object, args }: ActAgain): ActRequest {
  return { target, act, object, args };
}

/** Returns the target that a step names, or the run's. A rehearsal knows the sandbox only. Throws `BadInput`. */
export function targetNamed(
  named: string | undefined,
  run: Pick<Work['run'], 'target' | 'rehearsal'>,
  { sandboxTarget }: Pick<StepParts, 'sandboxTarget'>,
): string {
  if (run.rehearsal === 1) {
    const sandbox = sandboxTarget();
    if (sandbox === undefined)
      throw new ConsoleError('Refused', 'The sandbox no longer runs: a rehearsal acts on nothing else.');
    return sandbox;
  }
  const target = named ?? run.target ?? undefined;
  if (target === undefined)
    throw new ConsoleError('BadInput', 'No target: name one in the step, or when the run is started.');
  return target;
}

/**
 * Carries an act out: previews it, asks the guardrails and, where they say so, a person, keeps that it begins, and begins it.
 * Resumed after a crash it asks the registry for the outcome of the same key, which acts once at most.
 */
export async function actStep(work: Work, parts: StepParts, asked: Asked): Promise<StepOutcome> {
  const previewed = work.attempt.act === undefined ? await preview(work, parts, asked) : work.attempt;
  if ('is' in previewed) return previewed;
  const current = { ...work, attempt: previewed };
  if (previewed.state === 'unknown') return lookedAt(current, parts);
  const { act } = previewed;
  if (act === undefined) throw new Error('An act without a preview.');
  const decision = decisionOn(current, 'approval');
  const counts = decision !== undefined && mayDecide(work.run, decision.by, act.other) ? decision : undefined;
  if (!act.begun) {
    if (counts?.verdict === 'reject')
      return ended(
        { ...previewed, decided_by: counts.by, note: counts.note },
        'failed',
        `${counts.by} rejected it.${counts.note === '' ? '' : ` ${counts.note}`}`,
        parts.now(),
      );
    const actor = actorOf(work.run, counts?.by);
    const verdicts = await Promise.all(act.classes.map((name) => parts.decide(name, actor)));
    const refused = verdicts.find(({ verdict }) => verdict === 'refused');
    if (refused !== undefined) return ended(previewed, 'failed', refused.sentence, parts.now());
    const asks = verdicts.find(({ verdict }) => verdict === 'ask');
    if (asks !== undefined || (counts === undefined && (act.protected || act.other)))
      return waiting(
        previewed,
        'approval',
        `${act.sentence} ${asks?.sentence ?? 'A person approves it.'}`,
        parts.now() + lookEvery,
      );
  }
  const { waits_for: _waits, ...rest } = previewed;
  const begun: Attempt = {
    ...rest,
    state: 'running',
    sentence: act.sentence,
    ...(counts === undefined ? {} : { decided_by: counts.by, note: counts.note }),
    act: { ...act, begun: true },
  };
  await work.keep(begun);
  const outcome = await parts.acts.perform(
    {
      ...act.request,
      args: act.request.args,
      digest: act.digest,
      key: `${work.run.id}/${previewed.seq}`,
      ...(act.protected && counts !== undefined ? { confirm: counts.confirm } : {}),
    },
    actorOf(work.run, counts?.by),
    work.signal,
  );
  const after: Attempt = {
    ...begun,
    act: {
      ...act,
      begun: true,
      act_id: outcome.act_id,
      ...(outcome.undo === undefined ? {} : { undo: outcome.undo }),
    },
  };
  if (outcome.state === 'unknown')
    return waiting(after, 'look', `${outcome.sentence} Look whether it was done.`, parts.now() + lookEvery);
  return ended(after, outcome.state === 'done' ? 'done' : 'failed', outcome.sentence, parts.now());
}

/** What became of an act of an unknown outcome, as a person found out. */
function lookedAt({ attempt, signals }: Work, parts: StepParts): StepOutcome {
  const decision = decisionOn({ signals, attempt }, 'look');
  if (decision === undefined) return waiting(attempt, 'look', attempt.sentence, parts.now() + lookEvery);
  const known = { ...attempt, decided_by: decision.by, note: decision.note };
  return decision.verdict === 'approve'
    ? ended(known, 'done', `${decision.by} looked: it was done.`, parts.now())
    : ended(known, 'failed', `${decision.by} looked: it was not done.`, parts.now());
}

async function preview(
  { run, attempt, signal }: Work,
  parts: StepParts,
  { request, classes }: Asked,
): Promise<Attempt | StepOutcome> {
  const seen = await parts.acts.preview(request, actorOf(run), signal);
  const all = [...new Set([seen.class, ...classes])];
  const others = await Promise.all(all.map((name) => parts.needsOther(name)));
  const previewed: Attempt = {
    ...attempt,
    sentence: seen.sentence,
    act: {
      request,
      classes: all.map((name) => actClass.parse(name)),
      digest: seen.digest,
      sentence: seen.sentence,
      changes: seen.diff
        .slice(0, mostLines)
        .map(({ path, before, after }) => `${path}: ${before ?? 'not set'} → ${after ?? 'removed'}`),
      warnings: [...seen.effects, ...seen.warnings].slice(0, mostLines),
      protected: seen.protected,
      begun: false,
      other: others.includes(true),
    },
  };
  return seen.allowed
    ? previewed
    : ended(previewed, 'failed', `Not allowed: ${seen.reason ?? seen.sentence}`, parts.now());
}
