import { canNameThing, isPlural, screenNouns, singular, type Work, workOf } from './words.ts';

/** The brief the planner reads from a person's messages. */
export type Brief = {
  /** Things to keep, in the order they are named, in the plural as written: `purchase orders`. */
  readonly things: readonly string[];
  /** Attributes of a thing: `supplier`, `amount`. */
  readonly fields: readonly string[];
  /** Screens named in words: `review list`. */
  readonly screens: readonly string[];
  /** The brief's sentences with the work their first verb asks for. */
  readonly sentences: readonly Sentence[];
  /** Numbers with their unit that a sentence sets as a limit: `2 %`. */
  readonly limits: readonly string[];
  /** The name the brief gives the app in words, when it does. */
  readonly calledName: string | undefined;
  /** True when the brief says who may do something. */
  readonly namesPeople: boolean;
};

export type Sentence = {
  readonly text: string;
  readonly work: Work | undefined;
  /** The verb behind `work`, as written. */
  readonly verb: string | undefined;
  /** True when the sentence sets a condition rather than names a wish. */
  readonly isConstraint: boolean;
};

/** Bounds, so that a pasted book costs no more than a page. */
const mostSentences = 40;
const mostOfAKind = 8;

const constraintWords =
  /\b(?:above|below|over|under|at most|at least|more than|less than|only|never|always|must|within|unless|except|until|before|after|no more|cannot|may not)\b|\d|%/i;
const called =
  /\b(?:called|named|name it|call it)\s+["'`“]?([\p{L}\d][\p{L}\d -]{0,60}?)["'`”]?(?=[.,;:!?\n]|\s+(?:that|which|for|to|with|and)\b|$)/iu;
const people =
  /\b(?:person|people|team|manager|clerk|user|customer|operator|admin|owner|staff|driver|captain|guest|reviewer)s?\b/i;
const limit =
  /(\d+(?:[.,]\d+)?)\s?(%|percent|seconds?|minutes?|hours?|days?|weeks?|months?|years?|eur|usd|€|\$|kg|km|mb|gb|characters?|rows?|items?|times)?/giu;
const subject = /^(?:that|which|who|it|he|she|nobody|everyone|anyone|person)$/;
const fieldEnd = /^(?:number|name|date|id|code|amount|price|email|phone|status|time|total|currency)$/;

/** Reads the messages of a person, oldest first, as one brief. The same words always give the same brief. */
export function readBrief(messages: readonly string[]): Brief {
  const text = messages.join('\n');
  const sentences = splitSentences(text).map(readSentence);
  const things = new Set<string>();
  const fields = new Set<string>();
  const screens = new Set<string>();
  for (const sentence of sentences) {
    const words = wordsOf(sentence.text);
    collectThings(words, things);
    collectFields(words, fields);
    collectScreens(words, screens);
  }
  // A thing is not also a field of itself.
  for (const thing of things) for (const word of thing.split(' ')) fields.delete(word);
  return {
    things: [...things].slice(0, mostOfAKind),
    fields: [...fields].slice(0, mostOfAKind),
    screens: [...screens].slice(0, mostOfAKind),
    sentences,
    limits: limitsOf(sentences),
    calledName: called.exec(text)?.[1]?.trim(),
    namesPeople: people.test(text),
  };
}

function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?;])\s+|\n+/)
    .map((each) =>
      each
        .replace(/^[\s#>*\-\d.)]*(?=\p{L})/u, '')
        .replace(/[\s.!?;:,]+$/, '')
        .replace(/\s+/g, ' '),
    )
    .flatMap(splitClauses)
    .filter((each) => /\p{L}{2}/u.test(each))
    .slice(0, mostSentences);
}

/** "Collect wishes, plan the week, and email everyone" asks for three things: a clause begins with its verb. */
function splitClauses(sentence: string): string[] {
  const clauses: string[] = [];
  for (const part of sentence.split(/[,;]\s+(?:and\s+|then\s+)*/)) {
    const first = wordsOf(part)[0] ?? '';
    const last = clauses.at(-1);
    if (last === undefined || workOf(first) !== undefined) clauses.push(part);
    else clauses[clauses.length - 1] = `${last}, ${part}`;
  }
  return clauses.map((each) => `${each.charAt(0).toUpperCase()}${each.slice(1)}`);
}

function readSentence(text: string): Sentence {
  const verb = wordsOf(text).find((word) => workOf(word) !== undefined);
  return {
    text,
    verb,
    work: verb === undefined ? undefined : workOf(verb),
    isConstraint: constraintWords.test(text),
  };
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'-]*|[,%]/gu) ?? []).slice(0, 400);
}

function collectThings(words: readonly string[], things: Set<string>): void {
  for (const [at, word] of words.entries()) {
    if (!isPlural(word) || screenNouns.has(singular(word))) continue;
    const before = words[at - 1] ?? '';
    // After its subject a word in -s is a verb: "a page that shows", "the clerk approves".
    if (workOf(word) !== undefined && (subject.test(before) || canNameThing(before))) continue;
    const joined = canNameThing(before) && !isPlural(before) && workOf(before) === undefined;
    things.add(joined ? `${before} ${word}` : word);
  }
}

/** Fields follow "by", "per" or "with" as a list, or end in a word such as "number" or "date". */
function collectFields(words: readonly string[], fields: Set<string>): void {
  for (const [at, word] of words.entries()) {
    const before = words[at - 1] ?? '';
    if (fieldEnd.test(word) && canNameThing(before)) fields.add(`${before} ${word}`);
    if (word !== 'by' && word !== 'per' && word !== 'with') continue;
    for (let next = at + 1; next < words.length; next += 1) {
      const each = words[next] ?? '';
      if (each === ',' || each === 'and' || each === 'or' || each === 'the' || each === 'a') continue;
      if (!canNameThing(each) || isPlural(each)) break;
      const following = words[next + 1] ?? '';
      if (fieldEnd.test(following)) next += 1;
      fields.add(fieldEnd.test(following) ? `${each} ${following}` : each);
    }
  }
}

function collectScreens(words: readonly string[], screens: Set<string>): void {
  for (const [at, word] of words.entries()) {
    if (!screenNouns.has(word)) continue;
    const before = words[at - 1] ?? '';
    // "Review list" names a screen although "review" is a verb elsewhere.
    if (canNameThing(before) || before === 'review') screens.add(`${before} ${word}`);
    else if (/^(?:a|an|the)$/.test(before)) screens.add(word);
  }
}

function limitsOf(sentences: readonly Sentence[]): string[] {
  const found = new Set<string>();
  for (const sentence of sentences) {
    for (const [, number, unit] of sentence.text.matchAll(limit)) {
      found.add(unit === undefined ? `${number}` : `${number} ${unit}`);
    }
  }
  return [...found].slice(0, mostOfAKind);
}
