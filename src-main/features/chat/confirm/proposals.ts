import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { actId, actObject } from '#shared/api/acts.ts';
import { confirmationHolds, type Proposal } from '#shared/api/chat.ts';
import type { Call, Caller } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { sameSecret } from '../../../base/same-secret.ts';
import type { Acts } from '../../acts/index.ts';
import { type Audit, audited, circumstancesOf } from '../../audit/index.ts';
import type { Actor, GuardrailSettings } from '../../guardrails/index.ts';
import { type ActingTool, type Asker, outsideText } from '../../tools/index.ts';
import {
  type ChatProposalRow,
  type ChatTables,
  countWrongCode,
  dropExpired,
  keepProposal,
  openProposal,
  takeProposal,
} from '../store.ts';
import { codeDigest, holdsCode, newCode } from './codes.ts';
import { requestOf } from './requests.ts';

export type ProposalParts = {
  readonly db: Kysely<ChatTables>;
  readonly acts: Pick<Acts, 'preview' | 'perform'>;
  readonly decide: GuardrailSettings['decide'];
  readonly audit: Audit;
  /** Admits whoever may act on objects of clusters now. Throws `NotSignedIn` or `NotAllowed`. */
  readonly admit: (caller: Caller) => Promise<unknown>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Wrong codes after which a proposal is gone. */
const mostWrong = 5;

/** The stored request, checked as it is read: it was written by this console, maybe by an older one. */
const storedRequest = z.object({
  target: z.string(),
  act: actId,
  object: actObject,
  args: z.unknown(),
  digest: z.string(),
  resource_version: z.string(),
  sentence: z.string(),
});

type Said = { readonly reply: string; readonly confirm?: Proposal };
type Asking = Pick<Call, 'caller' | 'address' | 'userAgent' | 'signal'>;

/** The acts that the chat proposes and people confirm. */
export type Proposals = {
  /**
   * Previews an act and keeps it for its confirmation, in place of the session's one before. Says why not where it may not or
   * cannot be carried out: there is no code then.
   */
  propose(tool: ActingTool, args: unknown, asker: Asker, call: Asking): Promise<Said>;
  /** Carries out the session's open proposal: the code has to be its own, and everything is asked again. */
  confirm(given: { readonly code: string; readonly target: string | undefined }, call: Asking): Promise<Said>;
  /** Takes the session's open proposal back. */
  cancel(call: Asking): Promise<Said>;
  /** Whether a message holds the open code of this session: then no model may see it. */
  holdsCode(message: string, caller: Caller): Promise<boolean>;
};

export function createProposals(parts: ProposalParts): Proposals {
  const { db, acts, decide, audit, admit, now } = parts;

  const openOf = async (caller: Caller): Promise<ChatProposalRow | undefined> => {
    const { sessionId } = caller;
    if (sessionId === undefined) return undefined;
    const row = await openProposal(db, sessionId);
    return row === undefined || Number(row.expires_at) <= now() ? undefined : row;
  };

  return {
    propose: (tool, args, asker, call) => {
      const { email, sessionId } = call.caller;
      const act = { actor: email ?? 'anonymous', action: 'chat.propose', target: tool.name };
      return audited(audit, act, circumstancesOf(call), async (event) => {
        await admit(call.caller);
        if (email === undefined || sessionId === undefined)
          throw new ConsoleError('NotSignedIn', 'Sign in to act: a confirmation belongs to a session.');
        const wanted = await requestOf(tool, args, asker);
        if ('why' in wanted) {
          event.record(wanted.why);
          return { reply: wanted.why };
        }
        const { request } = wanted;
        event.record(`Proposed ${tool.name} of ${request.object.kind} ${request.object.name}.`, {
          tool: tool.name,
          target: request.target,
          object: `${request.object.kind} ${request.object.namespace ?? ''}/${request.object.name}`,
        });
        const preview = await acts.preview(request, actorOf(email), call.signal);
        const decision = await decide(preview.class, actorOf(email));
        if (decision.verdict === 'refused') return { reply: `Not proposed. ${decision.sentence}` };
        if (!preview.allowed)
          return { reply: `Not proposed: ${outsideText(preview.reason ?? 'it is not allowed')}` };
        const code = newCode();
        const expires = now() + confirmationHolds;
        await dropExpired(db, now());
        await keepProposal(db, {
          session_id: sessionId,
          key: randomUUID(),
          code_digest: codeDigest(code, sessionId),
          email,
          tool: tool.name,
          request: JSON.stringify({
            ...request,
            digest: preview.digest,
            resource_version: preview.resource_version,
            sentence: preview.sentence,
          }),
          target: request.target,
          protected: preview.protected ? 1 : 0,
          expires_at: expires,
          wrong_codes: 0,
        });
        event.record('', { digest: preview.digest, resource_version: preview.resource_version });
        const summary = outsideText(preview.sentence, 500);
        const effects = [...preview.effects, ...preview.owners.map((owner) => owner.sentence)].map((each) =>
          outsideText(each),
        );
        return {
          reply: `${summary} Nothing was done yet. To carry it out, type: confirm ${code}${preview.protected ? ` ${request.target}` : ''}`,
          confirm: {
            code,
            expires_at: new Date(expires).toISOString(),
            summary,
            target: request.target,
            class: preview.class,
            diff: preview.diff.map(plainChange),
            effects,
            warnings: preview.warnings.map((each) => outsideText(each)),
            protected: preview.protected,
          },
        };
      });
    },

    confirm: ({ code, target }, call) => {
      const { email, sessionId } = call.caller;
      const act = { actor: email ?? 'anonymous', action: 'chat.confirm', target: 'chat' };
      return audited(audit, act, circumstancesOf(call), async (event) => {
        await admit(call.caller);
        if (email === undefined || sessionId === undefined)
          throw new ConsoleError('NotSignedIn', 'Sign in to act: a confirmation belongs to a session.');
        const row = await openProposal(db, sessionId);
        if (row === undefined)
          throw new ConsoleError(
            'NotAllowed',
            'Nothing waits for a confirmation in this session. Nothing was done.',
          );
        if (Number(row.expires_at) <= now()) {
          await takeProposal(db, row);
          throw new ConsoleError(
            'NotAllowed',
            'The confirmation has expired. Nothing was done: ask for it again.',
          );
        }
        if (!sameSecret(codeDigest(code, sessionId), row.code_digest)) {
          await countWrongCode(db, row, mostWrong);
          throw new ConsoleError(
            'NotAllowed',
            'This is not the code of what waits for a confirmation. Nothing was done.',
          );
        }
        if (row.email !== email)
          throw new ConsoleError('NotAllowed', 'Somebody else asked for this. Nothing was done.');
        if (row.protected === 1 && target !== row.target)
          throw new ConsoleError(
            'BadInput',
            `${row.target} is protected: type the code, then the name of the target. Nothing was done.`,
          );
        if (!(await takeProposal(db, row)))
          throw new ConsoleError('Conflict', 'This was confirmed already. It is carried out once.');
        const {
          digest,
          resource_version: version,
          sentence,
          ...request
        } = storedRequest.parse(JSON.parse(row.request));
        event.record(`Confirmed ${row.tool}: ${sentence}`, {
          tool: row.tool,
          digest,
          resource_version: version,
        });
        const outcome = await acts.perform(
          { ...request, digest, key: row.key, ...(row.protected === 1 ? { confirm: row.target } : {}) },
          actorOf(email),
          call.signal,
          circumstancesOf(call),
        );
        event.record('', { act_id: outcome.act_id, outcome: outcome.state });
        if (outcome.state === 'refused')
          throw new ConsoleError('Refused', outsideText(outcome.sentence, 500));
        return { reply: outsideText(outcome.sentence, 500) };
      });
    },

    async cancel({ caller }) {
      const row = await openOf(caller);
      if (row === undefined || !(await takeProposal(db, row)))
        return { reply: 'Nothing waits for a confirmation.' };
      return { reply: 'Taken back. Nothing was done.' };
    },

    async holdsCode(message, caller) {
      const row = await openOf(caller);
      return row !== undefined && holdsCode(message, row.code_digest, row.session_id);
    },
  };
}

/** The chat acts for a person who approves exactly this act: guardrails limit it all the same. */
function actorOf(email: string): Actor {
  return { kind: 'platform', by: 'chat', approvedBy: email };
}

function plainChange({
  path,
  before,
  after,
}: {
  path: string;
  before?: string | undefined;
  after?: string | undefined;
}) {
  return {
    path: outsideText(path),
    ...(before === undefined ? {} : { before: outsideText(before, 2000) }),
    ...(after === undefined ? {} : { after: outsideText(after, 2000) }),
  };
}
