import type { ErrorClass, Severity } from '#shared/api/symptoms.ts';
import type { Steps } from '#shared/steps.ts';
import type {
  CertificateSeen,
  CheckSeen,
  ConditionSeen,
  EventSeen,
  HttpSeen,
  Origin,
  Seen,
} from '../logs/seen.ts';
import type { ClauseKind, Rule, Rules } from '../rules.ts';
import { matchEnvironment } from './environment.ts';
import { type Matched, matchText, prefixed } from './pattern.ts';
import { matchCondition, matchContainer, matchPod } from './pods.ts';

/** A clause that found something. */
export type Hit = {
  readonly rule: Pick<Rule, 'symptom' | 'excludes'>;
  readonly kind: Exclude<ClauseKind, 'class' | 'ending'> | 'text';
  readonly origin: Origin;
  readonly matched: Matched;
  readonly line?: number | undefined;
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
  /** Class and target of an error: hits of one object with others are findings of their own. */
  readonly error?: { readonly class: ErrorClass; readonly target: string } | undefined;
  /** True for the last error of a log, which counts where nothing more exact is known. */
  readonly isEnding?: true | undefined;
  /** Severity that it has at most, whatever its symptom has: an error of a container that is ready. */
  readonly most?: Severity | undefined;
};

/** Every clause that each of the facts satisfies. */
export function* matchAll(rules: Rules, facts: readonly Seen[]): Steps<Hit[]> {
  const hits: Hit[] = [];
  for (const seen of facts) {
    hits.push(...hitsOf(rules, seen));
    yield;
  }
  return hits;
}

function hitsOf(rules: Rules, seen: Seen): Hit[] {
  switch (seen.kind) {
    case 'container':
      return tried(rules.container, matchContainer, seen);
    case 'pod':
      return tried(rules.pod, matchPod, seen);
    case 'event':
      return tried(rules.event, matchEvent, seen);
    case 'http':
      return tried(rules.http, matchHttp, seen);
    case 'environment':
      return tried(rules.environment, matchEnvironment, seen);
    case 'certificate':
      return tried(rules.certificate, matchCertificate, seen);
    case 'condition':
      return tried(rules.condition, matchConditionOf, seen);
    case 'check':
      return tried(rules.check, matchCheck, seen);
  }
}

function tried<Kind extends ClauseKind, Fact extends Seen>(
  rules: readonly Rule<Kind>[],
  match: (rule: Rule<Kind>, seen: Fact) => Matched | undefined,
  seen: Fact,
): Hit[] {
  return rules.flatMap((rule) => {
    const matched = match(rule, seen);
    return matched === undefined ? [] : [{ rule, kind: seen.kind, origin: seen, matched }];
  });
}

function matchEvent({ clause, pattern }: Rule<'event'>, seen: EventSeen): Matched | undefined {
  if (!clause.reason.includes(seen.reason)) return undefined;
  const about = seen.about?.toLowerCase();
  if (
    clause.kind !== undefined &&
    about !== undefined &&
    !clause.kind.some((kind) => kind.toLowerCase() === about)
  )
    return undefined;
  const matched = matchText(seen.message, pattern);
  return matched === undefined ? undefined : prefixed(`${seen.reason}: `, matched);
}

/**
 * Matches an endpoint that fails, or one check of it; the check's own message is tried before that of the
 * answer.
 */
function matchHttp({ clause, pattern }: Rule<'http'>, seen: HttpSeen): Matched | undefined {
  if (clause.path !== seen.path) return undefined;
  if (clause.check === undefined) return seen.failed ? matchText(seen.detail, pattern) : undefined;
  const check = seen.checks.find(({ name }) => name === clause.check);
  if (check?.failed !== true) return undefined;
  return check.detail === undefined
    ? matchText(seen.detail, pattern)
    : withPrefix(`${seen.path}, ${check.name}: `, matchText(check.detail, pattern));
}

function withPrefix(prefix: string, matched: Matched | undefined): Matched | undefined {
  return matched === undefined ? undefined : prefixed(prefix, matched);
}

function matchCertificate({ clause }: Rule<'certificate'>, seen: CertificateSeen): Matched | undefined {
  return clause.of === seen.of && clause.is === seen.is ? { text: seen.text, named: {} } : undefined;
}

function matchConditionOf({ clause, pattern }: Rule<'condition'>, seen: ConditionSeen): Matched | undefined {
  return clause.kind.includes(seen.object?.kind ?? '')
    ? matchCondition(clause, pattern, seen.condition)
    : undefined;
}

function matchCheck({ clause }: Rule<'check'>, seen: CheckSeen): Matched | undefined {
  return clause === seen.check ? { text: seen.text, named: {} } : undefined;
}
