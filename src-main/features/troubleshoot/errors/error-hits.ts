import type { Symptom } from '#shared/api/symptoms.ts';
import type { LineHit } from '../../../log-scan/index.ts';
import type { Origin } from '../logs/seen.ts';
import type { Hit } from '../match/index.ts';
import type { Rules } from '../rules.ts';
import { type Classified, classified, classifiedHits, type ErrorRules, type ErrorSeen } from './classify.ts';
import { isTestOutput, levelOf, speakerOf } from './speaker.ts';
import { kindOf, placeOf, targetName } from './target.ts';
import { type ErrorGroup, holdsNow, type LogLines, type LogState, logTime, zonedTime } from './time-order.ts';

/** The source of lines. */
type ErrorOrigin = {
  readonly kind: 'log' | 'text';
  readonly state: LogState;
  readonly origin: Origin;
  /** Whether the numbers of its lines are those of the log. */
  readonly lines: boolean;
};

/** A log, or its newest lines. */
export type ErrorText = ErrorOrigin & {
  readonly text: string;
  /** Time it was read, in epoch ms. */
  readonly now: number;
};

/** Findings of one symptom on one object before they are told as one. */
const mostTargets = 3;

/**
 * Returns the errors of a log by class and target, as hits of the symptoms that look for the class: those that the program
 * or its proxy wrote, that no later line takes back, and that last.
 */
export function errorHits(errors: ErrorRules, rules: Rules, of: ErrorText): Hit[] {
  if (rules.class.length === 0) return [];
  const found = classified(errors, Buffer.from(of.text, 'utf8'));
  if (found.errors.length === 0) return [];
  const lines = of.text.split('\n');
  while (lines.at(-1)?.trim() === '') lines.pop();
  if (of.state !== 'failing' && isTestOutput(lines)) return [];
  return hitsOf(found, rules, of, {
    count: lines.length,
    timeAt: (line) => timeNear(lines, line),
    now: of.now,
  });
}

/** As `errorHits`, of lines that a scanner for `errors.literals` met in a text that is not kept. */
export function errorHitsOfLines(
  errors: ErrorRules,
  rules: Rules,
  met: readonly LineHit[],
  of: ErrorOrigin & { readonly count: number },
): Hit[] {
  if (rules.class.length === 0) return [];
  const found = classifiedHits(errors, met);
  if (found.errors.length === 0) return [];
  const texts = new Map(met.map(({ line, text }) => [line, text]));
  return hitsOf(found, rules, of, { count: of.count, timeAt: (line) => logTime(texts.get(line) ?? '') });
}

function hitsOf(found: Classified, rules: Rules, of: ErrorOrigin, order: LogLines): Hit[] {
  const own = found.errors.filter((error) => isOwn(error, of));
  const holding = lastOnes(
    groupsOf(own).filter((group) => holdsNow(group, found.recoveries, order, of.state)),
    of.state,
  );
  return withFewTargets(holding).flatMap((group) => hitOf(group, rules, of));
}

/** Lines before the last error of a run within which others are of the same failure. */
const sameFailure = 30;

/** Returns the errors that a failed run ends with: it went on after those long before. */
function lastOnes(groups: readonly ErrorGroup[], state: LogState): readonly ErrorGroup[] {
  if (state !== 'failing') return groups;
  const lastLine = ({ errors }: ErrorGroup): number => errors.at(-1)?.hit.line ?? 0;
  const end = Math.max(...groups.map(lastLine));
  return groups.filter((group) => end - lastLine(group) <= sameFailure);
}

function isOwn(error: ErrorSeen, { kind, state }: ErrorOrigin): boolean {
  const { text, before, after } = error.hit;
  if (speakerOf(text, error.class, kind === 'text') !== 'program') return false;
  if (state !== 'failing' && isTestOutput([...before, text, ...after], 1)) return false;
  const level = levelOf(text);
  if (level === 'debug') return state !== 'ready' && isRefusedLogin(error);
  return level !== 'info' || state !== 'ready';
}

/** Returns whether a database or message broker refused credentials: at any level, since no client tries wrong ones by design. */
const isRefusedLogin = ({ class: of, target }: ErrorSeen): boolean =>
  of === 'unauthorised' && target.of !== undefined && !challenged.has(target.of);
/** Those that are asked without credentials first, and ask for them. */
const challenged: ReadonlySet<string> = new Set(['http', 'grpc', 'kubernetes', 'vault', 'elasticsearch']);

/** Returns the time of a line, or of the nearest of the few before it that has one. */
function timeNear(lines: readonly string[], line: number): number | undefined {
  for (let i = Math.min(line, lines.length) - 1; i >= Math.max(0, line - 40); i--) {
    const time = logTime(lines[i] ?? '');
    if (time !== undefined) return time;
  }
  return undefined;
}

const keyOf = ({ target: { host = '', port = '', object = '' } }: ErrorSeen): string =>
  [host, port].filter((part) => part !== '').join(':') || object;

