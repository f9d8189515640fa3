import type { PlatformPart, Symptom } from '#shared/api/symptoms.ts';
import type { LineHit } from '../../../log-scan/index.ts';
import { type ErrorRules, errorRules } from '../errors/classify.ts';
import type { Hit } from '../match/index.ts';
import { matchText } from '../match/pattern.ts';
import { type Rule, type Rules, rulesOf } from '../rules.ts';
import type { Origin } from './seen.ts';

/** The log clauses by the literals that a scanner looks for. */
export type LogRules = {
  readonly literals: readonly string[];
  /** These, and those of lines that take errors back: they are in every log, and only looked for in a text that is pasted. */
  readonly textLiterals: readonly string[];
  /** In the order of `literals`. */
  readonly rules: readonly (readonly Rule<'log'>[])[];
  /** Clauses about errors by class, with the wordings of the classes. */
  readonly all: Rules;
  readonly errors: ErrorRules;
};

export function logRules(all: Rules): LogRules {
  const byLiteral = new Map<string, Rule<'log'>[]>();
  const errors = errorRules();
  for (const rule of all.log) {
    const literal = rule.clause.literal.toLowerCase();
    byLiteral.set(literal, [...(byLiteral.get(literal) ?? []), rule]);
  }
  const own = [...byLiteral.keys()];
  const more = all.class.length === 0 ? [] : errors.telling.filter((literal) => !byLiteral.has(literal));
  const literals = [...own, ...more];
  const back = errors.literals.filter((literal) => !literals.includes(literal));
  return { literals, textLiterals: [...literals, ...back], rules: [...byLiteral.values()], all, errors };
}

/** Returns the literals that a diagnosis by these symptoms searches a bundle's logs for. */
export const logLiterals = (catalogue: readonly Symptom[]): readonly string[] =>
  logRules(rulesOf(catalogue)).literals;

type ScannedText = {
  readonly hits: readonly LineHit[];
  /** Lines that hold a literal, by its index. */
  readonly counts: readonly number[];
};

/**
 * Returns the matches in the lines of one text: for each rule its newest line, and the number of occurrences.
 * `part`: the part the log belongs to; `any` for a text of unknown origin, for which clauses of every part
 * count.
 */
export function hitsInText(
  { literals, rules }: LogRules,
  { hits, counts }: ScannedText,
  from: {
    readonly kind: 'log' | 'text';
    readonly part: PlatformPart | 'any' | undefined;
    /** True when the log's container fails or has terminated; undefined for a text of unknown origin. */
    readonly failing: boolean | undefined;
    readonly origin: Origin;
    readonly lines: boolean;
  },
): Hit[] {
  const last = new Map<Rule<'log'>, { readonly hit: Hit; readonly seen: number }>();
  for (const line of hits) {
    const literal = literals[line.literal] ?? '';
    for (const rule of rules[line.literal] ?? []) {
      const { part, only_failing } = rule.clause;
      if (only_failing === true && from.failing === false) continue;
      if (part !== undefined && from.part !== 'any' && !(from.part && part.includes(from.part))) continue;
      const matched = matchText(line.text, rule.pattern, [line.column, line.column + literal.length]);
      if (matched === undefined) continue;
      const seen = (last.get(rule)?.seen ?? 0) + 1;
      const times = rule.pattern === undefined ? Math.max(seen, counts[line.literal] ?? 0) : seen;
      const at = timeIn(line.text);
      last.set(rule, {
        seen,
        hit: {
          rule,
          kind: from.kind,
          origin: { ...from.origin, times, ...(at === undefined ? {} : { at }) },
          matched,
          ...(from.lines ? { line: line.line } : {}),
          before: line.before,
          after: line.after,
        },
      });
    }
  }
  return [...last.values()].map(({ hit }) => hit);
}

/** The time a line begins with or carries in its first characters, with its zone: others are of no known zone. */
function timeIn(text: string): string | undefined {
  const found = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)/.exec(
    text.slice(0, 200),
  )?.[0];
  const ms = Date.parse(found?.replace(',', '.').replace(' ', 'T') ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
