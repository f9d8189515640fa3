import { kindOfWord, lexicon } from './lexicon.ts';

/** What a name stands for in the places the person may see. */
export type KnownAs = 'namespace' | 'node' | 'pod' | 'workload' | 'object' | 'agent' | 'repo';
/** Names that exist, with what they stand for. */
export type KnownNames = ReadonlyMap<string, ReadonlySet<KnownAs>>;

/** A message taken apart: concepts, and the values in their roles. */
export type Message = {
  readonly concepts: ReadonlySet<string>;
  readonly slots: Slots;
  /** Words that mean nothing to the grammar. */
  readonly unknown: readonly string[];
  /** True where the message points at what is open beside it. */
  readonly here: boolean;
};

/** Values of a message by role. */
export type Slots = {
  name?: string;
  /** Second name, where a message has one. */
  other?: string;
  kind?: string;
  namespace?: string;
  container?: string;
  repo?: string;
  number?: number;
  since?: string;
  days?: number;
  sha?: string;
  image?: string;
  email?: string;
  assign?: { readonly name: string; readonly value: string };
  type?: string;
};
export type Slot = keyof Slots;

/** Connectors that connections are asked for by. */
const connectors = new Set([
  'postgres',
  'mysql',
  'snowflake',
  'bigquery',
  's3',
  'gcs',
  'salesforce',
  'hubspot',
  'http',
  'redis',
  'kafka',
]);

