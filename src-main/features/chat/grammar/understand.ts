import { lexicon } from './lexicon.ts';
import { type KnownNames, type Message, readMessage, type Slots } from './read-message.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules.ts';

/** A tool call that a message asks for. */
export type ToolCall = { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

/** What the grammar made of a message. Not understood: with the words it does not know, and the nearest it does. */
export type Understood =
  | { readonly state: 'call'; readonly call: ToolCall }
  | {
      readonly state: 'unclear';
      readonly unknown: readonly string[];
      readonly didYouMean: readonly string[];
    };

/** The object that is open beside the question, for "this" and "it". */
export type OpenObject = {
  readonly kind?: string | undefined;
  readonly name: string;
  readonly namespace?: string | undefined;
};

/** Concepts that say how, not what: dropped where a rule does not ask for them. */
const dropped = new Set(['weak:status', 'in', 'on', 'to', 'by', 'since', 'last', 'topic:lines', 'word:days']);

/**
 * Returns the one tool call that a message asks for. It is understood only where every word of it is: a word that
 * means nothing here could change what is meant.
 */
export function understand(text: string, known: KnownNames, open?: OpenObject): Understood {
  const message = pointed(readMessage(text, known), open);
  const found = message.unknown.length > 0 ? undefined : bestRule(message, known);
  if (found === undefined)
    return { state: 'unclear', unknown: message.unknown, didYouMean: nearest(message.unknown, known) };
  return { state: 'call', call: { tool: found.tool, args: found.args?.(message.slots) ?? {} } };
}

/** A message that points at what is open names it. */
function pointed(message: Message, open: OpenObject | undefined): Message {
  if (!message.here || open === undefined || message.slots.name !== undefined) return message;
  const { kind, name, namespace } = open;
  return {
    ...message,
    slots: {
      ...message.slots,
      name,
      ...(kind === undefined ? {} : { kind }),
      ...(namespace === undefined ? {} : { namespace }),
    },
  };
}

function bestRule(message: Message, known: KnownNames): Rule | undefined {
  let best: Rule | undefined;
  let bestScore = -1;
  for (const rule of rules) {
    if (!matches(rule, message, known)) continue;
    const score = rule.needs.length * 2 + (rule.takes?.length ?? 0);
    if (score > bestScore) {
      best = rule;
      bestScore = score;
    }
  }
  return best;
}

function matches(rule: Rule, { concepts, slots }: Message, known: KnownNames): boolean {
  if (rule.needs.length === 0 && (rule.takes?.length ?? 0) === 0) return false;
  const allowed = (concept: string): boolean =>
    rule.needs.includes(concept) || rule.may?.includes(concept) === true || dropped.has(concept);
  if (!rule.needs.every((concept) => concepts.has(concept))) return false;
  if (
    ![...concepts].every(
      (concept) => allowed(concept) || (concept === 'word:namespace' && slots.namespace !== undefined),
    )
  )
    return false;
  const taken = new Set<string>([...(rule.takes ?? []), ...(rule.might ?? [])]);
  if (!(rule.takes ?? []).every((slot) => slots[slot] !== undefined)) return false;
  if (!Object.keys(slots).every((slot) => taken.has(slot))) return false;
  return rule.when?.(slots, known) ?? true;
}

/** Words of the lexicon and known names that differ from the unknown ones by a slip or two, at most three. */
function nearest(unknown: readonly string[], known: KnownNames): string[] {
  const candidates = [...lexicon.words, ...known.keys()];
  const found = unknown.flatMap((word) => {
    const most = word.length <= 4 ? 1 : 2;
    return candidates
      .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate, most) }))
      .filter(({ far }) => far <= most)
      .toSorted((a, b) => a.far - b.far)
      .slice(0, 2)
      .map(({ candidate }) => candidate);
  });
  return [...new Set(found)].slice(0, 3);
}

/** Edits between two words, with a swap of neighbours as one (optimal string alignment); more than `most` is not counted out. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? most + 1;
}

/** Words of a message that may be names: those a look-up should know before the message is understood. */
export function possibleNames(text: string): string[] {
  const { unknown, slots } = readMessage(text, new Map());
  const { name, other, namespace, repo, container }: Slots = slots;
  return [
    ...new Set([...unknown, name, other, namespace, repo, container].filter((each) => each !== undefined)),
  ]
    .map((each) => each.toLowerCase())
    .slice(0, 8);
}
