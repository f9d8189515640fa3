import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { AgentConfig } from '#shared/api/code-host.ts';

/** A file that is no YAML at all has a mistake in every line: those beyond are counted. */
const mostMistakes = 100;

/** Gathers what is wrong with a file, by where it is. */
export type Mistakes = {
  /** `node`: any node of the parsed file; one without a position in it is reported at line 1. */
  at(node: unknown, message: string): void;
  /** Line of a node, from 1. */
  lineOf(node: unknown): number;
};

export type ParsedFile = {
  /** The file's outermost node, null for an empty file. Nodes are walked as they are written, nothing is expanded. */
  readonly root: unknown;
  readonly mistakes: Mistakes;
  /** In the order of the file. */
  list(): AgentConfig['errors'];
};

/** Parses YAML 1.2 without custom tags, merge keys or aliases. Never throws: mistakes are listed. */
export function parseFile(text: string): ParsedFile {
  const lines = new LineCounter();
  const found: { offset: number; message: string }[] = [];
  const document = parseDocument(text, {
    lineCounter: lines,
    version: '1.2',
    schema: 'core',
    merge: false,
    // Its own check compares every key with every other one, and takes minutes for a megabyte of keys; ours is `fieldsOf`.
    uniqueKeys: false,
    prettyErrors: false,
  });
  const broken = new Set<number>();
  for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
    found.push({ offset: pos[0], message: parserMessage(code, message) });
    broken.add(lines.linePos(pos[0]).line);
  }
  const offsetOf = (node: unknown): number => {
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
    return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : 0;
  };
  return {
    root: document.contents,
    mistakes: {
      at(node, message) {
        const offset = offsetOf(node);
        // What the parser made of a line it could not read is not what was written there.
        if (!broken.has(lines.linePos(offset).line)) found.push({ offset, message });
      },
      lineOf: (node) => lines.linePos(offsetOf(node)).line,
    },
    list() {
      const inOrder = found.toSorted((a, b) => a.offset - b.offset);
      const listed = inOrder.slice(0, mostMistakes).map(({ offset, message }) => {
        const { line, col } = lines.linePos(offset);
        // A file without a line break has no line that the counter knows.
        return { line: Math.max(1, line), column: Math.max(1, col), message };
      });
      const rest = inOrder[mostMistakes];
      if (rest === undefined) return listed;
      const message = `There are ${inOrder.length - mostMistakes} more mistakes from here on.`;
      return [...listed, { line: Math.max(1, lines.linePos(rest.offset).line), message }];
    },
  };
}

/**
 * Returns the parser's message as a sentence for readers of the file. Never includes the file's content,
 * which the parser may quote after a colon: it could be a secret.
 */
function parserMessage(code: string, message: string): string {
  switch (code) {
    case 'MULTIPLE_DOCS':
      return 'The file holds more than one document: only the first one is read.';
    case 'TAG_RESOLVE_FAILED':
      return 'A tag such as !name is not read here: it is left out.';
    case 'RESOURCE_EXHAUSTION':
      return 'This is nested too deeply to be read.';
    case 'BAD_DIRECTIVE':
      return 'This directive is not known.';
    case 'BAD_DQ_ESCAPE':
      return 'An escape sequence in this text is not valid.';
    default:
      return `${message.split(':', 1)[0]}.`;
  }
}

/** The values of a map by name, with the node of each name. */
export type Fields = ReadonlyMap<string, { readonly key: unknown; readonly value: unknown }>;

/**
 * Returns a map's fields; undefined, with a mistake, when it is no map. Of a duplicate name the first one
 * counts.
 */
export function fieldsOf(node: unknown, what: string, mistakes: Mistakes): Fields | undefined {
  if (!isMap(node)) {
    mistakes.at(node, isAlias(node) ? noAlias(what) : `${what} must be a map of names and values.`);
    return undefined;
  }
  const fields = new Map<string, { key: unknown; value: unknown }>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? (key.source ?? String(key.value)) : undefined;
    if (name === undefined) mistakes.at(key, `${what} has a name that is no plain text.`);
    else if (fields.has(name)) mistakes.at(key, `${what} has "${name}" twice: the first one counts.`);
    else fields.set(name, { key, value });
  }
  return fields;
}

/** Returns the items of the list `node`, named by `key`; none, with a mistake, when it is no list. */
export function itemsOf(node: unknown, key: unknown, what: string, mistakes: Mistakes): readonly unknown[] {
  if (isSeq(node)) return node.items;
  if (!isNothing(node)) mistakes.at(key, isAlias(node) ? noAlias(what) : `${what} must be a list.`);
  return [];
}

/** Returns a value as written; undefined, with a mistake, when it is none. */
export function textOf(node: unknown, at: unknown, what: string, mistakes: Mistakes): string | undefined {
  if (isScalar(node) && !isNothing(node)) return node.source ?? String(node.value);
  mistakes.at(at, isAlias(node) ? noAlias(what) : `${what} must be a text.`);
  return undefined;
}

/** True for an empty value after the colon, which people write for an empty list or map. */
export function isNothing(node: unknown): boolean {
  return node === null || (isScalar(node) && (node.value === null || node.value === ''));
}

/** `what` is a whole sentence's subject. */
export function noAlias(what: string): string {
  return `${what} is an alias, and aliases are not followed here: write it out.`;
}
