import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { ActClass } from '#shared/api/guardrails.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { HarnessAction } from '#shared/api/intelligence.ts';
import type { JsonAnswer, RouteInput } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { errorMessage } from '../../base/error-message.ts';
import type { Acts } from '../acts/index.ts';
import type { SessionCommands } from '../agents/index.ts';
import { type Audit, audited, circumstancesOf } from '../audit/index.ts';
import type { Actor, Decision } from '../guardrails/index.ts';
import { type HarnessParts, harness } from './harness.ts';
import type { Asked } from './sources.ts';
import { beginAttempt, endAttempt, type HarnessActRow, type HarnessTables, lastAttempt } from './store.ts';

/** The registry of acts on objects, as far as findings use it. */
export type FindingActs = Pick<Acts, 'perform' | 'preview'>;

/** What findings are acted on with. */
export type ActingParts = {
  readonly harnessDb: () => Kysely<HarnessTables>;
  readonly audit: Audit;
  readonly commands: SessionCommands;
  readonly decide: (name: ActClass, actor: Actor) => Promise<Decision>;
  /** Absent where no object of a cluster can be changed. */
  readonly acts?: FindingActs | undefined;
};

type Acted = JsonAnswer<RouteOf<'intelligence.act'>>;
type Input = RouteInput<RouteOf<'intelligence.act'>>;
type Ended = Pick<HarnessActRow, 'ref' | 'sentence'> & { readonly state: Acted['state'] };

/**
 * `POST /api/harness/{id}/act`: carries out a finding's action, once for each revision of it, approved by the person who asks. An
 * audit record is durable before anything is done. Only an attempt that was refused or failed may be followed by another.
 * Throws `NotFound` for what is no finding now, `Conflict` for another revision, `Refused` where there is no action or the
 * guardrails do not allow it.
 */
export async function actOnFinding(
  parts: HarnessParts & ActingParts,
  asked: Asked,
  { params: { id }, body: { revision, digest, confirm } }: Input,
): Promise<Acted> {
  const { call } = asked;
  const email = call.caller.email ?? '';
  const db = parts.harnessDb();
  const before = await lastAttempt(db, id, revision);
  if (before !== undefined && (before.state === 'done' || before.state === 'unknown')) {
    call.record('It was acted on before: nothing was done again.', { revision, attempt: before.attempt });
    return { ...actedOf(before, before.state), repeated: true };
  }
  const action = await actionNow(parts, asked, id, revision);
  call.record(`${action.title}.`, { revision });
  // One that was begun and did not end, on whatever console, goes on under its own key and for who asked for it.
  const isResumed = before?.state === 'acting';
  const owner = isResumed ? before.by : email;
  const actor: Actor = { kind: 'platform', by: 'harness', approvedBy: owner };
  const decision = await parts.decide(action.class, actor);
  if (decision.verdict !== 'allowed')
    throw new ConsoleError('Refused', `${decision.sentence} Nothing was done.`);
  await recordIntent(parts.audit, asked, id, action);
  const row = await beginAttempt(db, {
    finding: id,
    revision,
    attempt: isResumed ? before.attempt : (before?.attempt ?? 0) + 1,
    by: owner,
    state: 'acting',
    sentence: action.title,
    begun_at: parts.now(),
    ended_at: null,
    ref: null,
  });
  const end = (ended: Ended) => endAttempt(db, row, { ...ended, ended_at: parts.now() });
  let ended: Ended;
  try {
    ended = await carryOut(parts, action, row, {
      actor: { ...actor, approvedBy: row.by },
      digest,
      confirm,
      call,
    });
  } catch (error) {
    if (error instanceof ConsoleError)
      await end({ state: 'failed', sentence: errorMessage(error), ref: null });
    throw error;
  }
  await end(ended);
  call.record(ended.sentence, { attempt: row.attempt, state: ended.state });
  return { ...actedOf({ ...row, ...ended }, ended.state), repeated: false };
}

/** The action of a finding as it is now. */
async function actionNow(
  parts: HarnessParts & ActingParts,
  asked: Asked,
  id: string,
  revision: string,
): Promise<HarnessAction> {
  const { items } = await harness(parts, asked);
  const finding = items.find((each) => each.id === id);
  if (finding === undefined)
    throw new ConsoleError('NotFound', `"${id}" is no finding now: nothing was done.`);
  if (finding.revision !== revision)
    throw new ConsoleError(
      'Conflict',
      'What was found has changed: nothing was done. Refresh and look again.',
    );
  if (finding.action === undefined)
    throw new ConsoleError('Refused', `There is nothing to do about this from here: ${finding.remediation}`);
  return finding.action;
}

/** Writes what will be done, before it is: throws when it could not be written. */
function recordIntent(audit: Audit, { call }: Asked, id: string, action: HarnessAction): Promise<void> {
  const act = { actor: call.caller.email ?? 'anonymous', action: 'harness.begin', target: id };
  const detail =
    action.kind === 'dispatch' ? { class: action.class } : { class: action.class, act: action.request.act };
  return audited(audit, act, { ...circumstancesOf(call), ...detail }, async (event) =>
    event.record(`Will do: ${action.title}.`),
  );
}

type Doing = {
  readonly actor: Actor;
  readonly digest: string | undefined;
  readonly confirm: string | undefined;
  readonly call: Asked['call'];
};

async function carryOut(
  { commands, acts }: ActingParts,
  action: HarnessAction,
  row: HarnessActRow,
  { actor, digest, confirm, call }: Doing,
): Promise<Ended> {
  const key = createHash('sha256')
    .update(JSON.stringify(['harness', row.finding, row.revision, row.attempt]))
    .digest('base64url');
  if (action.kind === 'dispatch') {
    const queued = await commands.enqueue(row.by, action.command, key);
    return { state: 'done', sentence: `Queued for the agent session of ${row.by}.`, ref: queued.id };
  }
  if (acts === undefined)
    throw new ConsoleError('Refused', 'This console changes nothing in clusters: nothing was done.');
  const judged = await acts.preview(action.request, actor, call.signal);
  if (digest !== undefined && digest !== judged.digest)
    throw new ConsoleError(
      'Conflict',
      'The object has changed since it was shown: nothing was done. Look again.',
    );
  if (!judged.allowed)
    throw new ConsoleError('Refused', `${judged.reason ?? 'It is not allowed.'} Nothing was done.`);
  // The registry asks the platform for an approval only: here a person approves, who typed the name or did not.
  if (judged.protected && confirm !== action.request.target)
    throw new ConsoleError(
      'Refused',
      `${action.request.target} is protected: its name has to be typed to confirm. Nothing was done.`,
    );
  const outcome = await acts.perform(
    { ...action.request, digest: judged.digest, key, confirm },
    actor,
    call.signal,
    circumstancesOf(call),
  );
  return { state: outcome.state, sentence: outcome.sentence, ref: outcome.act_id };
}

function actedOf({ by, attempt, sentence, begun_at, ref }: HarnessActRow, state: Acted['state']) {
  return {
    state,
    sentence,
    by,
    attempt,
    at: new Date(begun_at).toISOString(),
    ...(ref === null ? {} : { ref }),
  };
}
