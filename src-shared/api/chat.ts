import { z } from 'zod';
import { actClass } from './guardrails.ts';
import { defineRoute } from './route.ts';
import { targetId } from './targets.ts';

/** Longest message to the chat, in characters. */
const longestMessage = 2000;
/** Time in which a proposed act can be confirmed, in ms. */
export const confirmationHolds = 120_000;

const name = z.string().trim().min(1).max(253);

/** What is open beside the chat, for "this" and "it". */
export const openBeside = z.strictObject({
  kind: z.string().trim().min(1).max(63).optional(),
  name,
  namespace: name.optional(),
});
export type OpenBeside = z.infer<typeof openBeside>;

/** The place of a fact in this console. */
const citation = z.object({
  kind: z.enum(['page', 'object', 'log', 'audit', 'document']),
  label: z.string(),
  /** Address inside this console, such as `/?tab=nodes`. */
  address: z.string().regex(/^\/(?:\?|$)/),
  /** What stands there; addresses of other sites are removed. */
  quote: z.string().optional(),
});

/** One field that a proposed act would change; values as JSON, credentials hidden. */
const change = z.object({ path: z.string(), before: z.string().optional(), after: z.string().optional() });

/** A proposed act that waits for its confirmation. */
export const proposal = z.object({
  /** Typed as `confirm <code>` it carries the act out: once, in this session, until it expires. */
  code: z.string(),
  expires_at: z.iso.datetime(),
  /** What will be done, in the server's words. */
  summary: z.string(),
  target: z.string(),
  class: actClass,
  /** As the dry run of the API server answered. */
  diff: z.array(change),
  /** What happens to pods, one sentence each. */
  effects: z.array(z.string()),
  warnings: z.array(z.string()),
  /** True where the name of the target has to follow the code. */
  protected: z.boolean(),
});
export type Proposal = z.infer<typeof proposal>;

export const chatAnswer = z.object({
  /** Plain text: what it quotes from other systems is data, without addresses and HTML. */
  reply: z.string(),
  /** False where the message was not understood: nothing was read or done then. */
  understood: z.boolean(),
  /** What read the message: `grammar`, or the name of the model. */
  read_by: z.string(),
  /** The one tool that was called; absent where none was. */
  tool: z
    .object({
      name: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      result: z.unknown().optional(),
    })
    .optional(),
  citations: z.array(citation),
  /** What was not read, and why, a sentence each. */
  unmeasured: z.array(z.string()),
  confirm: proposal.optional(),
  /** Words that may have been meant, where the message was not understood. */
  did_you_mean: z.array(z.string()).optional(),
});
export type ChatAnswer = z.infer<typeof chatAnswer>;

const chatTool = z.object({
  name: z.string(),
  title: z.string(),
  /** What it answers or does, one sentence. */
  description: z.string(),
  kind: z.enum(['read', 'act']),
  /** What its answers may reveal. */
  reveals: z.string(),
  /** Class of its guardrail, for one that acts. */
  class: actClass.optional(),
  /** JSON schema of its arguments. */
  arguments: z.record(z.string(), z.unknown()),
  /** Messages that call it without a model. */
  examples: z.array(z.string()),
});

export const chatRoutes = [
  defineRoute({
    id: 'chat.say',
    method: 'POST',
    path: '/chat',
    access: { kind: 'read' },
    summary:
      'Calls the one tool that a message asks for. A reading tool answers at once; an acting one is proposed, and carried out on `confirm <code>` by the same session within two minutes, once.',
    body: z.strictObject({
      message: z.string().trim().min(1).max(longestMessage, `must have at most ${longestMessage} characters`),
      /** Target that is read beside the chat; without it the one the caller chose. */
      target: targetId.optional(),
      open: openBeside.optional(),
    }),
    answer: chatAnswer,
  }),
  defineRoute({
    id: 'chat.tools',
    method: 'GET',
    path: '/api/chat/tools',
    access: { kind: 'read' },
    summary: 'The tools of the chat with their arguments, what they may reveal, and example messages.',
    answer: z.object({
      items: z.array(chatTool),
      /** What reads messages now: `grammar`, or the name of the model. */
      read_by: z.string(),
    }),
  }),
] as const;
