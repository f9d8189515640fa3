import type { EventSeen } from './logs/seen.ts';
import { type Hit, matchAll } from './match/index.ts';
import type { Rules } from './rules.ts';

/** Characters of a line that are read. */
const longestLine = 4000;

/**
 * Returns the matches in events that a pasted text shows, as `kubectl describe` and `kubectl get events`
 * print them.
 */
export function hitsInEvents(rules: Rules, lines: readonly string[]): Hit[] {
  return lines.flatMap((line, i) => {
    const event = eventIn(line.slice(0, longestLine));
    if (event === undefined) return [];
    return matchAll(rules, [event]).map((hit): Hit => ({ ...hit, kind: 'text', line: i + 1 }));
  });
}

/** Their columns are apart by two spaces or more, which no other column than the message has inside. */
function eventIn(line: string): EventSeen | undefined {
  const columns = line.trim().split(/\s{2,}/);
  const at = columns.findIndex((column) => column === 'Warning' || column === 'Normal');
  // `describe` begins with the type; `get events` with when it was seen, after the namespace if it is of all.
  const isListed = at === 1 || at === 2;
  if (at !== 0 && !isListed) return undefined;
  const [reason, third, fourth, ...rest] = columns.slice(at + 1);
  if (reason === undefined || third === undefined || fourth === undefined) return undefined;
  const [kind, name] = isListed ? third.split('/') : [];
  if (isListed && name === undefined) return undefined;
  return {
    kind: 'event',
    ref: 'pasted text',
    reason,
    about: kind,
    message: (isListed ? [fourth, ...rest] : rest).join('  '),
  };
}
