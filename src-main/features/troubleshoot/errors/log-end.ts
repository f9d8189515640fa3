import type { Origin } from '../logs/seen.ts';
import type { Hit } from '../match/index.ts';
import type { Rules } from '../rules.ts';
import { levelOf } from './speaker.ts';

/** Lines from the end of a log in which its last error is looked for. */
const mostLines = 200;
/** Characters of a last error that a title has. */
const longestTitle = 160;

/** A line by which runtimes and programs begin to say why they end. */
const head =
  /(?:^|\s)(?:panic: |fatal error: |fatal: |FATAL[: \]]|ERROR[: \]]|\[(?:error|fatal|emerg|alert|crit|critical|panic)\]|Exception in thread |Caused by: |Unhandled (?:exception|rejection)|Uncaught |Error: |error: |\*\*\* |Segmentation fault|Bus error|Illegal instruction|core dumped|terminate called|Assertion .{1,200} failed|thread '[^']{1,80}' panicked at)|^(?:[\w.$]{1,200}\.)?\w{0,60}(?:Error|Exception|Exit|Interrupt|Failure)(?::\s|$)|\b(?:npm (?:ERR!|error)) /;
/** Lines that follow every failure of a wrapper and say nothing of it. */
const noise =
  /^\s*(?:at |File "|\.\.\. \d+ more|goroutine \d+)|A complete log of this run can be found|ELIFECYCLE|npm (?:ERR!|error)\s*(?:errno|code|path|command|syscall|$)|Command failed with exit code \d|exit status \d+$|^make(?:\[\d+\])?: \*\*\*|Node\.js v\d|^\s*$/;

/** A last error, by its index in the lines. */
export type LastError = { readonly index: number; readonly text: string };

/** Returns the error that a log ends with; undefined when none of its last lines is one. */
function lastError(lines: readonly string[]): LastError | undefined {
  const from = Math.max(0, lines.length - mostLines);
  for (let index = lines.length - 1; index >= from; index--) {
    const text = (lines[index] ?? '').trimEnd();
    const start = text.slice(0, 1000);
    if (noise.test(start)) continue;
    if (head.test(start) || levelOf(start) === 'error') return { index, text };
  }
  return undefined;
}

const jsonMessage = /"(?:msg|message|error|err)"\s*:\s*"((?:[^"\\]|\\.){3,600})"/;

/** Returns the message of a line without its time, level and logger. */
function messageOf(line: string): string {
  const json = jsonMessage.exec(line)?.[1];
  const text = (json ?? line)
    .replace(/\\(["\\])/g, '$1')
    .replace(/^\s*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S*\]?\s+(?:UTC\s+)?(?:\[\d+\]\s+)?)+/, '')
    .replace(/^\[?(?:ERROR|FATAL|CRITICAL|error|fatal|panic)\]?[:\s]+(?=\S)/, '')
    .trim();
  return text.length > longestTitle ? `${text.slice(0, longestTitle - 1)}…` : text;
}

/** Returns the hits of a container that ended by itself: with an error in its log, or with an empty log. */
export function endingHits(
  rules: Rules,
  {
    text,
    origin,
    lines: isNumbered,
  }: { readonly text: string; readonly origin: Origin; readonly lines: boolean },
): Hit[] {
  const lines = text.split('\n');
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  if (lines.length === 0)
    return rules.ending
      .filter(({ clause }) => clause === 'nothing')
      .map((rule) => ({
        rule,
        kind: 'log',
        origin,
        matched: { text: 'The log is empty.', named: {} },
        isEnding: true,
      }));
  const found = lastError(lines);
  if (found === undefined) return [];
  const { index } = found;
  return rules.ending
    .filter(({ clause }) => clause === 'error')
    .map((rule) => ({
      rule,
      kind: 'log',
      origin,
      matched: { text: found.text.slice(0, 4096), named: { error: messageOf(found.text) } },
      ...(isNumbered ? { line: index + 1 } : {}),
      before: lines.slice(Math.max(0, index - 1), index).map((line) => line.slice(0, 400)),
      after: lines.slice(index + 1, index + 6).map((line) => line.slice(0, 400)),
      isEnding: true,
    }));
}
