import type { ChatAnswer } from '#shared/api/chat.ts';
import type { Call, Handlers } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { createSlidingLimit } from '../../base/sliding-limit.ts';
import { type Inference, InferenceError } from '../../sources/inference/index.ts';
import {
  type Asker,
  type AskRoutes,
  allTools,
  argumentSchema,
  type Tool,
  type ToolAnswer,
} from '../tools/index.ts';
import type { Proposals } from './confirm/proposals.ts';
import { examples } from './grammar/examples.ts';
import { type OpenObject, possibleNames, type ToolCall, understand } from './grammar/understand.ts';
import { helpText } from './help.ts';
import { knownNames } from './known-names.ts';
import { modelAway, readByModel, tooMany } from './model.ts';

export type ChatParts = {
  readonly askerOf: AskRoutes;
  readonly proposals: Proposals;
  /** The model that picks tools; undefined leaves it to the grammar. */
  readonly inference: () => Inference | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Messages that one session may send to the model within a minute. */
const mostForModel = 20;

/** What read a message, and what it made of it. */
type Reading = {
  readonly by: string;
  readonly call: ToolCall | undefined;
  readonly notes: readonly string[];
  readonly unknown: readonly string[];
  readonly didYouMean: readonly string[];
};

/** `POST /chat` and `GET /api/chat/tools`. */
export function chatHandlers(parts: ChatParts): Handlers<'chat.say' | 'chat.tools'> {
  const { askerOf, proposals, inference } = parts;
  const limit = createSlidingLimit({ most: mostForModel, windowMs: 60_000, now: parts.now });

  const byGrammar = async (message: string, asker: Asker, open: OpenObject | undefined): Promise<Reading> => {
    const understood = understand(message, await knownNames(possibleNames(message), asker), open);
    return understood.state === 'call'
      ? { by: 'grammar', call: understood.call, notes: [], unknown: [], didYouMean: [] }
      : {
          by: 'grammar',
          call: undefined,
          notes: [],
          unknown: understood.unknown,
          didYouMean: understood.didYouMean,
        };
  };

  const read = async (message: string, asker: Asker, open: OpenObject | undefined): Promise<Reading> => {
    const model = inference();
    if (model === undefined) return byGrammar(message, asker, open);
    const key = asker.caller.sessionId ?? 'nobody';
    const wait = limit.waitOf(key);
    if (wait !== undefined) throw tooMany(wait);
    limit.count(key);
    try {
      const reading = await readByModel(model, message, asker.signal);
      return { by: model.name, ...reading, unknown: [], didYouMean: [] };
    } catch (error) {
      if (!(error instanceof InferenceError)) throw error;
      const reading = await byGrammar(message, asker, open);
      return { ...reading, notes: [modelAway(model, error), ...reading.notes] };
    }
  };

  return {
    'chat.tools': () => ({
      items: allTools.map((tool) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        kind: tool.kind,
        reveals: tool.reveals,
        ...(tool.kind === 'act' ? { class: tool.class } : {}),
        arguments: argumentSchema(tool),
        examples: [...(examples[tool.name] ?? [])],
      })),
      read_by: inference()?.name ?? 'grammar',
    }),

    async 'chat.say'({ body: { message, target, open } }, call): Promise<ChatAnswer> {
      // Before anything else reads the message: a confirmation is typed by a person, and no model sees its code.
      const confirmation = /^confirm\b[\s:]*(\S+)?\s*(.*)$/i.exec(message);
      if (confirmation !== null) {
        const [, code, named = ''] = confirmation;
        if (code === undefined) return plain('grammar', 'Type confirm and the code, such as: confirm K7M2QX');
        const typed = named.trim();
        return plain(
          'grammar',
          (await proposals.confirm({ code, target: typed === '' ? undefined : typed }, call)).reply,
        );
      }
      if (/^(?:cancel|abort|never ?mind)\W*$/i.test(message))
        return plain('grammar', (await proposals.cancel(call)).reply);
      if (await proposals.holdsCode(message, call.caller))
        return plain(
          'grammar',
          'This message holds the code of what waits for a confirmation, so it was not read further. To carry it out, type only confirm and the code.',
        );
      const asker = askerOf({ caller: call.caller, target, signal: call.signal });
      const reading = await read(message, asker, open);
      const tool = allTools.find(({ name }) => name === reading.call?.tool);
      if (reading.call?.tool === 'help') return plain(reading.by, helpText());
      if (reading.call === undefined || tool === undefined) return notUnderstood(reading);
      return said(reading, await answerOf(tool, reading.call, asker, call));
    },
  };

  /** Runs the one tool of a message; an error of it is its answer. */
  async function answerOf(tool: Tool, { args }: ToolCall, asker: Asker, call: Call): Promise<ChatAnswer> {
    try {
      if (tool.kind === 'read') return ofTool(tool.name, args, await tool.answer(args, asker));
      const { reply, confirm } = await proposals.propose(tool, args, asker, call);
      return {
        ...plain('grammar', reply),
        tool: {
          name: tool.name,
          arguments: args,
          result: confirm === undefined ? 'not proposed' : 'proposed',
        },
        ...(confirm === undefined ? {} : { confirm }),
      };
    } catch (error) {
      if (!(error instanceof ConsoleError) || error.name === 'Unavailable' || error.name === 'NotSignedIn')
        throw error;
      return {
        ...plain('grammar', error.message),
        tool: { name: tool.name, arguments: args, result: undefined },
      };
    }
  }
}

function plain(by: string, reply: string): ChatAnswer {
  return { reply, understood: true, read_by: by, citations: [], unmeasured: [] };
}

function said({ by, notes }: Reading, answer: ChatAnswer): ChatAnswer {
  return { ...answer, read_by: by, reply: [...notes, answer.reply].join('\n') };
}

function ofTool(
  name: string,
  args: ToolCall['args'],
  { head, rows, citations, gaps, result }: ToolAnswer,
): ChatAnswer {
  return {
    reply: [head, ...rows.map(({ text }) => `- ${text}`)].join('\n'),
    understood: true,
    read_by: 'grammar',
    tool: { name, arguments: args, result },
    citations: [...citations],
    unmeasured: [...gaps],
  };
}

function notUnderstood({ by, notes, unknown, didYouMean }: Reading): ChatAnswer {
  const words =
    unknown.length === 0
      ? ''
      : ` These words mean nothing here: ${unknown
          .slice(0, 5)
          .map((word) => `"${word.slice(0, 60)}"`)
          .join(', ')}.`;
  const near = didYouMean.length === 0 ? '' : ` Did you mean ${didYouMean.join(', ')}?`;
  return {
    ...plain(
      by,
      [
        ...notes,
        `Not understood, so nothing was read or done.${words}${near} Type help for what can be asked.`,
      ].join('\n'),
    ),
    understood: false,
    ...(didYouMean.length === 0 ? {} : { did_you_mean: [...didYouMean] }),
  };
}