/** Lines between an error that names no target and one that does, of one failure. */
const oneFailure = 30;

function groupsOf(errors: readonly ErrorSeen[]): ErrorGroup[] {
  const groups = new Map<string, { class: ErrorSeen['class']; key: string; errors: ErrorSeen[] }>();
  for (const error of errors) {
    const key = keyOf(error) || (nearest(errors, error) ?? '');
    const id = `${error.class} ${key}`;
    const group = groups.get(id) ?? { class: error.class, key, errors: [] };
    groups.set(id, group);
    group.errors.push(error);
  }
  return [...Map.groupBy(groups.values(), (group) => group.class).values()].flatMap(withoutUnnamed);
}

/** Adds hits without a target to the only group that has one. */
function withoutUnnamed(ofClass: readonly ErrorGroup[]): readonly ErrorGroup[] {
  const [named, ...others] = ofClass.filter(({ key }) => key !== '');
  const unnamed = ofClass.find(({ key }) => key === '');
  if (named === undefined || unnamed === undefined || others.length > 0) return ofClass;
  const errors = [...named.errors, ...unnamed.errors].sort((a, b) => a.hit.line - b.hit.line);
  return [{ ...named, errors }];
}

/** Returns the target of the nearest error of the same class that names one. */
function nearest(errors: readonly ErrorSeen[], error: ErrorSeen): string | undefined {
  let best: ErrorSeen | undefined;
  const distance = (other: ErrorSeen): number => Math.abs(other.hit.line - error.hit.line);
  for (const other of errors) {
    if (other.class !== error.class || keyOf(other) === '' || distance(other) > oneFailure) continue;
    if (best === undefined || distance(other) < distance(best)) best = other;
  }
  return best && keyOf(best);
}

/** Many targets of one class have one cause: they are told together. */
function withFewTargets(groups: readonly ErrorGroup[]): ErrorGroup[] {
  const byClass = Map.groupBy(groups, (group) => group.class);
  return [...byClass].flatMap(([of, all]) => {
    if (all.length <= mostTargets) return all;
    const errors = all.flatMap((group) => group.errors).sort((a, b) => a.hit.line - b.hit.line);
    return [{ class: of, key: '', errors }];
  });
}

function hitOf({ class: of, key, errors }: ErrorGroup, rules: Rules, text: ErrorOrigin): Hit[] {
  // What names its target tells more; the newest of those.
  const last = errors.findLast((error) => keyOf(error) !== '') ?? errors.at(-1);
  if (last === undefined) return [];
  const kind = last.target.of ?? kindOf(last.target);
  const fitting = rules.class.filter(
    ({ clause }) => clause.is.includes(of) && (clause.of === undefined || (kind && clause.of.includes(kind))),
  );
  const exact = fitting.some(({ clause }) => clause.of !== undefined);
  const { hit, account, literal, target } = last;
  const { namespace } = text.origin.object ?? {};
  const named = {
    ...values({
      host: target.host,
      port: target.port,
      object: target.object,
      account,
      target: targetName(target),
      ...placeOf(target.host, namespace),
    }),
  };
  const first = errors[0]?.hit.text;
  const [at, since] = [zoned(hit.text), first && zoned(first)];
  return fitting
    .filter(({ clause, excludes }) => excludes || !exact || clause.of !== undefined)
    .map((rule) => ({
      rule,
      kind: text.kind,
      origin: {
        ...text.origin,
        times: errors.length,
        ...(at === undefined ? {} : { at }),
        ...(since === undefined ? {} : { since }),
      },
      matched: { text: hit.text, match: [hit.column, hit.column + literal.length] as const, named },
      ...(text.lines ? { line: hit.line } : {}),
      before: hit.before,
      after: hit.after,
      error: { class: of, target: key },
      ...(text.state === 'ready' ? { most: 'warning' as const } : {}),
    }));
}

const values = (all: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

function zoned(line: string): string | undefined {
  const ms = zonedTime(line);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/**
 * Leaves out errors by class on lines that a symptom of its own explains: who knows the exact words knows more than the class
 * does, unless the class explains that symptom.
 */
export function withoutPrecise(hits: readonly Hit[]): Hit[] {
  const precise = new Map<string, Symptom[]>();
  const lineKey = ({ origin, matched }: Hit): string => `${origin.ref}\n${matched.text.trim()}`;
  for (const hit of hits) {
    if (
      hit.error !== undefined ||
      hit.isEnding === true ||
      hit.rule.excludes ||
      (hit.kind !== 'log' && hit.kind !== 'text')
    )
      continue;
    const known = precise.get(lineKey(hit));
    if (known === undefined) precise.set(lineKey(hit), [hit.rule.symptom]);
    else known.push(hit.rule.symptom);
  }
  return hits.filter((hit) => {
    if (hit.error === undefined) return true;
    const { id, explains } = hit.rule.symptom;
    return !precise.get(lineKey(hit))?.some((one) => one.id === id || !explains.includes(one.id));
  });
}