const unitDays: Readonly<Record<string, number>> = {
  day: 1,
  days: 1,
  week: 7,
  weeks: 7,
  month: 30,
  months: 30,
};
const shortUnits: Readonly<Record<string, string>> = {
  minute: 'm',
  minutes: 'm',
  min: 'm',
  mins: 'm',
  hour: 'h',
  hours: 'h',
  day: 'd',
  days: 'd',
};
const looksLikeName = /^(?=.*[-.\d])[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const plainName = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;

/** Words of a message, as they were written; questions marks and the like go, quotes make one word. */
function wordsOf(text: string): string[] {
  const pieces = text.trim().match(/"[^"]+"|'[^']+'(?=\s|$)|`[^`]+`|\S+/g) ?? [];
  return pieces
    .map((piece) =>
      /^(["'`]).+\1$/.test(piece)
        ? piece.slice(1, -1)
        : piece.replace(/[?!,;:.]+$/, '').replace(/^[([]+|[)\]]+$/g, ''),
    )
    .filter((piece) => piece !== '');
}

/**
 * Takes a message apart: phrases of the lexicon, the longest first, and names, numbers, times and the like in their
 * roles. A word is a name when it is known, when it has the form of one, or where only a name can stand.
 */
export function readMessage(text: string, known: KnownNames): Message {
  const words = wordsOf(text);
  const lower = words.map((word) => word.toLowerCase().replace(/’/g, "'"));
  const concepts = new Set<string>();
  const slots: Slots = {};
  const unknown: string[] = [];
  let here = false;
  /** Where the next name belongs, by the words before it. */
  let role: 'namespace' | 'container' | 'repo' | 'kind' | 'object' | undefined;
  let at = 0;

  const takeName = (word: string): void => {
    const as = known.get(word.toLowerCase());
    const nextIsNamespace = lower[at + 1] === 'namespace' || lower[at + 1] === 'ns';
    if (role === 'container') slots.container = word;
    else if (role === 'repo') slots.repo = word;
    else if (role === 'kind') put(word);
    else if (nextIsNamespace) slots.namespace = word;
    else if (role === 'namespace' && as?.has('repo') === true && !as.has('namespace')) slots.repo = word;
    else if (role === 'namespace' && (as === undefined || as.has('namespace'))) slots.namespace = word;
    else if (as?.has('repo') === true && as.size === 1) slots.repo = word;
    else if (as?.has('namespace') === true && as.size === 1 && slots.namespace === undefined)
      slots.namespace = word;
    else put(word);
    role = undefined;
  };
  const put = (word: string): void => {
    if (slots.name === undefined) slots.name = word;
    else if (slots.other === undefined) slots.other = word;
    else unknown.push(word);
  };

  while (at < words.length) {
    const word = words[at] ?? '';
    const small = lower[at] ?? '';
    const used = special(small, word, at, lower, slots);
    if (used > 0) {
      at += used;
      continue;
    }
    const slash = /^([a-z]+)\/([a-z0-9.-]+)$/.exec(small);
    const slashKind = slash === null ? undefined : kindOfWord(slash[1] ?? '');
    if (slash !== null && slashKind !== undefined) {
      slots.kind = slashKind;
      put(slash[2] ?? '');
      at += 1;
      continue;
    }
    if (slash !== null && known.get(slash[1] ?? '')?.has('namespace') === true) {
      slots.namespace = slash[1] ?? '';
      put(slash[2] ?? '');
      at += 1;
      continue;
    }
    const onlyName = role === 'container' && plainName.test(small);
    if (onlyName || (role !== undefined && role !== 'object' && known.has(small))) {
      takeName(small);
      at += 1;
      continue;
    }
    const phrase = longestPhrase(lower, at);
    if (phrase !== undefined) {
      const { concept, length } = phrase;
      // A name that is a word of the lexicon, too: meant where a name is missing and nothing else is.
      if (
        known.has(small) &&
        length === 1 &&
        concept !== 'filler' &&
        roleOf(lower[at - 1]) !== undefined &&
        concept.startsWith('topic:')
      ) {
        takeName(small);
        at += 1;
        continue;
      }
      at += length;
      if (concept === 'here') here = true;
      else if (concept === 'in') role = 'namespace';
      else if (concept === 'word:namespace') role = slots.namespace === undefined ? 'namespace' : undefined;
      else if (concept === 'word:container') role = 'container';
      else if (concept === 'word:repo') role = 'repo';
      else if (concept.startsWith('kind:')) {
        slots.kind = concept.slice(5);
        role = 'kind';
      } else if (concept !== 'filler') concepts.add(concept);
      if (concept === 'word:namespace' && slots.namespace === undefined) concepts.add('word:namespace');
      if (
        /^(?:verb:(?:restart|scale|rollback|delete|cordon|uncordon|drain|run|suspend|resume|arm|disarm|find|set_image))$/.test(
          concept,
        )
      )
        role = 'object';
      continue;
    }
    if (known.has(small) || looksLikeName.test(small) || (role !== undefined && plainName.test(small))) {
      if (connectors.has(small) && /connection|data ?source/.test(lower.join(' '))) slots.type = small;
      else takeName(small);
    } else if (connectors.has(small)) slots.type = small;
    else unknown.push(word);
    at += 1;
  }
  return { concepts, slots, unknown, here };
}

function roleOf(before: string | undefined): 'name' | undefined {
  return before !== undefined &&
    ['namespace', '-n', 'of', 'in', 'pod', 'deployment', 'service', 'restart', 'for'].includes(before)
    ? 'name'
    : undefined;
}

function longestPhrase(
  lower: readonly string[],
  at: number,
): { concept: string; length: number } | undefined {
  for (let length = Math.min(lexicon.longest, lower.length - at); length > 0; length -= 1) {
    const concept = lexicon.conceptOf.get(lower.slice(at, at + length).join(' '));
    if (concept !== undefined) return { concept, length };
  }
  return undefined;
}

/** Times, numbers, commits, images, addresses and assignments; returns the words it took. */
function special(small: string, word: string, at: number, lower: readonly string[], slots: Slots): number {
  const next = lower[at + 1] ?? '';
  const third = lower[at + 2] ?? '';
  if (/^[^\s@=]+@[^\s@]+\.[a-z]+$/.test(small)) return set(slots, 'email', small);
  if (/^[-._A-Za-z][-._A-Za-z0-9]*=\S*$/.test(word)) {
    const cut = word.indexOf('=');
    return set(slots, 'assign', { name: word.slice(0, cut), value: word.slice(cut + 1) });
  }
  if (small === 'today' || small === 'yesterday') return set(slots, 'since', small);
  if (small === 'since' && /^\d{1,6}[smhd]$/.test(next)) return set(slots, 'since', next, 2);
  if (small === 'since' && (next === 'today' || next === 'yesterday')) return set(slots, 'since', next, 2);
  if (
    (small === 'this' || small === 'last' || small === 'past') &&
    unitDays[next] !== undefined &&
    next !== 'days'
  ) {
    slots.days = unitDays[next] ?? 1;
    return set(slots, 'since', `${unitDays[next]}d`, 2);
  }
  if ((small === 'last' || small === 'past') && (next === 'hour' || next === 'minute'))
    return set(slots, 'since', next === 'hour' ? '1h' : '1m', 2);
  if (/^\d{1,6}[smhd]$/.test(small)) return set(slots, 'since', small);
  if (/^\d{1,5}$/.test(small)) {
    const unit = unitDays[next];
    if (unit !== undefined) {
      slots.days = Number(small) * unit;
      return set(slots, 'since', `${Number(small) * unit}d`, 2);
    }
    const short = shortUnits[next];
    if (short !== undefined) return set(slots, 'since', `${small}${short}`, 2);
    // "the last 50 lines", "50 log lines"
    const lines = next === 'lines' ? 2 : (next === 'log' || next === 'newest') && third === 'lines' ? 2 : 1;
    return set(slots, 'number', Number(small), lines);
  }
  if (/^(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}$/.test(small)) return set(slots, 'sha', small);
  if (
    /^[\w.-]+(?:\/[\w.-]+)+:[\w.-]+$/.test(word) ||
    /^[\w.-]+:[\w.]*\d[\w.-]*$/.test(word) ||
    /@sha256:/.test(word)
  )
    return set(slots, 'image', word);
  return 0;
}

function set<S extends Slot>(slots: Slots, slot: S, value: NonNullable<Slots[S]>, words = 1): number {
  slots[slot] = value;
  return words;
}
