import type { ErrorClass } from '#shared/api/symptoms.ts';
import type { ErrorSeen, RecoverySeen } from './classify.ts';

/** State of a log's container; `unknown` for a pasted text. */
export type LogState = 'failing' | 'ready' | 'unknown';

/** Errors of one class about one target in one log, oldest first. */
export type ErrorGroup = {
  readonly class: ErrorClass;
  readonly key: string;
  readonly errors: readonly ErrorSeen[];
};

/** Classes of which one line is enough in the log of a container that is ready: nobody tries them again by design. */
const telling: ReadonlySet<ErrorClass> = new Set(['out_of_memory', 'out_of_disk', 'exhausted', 'read_only']);
/** Classes that a program which is ready may well do without: a file it looks for, a setting it has a default for. */
const ofStart: ReadonlySet<ErrorClass> = new Set([
  'not_found',
  'denied',
  'locked',
  'in_use',
  'version',
  'syntax',
  'unset',
  'missing_part',
]);
/** Errors of one kind in the log of a ready container before they are told. */
const fewest = 3;
/** Lines after the last error within which it still is the end of a log. */
const lastLines = { ready: 25, failing: 120 } as const;
/** Time after the last error within which it still is the end of a log, in ms. */
const lastMoments = { ready: 120_000, failing: 300_000 } as const;

/** The lines of a log: how many there are, and the time of one, in epoch ms. */
export type LogLines = {
  readonly count: number;
  readonly timeAt: (line: number) => number | undefined;
  /** Time the log was read, in epoch ms, where that is known. */
  readonly now?: number | undefined;
};

/**
 * Returns whether errors hold now: none that a later line takes back, and in the log of a container that is ready only those
 * that go on to its end. `failing`: near the end, as what ended or holds up the container.
 */
export function holdsNow(
  group: ErrorGroup,
  recoveries: readonly RecoverySeen[],
  lines: LogLines,
  state: LogState,
): boolean {
  const last = group.errors.at(-1);
  if (last === undefined) return false;
  const after = last.hit.line;
  if (recoveries.some((one) => one.line > after && takesBack(one, group))) return false;
  if (state === 'unknown') return true;
  if (state === 'ready' && lines.now !== undefined && hasStopped(lines.now)) return false;
  if (state === 'ready' && (ofStart.has(group.class) || !isOften(group))) return false;
  const linesAfter = lines.count - after;
  const gap = meanGap(group);
  if (linesAfter <= Math.max(lastLines[state], state === 'ready' ? 3 * gap.lines : 0))
    return isRecentEnough();
  const from = lines.timeAt(after);
  const to = lines.timeAt(lines.count);
  return (
    from !== undefined && to !== undefined && to - from <= Math.max(lastMoments[state], 3 * gap.ms(lines))
  );

  /** Set for programs that write only of failures: they fall silent when those end. */
  function hasStopped(now: number): boolean {
    const at = zonedTime(last?.hit.text ?? '');
    return at !== undefined && now - at > Math.max(lastMoments.ready, 3 * meanGap(group).ms(lines));
  }

  /** Few lines may be of many hours. */
  function isRecentEnough(): boolean {
    if (state !== 'ready') return true;
    const [begin, end] = [lines.timeAt(after), lines.timeAt(lines.count)];
    return (
      begin === undefined || end === undefined || end - begin <= Math.max(15 * 60_000, 3 * gap.ms(lines))
    );
  }
}

function isOften({ class: of, errors }: ErrorGroup): boolean {
  return errors.length >= fewest || telling.has(of);
}

function takesBack(recovery: RecoverySeen, { class: of, errors }: ErrorGroup): boolean {
  if (!recovery.takesBack.includes(of)) return false;
  const { host } = recovery.target ?? {};
  const own = errors.at(-1)?.target.host;
  return host === undefined || own === undefined || isSame(host, own);
}

/** A name and its longer form are of one host; of a name and an address nobody can say that they differ. */
function isSame(a: string, b: string): boolean {
  const isAddress = (text: string): boolean => /^[\d.]+$|:/.test(text);
  if (isAddress(a) !== isAddress(b)) return true;
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

function meanGap({ errors }: ErrorGroup): {
  readonly lines: number;
  readonly ms: (lines: LogLines) => number;
} {
  const [first, last] = [errors[0]?.hit.line ?? 0, errors.at(-1)?.hit.line ?? 0];
  const gaps = Math.max(1, errors.length - 1);
  return {
    lines: errors.length < 2 ? 0 : (last - first) / gaps,
    ms: (lines) => {
      const [from, to] = [lines.timeAt(first), lines.timeAt(last)];
      return errors.length < 2 || from === undefined || to === undefined ? 0 : (to - from) / gaps;
    },
  };
}

const withZone = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)/;

/** Returns the time that a line has with its zone, in epoch ms: others are of no known zone. */
export function zonedTime(line: string): number | undefined {
  const found = withZone.exec(line.slice(0, 200))?.[0];
  const ms = Date.parse(found?.replace(',', '.').replace(' ', 'T') ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

const iso = /\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/;
const klog = /^[IWEF](\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d{3,6})/;
const epoch = /"(?:time|ts|timestamp|t)"\s*:\s*"?(\d{10})(?:\.(\d{1,6})|(\d{3}))?\d{0,6}\b/;

/** Returns the time that a line has, in epoch ms; of one without a zone it is only good to be compared with others of its log. */
export function logTime(line: string): number | undefined {
  const start = line.slice(0, 300);
  const found = iso.exec(start)?.[0];
  if (found !== undefined) {
    const text = found.replaceAll('/', '-').replace(',', '.').replace(' ', 'T');
    const ms = Date.parse(/[Z]$|[+-]\d\d:?\d\d$/.test(text.slice(10)) ? text : `${text}Z`);
    if (!Number.isNaN(ms)) return ms;
  }
  const short = klog.exec(start);
  if (short !== null) {
    const ms = Date.parse(`2000-${short[1]}-${short[2]}T${short[3]}Z`);
    if (!Number.isNaN(ms)) return ms;
  }
  const seconds = epoch.exec(start);
  if (seconds !== null) return Number(seconds[1]) * 1000 + Number(seconds[3] ?? 0);
  return undefined;
}
