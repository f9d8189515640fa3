import type { ConditionFields, ContainerSeen, PodSeen } from '../logs/seen.ts';
import type { Rule } from '../rules.ts';
import { type Matched, matchText, prefixed } from './pattern.ts';

/** A container by its states: every field of the clause must hold of it. */
export function matchContainer(
  { clause, pattern }: Rule<'container'>,
  seen: ContainerSeen,
): Matched | undefined {
  const { waiting, ended, crashes } = seen;
  // Between two runs it waits for the next one, or runs for a moment.
  const waitsFor = waiting?.reason ?? (crashes ? 'CrashLoopBackOff' : '');
  if (clause.init !== undefined && clause.init !== seen.init) return undefined;
  if (clause.waiting !== undefined && !clause.waiting.includes(waitsFor)) return undefined;
  if (clause.ended !== undefined && !clause.ended.includes(ended?.reason ?? '')) return undefined;
  if (
    clause.exit_code !== undefined &&
    (ended?.exitCode === undefined || !clause.exit_code.includes(ended.exitCode))
  )
    return undefined;
  const states = [
    ...(waiting === undefined ? [] : [{ text: waiting.reason, message: waiting.message }]),
    ...(ended === undefined ? [] : [{ text: describeEnd(ended), message: ended.message }]),
  ];
  if (pattern === undefined)
    return states.length === 0
      ? undefined
      : { text: states.map(({ text, message }) => said(text, message)).join('; '), named: {} };
  for (const { text, message } of states) {
    const matched = message === undefined ? undefined : matchText(message, pattern);
    if (matched !== undefined) return prefixed(`${text}: `, matched);
  }
  return undefined;
}

function describeEnd({ reason, exitCode }: NonNullable<ContainerSeen['ended']>): string {
  const code = exitCode === undefined ? '' : `exit code ${exitCode}`;
  return [reason ?? 'Ended', code].filter((part) => part !== '').join(', ');
}

/** A pod by its own status or one of its conditions. */
export function matchPod({ clause, pattern }: Rule<'pod'>, seen: PodSeen): Matched | undefined {
  if (clause.phase !== undefined && !clause.phase.includes(seen.phase ?? '')) return undefined;
  if (clause.reason !== undefined && !clause.reason.includes(seen.reason ?? '')) return undefined;
  if (clause.condition === undefined) {
    if (seen.phase === undefined && seen.reason === undefined) return undefined;
    const text = [seen.phase, seen.reason].filter((part) => part !== undefined).join(', ');
    if (pattern === undefined) return { text: said(text, seen.message), named: {} };
    const matched = matchText(seen.message ?? '', pattern);
    return matched === undefined ? undefined : prefixed(`${text}: `, matched);
  }
  for (const condition of seen.conditions) {
    const matched = matchCondition(
      { ...clause.condition, status: [clause.condition.status] },
      pattern,
      condition,
    );
    if (matched !== undefined) return matched;
  }
  return undefined;
}

/** A condition by its type, status, reason and message. */
export function matchCondition(
  wanted: {
    readonly type: string;
    readonly status: readonly string[];
    readonly reason?: readonly string[] | undefined;
  },
  pattern: RegExp | undefined,
  { type, status, reason, message }: ConditionFields,
): Matched | undefined {
  if (type !== wanted.type || !wanted.status.includes(status)) return undefined;
  if (wanted.reason !== undefined && !wanted.reason.includes(reason ?? '')) return undefined;
  const text = `${type} is ${status}${reason ? ` (${reason})` : ''}`;
  if (pattern === undefined) return { text: said(text, message), named: {} };
  const matched = matchText(message ?? '', pattern);
  return matched === undefined ? undefined : prefixed(`${text}: `, matched);
}

function said(text: string, message: string | undefined): string {
  return message ? `${text}: ${message}` : text;
}
