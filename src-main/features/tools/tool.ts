import { z } from 'zod';
import type { ActClass } from '#shared/api/guardrails.ts';
import type { Caller } from '#shared/api/handler.ts';
import type { RouteId, RouteOf } from '#shared/api/index.ts';
import type { JsonAnswer } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';

/** Parameters and query of a read, as an address has them; what is undefined is left out. */
export type RouteParts = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
};

/**
 * Reads a route for whoever asks: through its access class, its shapes and its handler, so that a tool shows nobody more
 * than the page does. Throws what the route answers.
 */
export type ReadRoute = <Id extends RouteId>(id: Id, parts?: RouteParts) => Promise<JsonAnswer<RouteOf<Id>>>;

/** Whoever asks, and what they look at. */
export type Asker = {
  readonly caller: Caller;
  readonly read: ReadRoute;
  /** Reads a route that streams text, at most `most` characters from its end. */
  readText(id: RouteId, parts: RouteParts, most: number): Promise<string>;
  /** Target that the page beside the question reads; undefined for the one the person chose. */
  readonly target: string | undefined;
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Returns the asker for one question: reads are made in their name, and end with `signal`. */
export type AskRoutes = (asked: {
  readonly caller: Caller;
  readonly target: string | undefined;
  readonly signal: AbortSignal;
}) => Asker;

/** One line of an answer, with the place in the console that shows it. Text from outside is already plain. */
export type Row = { readonly text: string; readonly address?: string };

/** The place of a fact: a page, an object, a line of a log, an audit record. */
export type Citation = {
  readonly kind: 'page' | 'object' | 'log' | 'audit' | 'document';
  readonly label: string;
  /** Address inside the console, such as `/?tab=nodes`. */
  readonly address: string;
  /** What stands there, verbatim but for addresses. */
  readonly quote?: string;
};

/** What a tool found. The sentences are the server's: text from outside stands in them as data. */
export type ToolAnswer = {
  readonly head: string;
  readonly rows: readonly Row[];
  readonly citations: readonly Citation[];
  /** What was not read, and why, a sentence each. */
  readonly gaps: readonly string[];
  /** The answer of the route, narrowed by what the arguments say. */
  readonly result: unknown;
};

type ToolBase = {
  /** Such as `nodes`; also its name for models and MCP clients. */
  readonly name: string;
  readonly title: string;
  /** One sentence: what it answers. For people, models and MCP clients. */
  readonly description: string;
  readonly args: z.ZodObject;
  /** What its answers may reveal, in a few words. */
  readonly reveals: string;
};

export type ReadingTool = ToolBase & {
  readonly kind: 'read';
  /** Routes it reads: whoever may not read one of them is refused. */
  readonly routes: readonly RouteId[];
  /** Answers `given` arguments. Throws `BadInput` for others than its schema takes, and what the routes answer. */
  answer(given: unknown, asker: Asker): Promise<ToolAnswer>;
};

/** An act on an object, before its kind and namespace are looked up. */
export type WantedAct = {
  /** Id of an act of the console, such as `restart`. */
  readonly act: string;
  readonly kind: string | undefined;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly args: Readonly<Record<string, unknown>>;
};

export type ActingTool = ToolBase & {
  readonly kind: 'act';
  /** The class its guardrail belongs to. */
  readonly class: ActClass;
  /** Kinds it acts on, the first that has an object of that name. */
  readonly kinds: readonly string[];
  /** Returns what is wanted. Throws `BadInput` for other arguments than its schema takes. */
  wanted(given: unknown): WantedAct;
};

export type Tool = ReadingTool | ActingTool;

/** Makes a reading tool of its schema and a function over its parsed arguments. */
export function readingTool<S extends z.ZodObject>(
  tool: Omit<ReadingTool, 'kind' | 'args' | 'answer'> & {
    readonly args: S;
    answer(args: z.output<S>, asker: Asker): Promise<ToolAnswer>;
  },
): ReadingTool {
  return {
    ...tool,
    kind: 'read',
    answer: async (given, asker) => tool.answer(parsed(tool.name, tool.args, given), asker),
  };
}

/** Makes an acting tool of its schema and a function over its parsed arguments. */
export function actingTool<S extends z.ZodObject>(
  tool: Omit<ActingTool, 'kind' | 'args' | 'wanted'> & {
    readonly args: S;
    wanted(args: z.output<S>): WantedAct;
  },
): ActingTool {
  return { ...tool, kind: 'act', wanted: (given) => tool.wanted(parsed(tool.name, tool.args, given)) };
}

function parsed<S extends z.ZodObject>(tool: string, schema: S, given: unknown): z.output<S> {
  const result = schema.safeParse(given ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ConsoleError(
    'BadInput',
    `${tool}: ${issue?.path.join('.') || 'the arguments'}: ${issue?.message ?? 'not valid'}.`,
  );
}

/** The JSON schema of a tool's arguments, for models and MCP clients. */
export function argumentSchema({ args }: Pick<Tool, 'args'>): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(args, { io: 'input' });
  return schema;
}
