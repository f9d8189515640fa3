import type { ErrorClass } from '#shared/api/symptoms.ts';
import { createLogScanner, type LineHit, type LogScanner } from '../../../log-scan/index.ts';
import { kindOf, type Target, targetIn } from './target.ts';
import { type Recovery, readWordings, type Wording, type Wordings } from './wordings.ts';

/** An error that a line tells, by its class. */
export type ErrorSeen = {
  readonly class: ErrorClass;
  /** Id of the wording. */
  readonly wording: string;
  readonly target: Target;
  readonly account: string | undefined;
  readonly hit: LineHit;
  readonly literal: string;
};

/** A line that takes back errors before it. */
export type RecoverySeen = {
  readonly takesBack: readonly ErrorClass[];
  readonly target: Target | undefined;
  readonly line: number;
};

export type Classified = {
  readonly errors: readonly ErrorSeen[];
  readonly recoveries: readonly RecoverySeen[];
};

type Ready<T> = T & { readonly regexp: RegExp | undefined };

/** The wordings by the literals that a scanner looks for. */
export type ErrorRules = {
  readonly literals: readonly string[];
  /** Those of errors, without the ones that take errors back. */
  readonly telling: readonly string[];
  readonly scanner: LogScanner;
  readonly wordings: readonly (readonly Ready<Wording>[])[];
  readonly recoveries: readonly (readonly Ready<Recovery>[])[];
};

let kept: ErrorRules | undefined;

/** Returns the rules of the wordings that come with the console. */
export function errorRules(): ErrorRules {
  kept ??= errorRulesOf(readWordings());
  return kept;
}

function errorRulesOf({ wordings, recoveries }: Wordings): ErrorRules {
  const literals = [...new Set([...wordings, ...recoveries].map(({ literal }) => literal.toLowerCase()))];
  const by = <T extends Wording | Recovery>(all: readonly T[]): Ready<T>[][] =>
    literals.map((literal) =>
      all
        .filter((one) => one.literal.toLowerCase() === literal)
        .map((one) => ({
          ...one,
          regexp: one.pattern === undefined ? undefined : new RegExp(one.pattern, 'iu'),
        })),
    );
  return {
    literals,
    telling: [...new Set(wordings.map(({ literal }) => literal.toLowerCase()))],
    scanner: createLogScanner(literals),
    wordings: by(wordings),
    recoveries: by(recoveries),
  };
}

/** Lines with one literal that are looked at in one text. */
const mostLines = 2000;

/** Returns the errors and recoveries in the bytes of a text, as `classifiedHits` does of its hits. */
export function classified(rules: ErrorRules, bytes: Buffer): Classified {
  const scan = rules.scanner.begin(() => mostLines);
  return classifiedHits(rules, [...scan.feed(bytes), ...scan.end()]);
}

/**
 * Returns the errors and recoveries in lines that a scanner for `rules.literals` met, in the order of the text: of each line
 * the error that it ends with.
 */
export function classifiedHits(rules: ErrorRules, met: readonly LineHit[]): Classified {
  const hits = met.toSorted((a, b) => a.line - b.line);
  const errors: ErrorSeen[] = [];
  const recoveries: RecoverySeen[] = [];
  for (let from = 0; from < hits.length; ) {
    const line = hits[from]?.line;
    let to = from;
    while (hits[to]?.line === line) to += 1;
    const ofLine = hits.slice(from, to);
    from = to;
    const error = errorIn(rules, ofLine);
    if (error !== undefined) errors.push(error);
    else recoveries.push(...ofLine.flatMap((hit) => recoveryIn(rules, hit) ?? []));
  }
  return { errors, recoveries };
}

type Place = {
  readonly end: number;
  readonly start: number;
  readonly groups: Readonly<Record<string, string | undefined>>;
};

/** More than any place of a line. */
const weakness = 1_000_000;

/** Returns the last error of a line, which those before it wrap; at one place the one that names most. */
function errorIn(rules: ErrorRules, hits: readonly LineHit[]): ErrorSeen | undefined {
  let best: { readonly error: ErrorSeen; readonly rank: number } | undefined;
  for (const hit of hits) {
    const literal = rules.literals[hit.literal] ?? '';
    for (const one of rules.wordings[hit.literal] ?? []) {
      const found = placed(one, literal, hit.text);
      if (found === undefined) continue;
      const { host, port, object, account } = found.groups;
      const named = Object.values(found.groups).filter((value) => value !== undefined).length;
      const rank =
        found.end * 4 +
        Math.min(named, 3) +
        (one.regexp === undefined ? 0 : 0.5) -
        (one.weak === true ? weakness : 0);
      if (best !== undefined && best.rank >= rank) continue;
      const seen = host === undefined && object === undefined ? nearby(hit) : undefined;
      // The server that was asked for a name is not what the name is of.
      const near = one.class === 'unresolved' && seen?.port === '53' ? undefined : seen;
      const target: Target = {
        ...near,
        ...(host === undefined ? {} : { host }),
        port: port ?? near?.port,
        object,
      };
      const of = one.of ?? kindOf(target);
      best = {
        rank,
        error: { class: one.class, wording: one.id, target: { ...target, of }, account, hit, literal },
      };
    }
  }
  return best?.error;
}

function recoveryIn(rules: ErrorRules, hit: LineHit): RecoverySeen | undefined {
  const literal = rules.literals[hit.literal] ?? '';
  for (const one of rules.recoveries[hit.literal] ?? []) {
    const found = placed(one, literal, hit.text);
    if (found === undefined) continue;
    const { host } = found.groups;
    return {
      takesBack: one.takes_back,
      target: host === undefined ? targetIn(unescaped(hit.text)) : { host },
      line: hit.line,
    };
  }
  return undefined;
}

/** Characters before and after a literal on which a pattern is tried, so that none takes long. */
export const longestAround = 400;

function placed(one: Ready<Wording> | Ready<Recovery>, literal: string, line: string): Place | undefined {
  const text = unescaped(line);
  const lower = text.toLowerCase();
  if (one.regexp === undefined) {
    const start = lower.lastIndexOf(literal);
    return { start, end: start + literal.length, groups: {} };
  }
  for (let at = lower.indexOf(literal); at >= 0; at = lower.indexOf(literal, at + literal.length)) {
    const from = Math.max(0, at - longestAround);
    const found = one.regexp.exec(text.slice(from, at + literal.length + longestAround));
    if (found === null) continue;
    const start = from + found.index;
    return { start, end: start + found[0].length, groups: found.groups ?? {} };
  }
  return undefined;
}

/** Undoes what JSON and Go's %q escape, so that a pattern need not know in what a message is wrapped. */
const unescaped = (text: string): string =>
  unslashed(text.includes('&quot;') ? text.replaceAll('&quot;', '"') : text);

const unslashed = (line: string): string =>
  line.includes('\\') ? line.replace(/\\(?:n|t|r)/g, ' ').replace(/\\+(["'\\/])/g, '$1') : line;

const continues = /^(?:\s|Caused by|at |\.\.\. \d)/;

/** The peer that the line names, else the line that it goes on with, or one that goes on with it. */
function nearby({ text, before, after }: LineHit): Target | undefined {
  const own = targetIn(unescaped(text));
  if (own !== undefined) return own;
  const around = [
    ...(continues.test(text) ? before : []),
    ...after.filter((line) => continues.test(line)).slice(0, 3),
  ];
  for (const line of around) {
    const target = /^\s+at /.test(line) ? undefined : targetIn(unescaped(line));
    if (target !== undefined) return target;
  }
  return undefined;
}
