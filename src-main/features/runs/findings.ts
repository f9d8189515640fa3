import type { Finding, Severity } from '#shared/api/runs.ts';
import { inParallel } from '../../base/in-parallel.ts';
import type {
  Annotation,
  CheckRun,
  CodeHost,
  NotRead,
  Read,
  WorkflowRun,
} from '../../sources/code-host/index.ts';
import { isOver } from './workflow-run.ts';

/**
 * The findings of a review. `count` is absent when not all of it is known; `reasons` says why some is
 * missing, a clause each.
 */
export type Findings = {
  readonly findings: readonly Finding[];
  readonly count: number | undefined;
  /** Names of the checks that were read; undefined when they were not. */
  readonly checks: readonly string[] | undefined;
  readonly reasons: readonly string[];
};

/** Remaining requests to the code host for one answer. */
export type Allowance = { left: number; stopped: NotRead | undefined };

export type FindingsReader = {
  /** Returns what is known without a request. */
  known(run: WorkflowRun): Findings | undefined;
  /** Never throws. */
  read(run: WorkflowRun, allowance: Allowance): Promise<Findings>;
};

/** Most requests to the code host for one answer, to find out what reviews found. */
const mostReads = 24;

export function newAllowance(): Allowance {
  return { left: mostReads, stopped: undefined };
}

/** Check runs whose annotations are read at a time. */
const workers = 4;

/** Annotations of a check run that the code host gives at once. */
const annotationsGiven = 100;

/** Bounds of what is kept: reviews, and characters of what they found. */
const mostKept = 500;
const mostCharactersKept = 20_000_000;

/** Reads what reviews found: annotations of the checks of their run. What an ended review found never changes, so it is kept. */
export function createFindingsReader(codeHost: CodeHost): FindingsReader {
  const kept = new Map<string, { readonly findings: Findings; readonly characters: number }>();
  let characters = 0;

  const keep = (key: string, findings: Findings): void => {
    const size = findings.findings.reduce(
      (sum, { path, title, body, url }) =>
        sum + path.length + title.length + body.length + (url?.length ?? 0),
      0,
    );
    characters += size - (kept.get(key)?.characters ?? 0);
    kept.set(key, { findings, characters: size });
    for (const [oldest, { characters: freed }] of kept) {
      if (kept.size <= mostKept && characters <= mostCharactersKept) break;
      kept.delete(oldest);
      characters -= freed;
    }
  };

  return {
    known: (run) => kept.get(keyOf(run))?.findings,
    async read(run, allowance) {
      if (!isOver(run)) return unread('the review has not ended, and it may find more until then');
      const known = kept.get(keyOf(run));
      if (known !== undefined) return known.findings;
      const { checkSuite } = run;
      if (checkSuite === undefined) return unread('the code host names no checks of it');
      const checks = await withinAllowance(allowance, () => codeHost.checkRuns(run.repo, checkSuite));
      if (!checks.ok) return unread(checks.reason);
      const noted = checks.value.filter(({ annotations }) => annotations > 0);
      const read = await inParallel(noted, workers, async (check) => ({
        check,
        annotations: await withinAllowance(allowance, () => codeHost.annotations(run.repo, check.id)),
      }));
      const { findings, count, reasons } = foundBy(run, read);
      const older = [checks, ...read.map(({ annotations }) => annotations)].flatMap(staleOf);
      const names = checks.value.map(({ name }) => name);
      const found = { findings, count, checks: names, reasons: [...new Set([...reasons, ...older])] };
      if (count !== undefined && older.length === 0) keep(keyOf(run), found);
      return found;
    },
  };
}

/** Returns a run's key, by its address: the console may be attached to another code host meanwhile. */
function keyOf({ htmlUrl, attempt }: WorkflowRun): string {
  return `${htmlUrl}:${attempt}`;
}

function unread(reason: string): Findings {
  return { findings: [], count: undefined, checks: undefined, reasons: [reason] };
}

/** Returns why an older answer, which may be from before the end, was used. */
function staleOf(read: Read<unknown>): string[] {
  return read.ok && read.stale !== undefined ? [`an older answer had to serve, as ${read.stale}`] : [];
}

/**
 * Reads within the allowance; a code host that fails to answer once is not contacted again for the same page.
 */
async function withinAllowance<T>(allowance: Allowance, read: () => Promise<Read<T>>): Promise<Read<T>> {
  if (allowance.stopped !== undefined) return allowance.stopped;
  if (allowance.left === 0) {
    const reason = `one answer asks the code host for findings ${mostReads} times at most; the next one goes on`;
    return { ok: false, kind: 'quota', reason };
  }
  allowance.left -= 1;
  const got = await read();
  if (!got.ok && (got.kind === 'unavailable' || got.kind === 'quota')) allowance.stopped = got;
  return got;
}

type CheckRead = { readonly check: CheckRun; readonly annotations: Read<readonly Annotation[]> };

function foundBy(run: WorkflowRun, read: readonly CheckRead[]): Omit<Findings, 'checks'> {
  const reasons = new Set<string>();
  const findings: Finding[] = [];
  let beyond = 0;
  let all = true;
  for (const { check, annotations } of read) {
    if (!annotations.ok) {
      all = false;
      reasons.add(annotations.reason);
      continue;
    }
    findings.push(...annotations.value.filter(isFinding).map((annotation) => findingOf(run, annotation)));
    if (annotations.value.length >= annotationsGiven && check.annotations > annotations.value.length) {
      beyond += check.annotations - annotations.value.length;
      reasons.add(
        `${check.name} found ${check.annotations}, of which the code host gives the first ${annotationsGiven}`,
      );
    }
  }
  return {
    findings: findings.toSorted(byWeight),
    count: all ? findings.length + beyond : undefined,
    reasons: [...reasons],
  };
}

/**
 * Returns whether an annotation is a finding: the runner's own notes on a job ("Process completed with exit code 1.")
 * are on this folder, not on a file.
 */
function isFinding({ path }: Annotation): boolean {
  return path !== '.github';
}

const severities: Readonly<Record<Annotation['level'], Severity>> = {
  failure: 'error',
  warning: 'warning',
  notice: 'note',
};
const weights: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 };

function findingOf(run: WorkflowRun, { path, line, endLine, level, title, message }: Annotation): Finding {
  const onLine = line >= 1;
  return {
    path,
    line: onLine ? line : undefined,
    end_line: onLine && endLine > line ? endLine : undefined,
    severity: severities[level],
    title: title.trim() === '' ? (message.trim().split('\n', 1)[0] ?? '') : title,
    body: message,
    url: addressOf(run, path, onLine ? line : undefined),
  };
}

/**
 * Returns the address of the line at the reviewed commit; undefined where the run's own address is not that
 * of a run in a repository.
 */
function addressOf(
  { htmlUrl, sha }: WorkflowRun,
  path: string,
  line: number | undefined,
): string | undefined {
  const [, repository] = /^(https?:\/\/.+)\/actions\/runs\/\d+/.exec(htmlUrl) ?? [];
  if (repository === undefined) return undefined;
  // Half a surrogate pair, which JSON can carry, is nothing an address can.
  const file = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return `${repository}/blob/${sha}/${file}${line === undefined ? '' : `#L${line}`}`;
}

/** The worst first; then in the order of the files. */
function byWeight(a: Finding, b: Finding): number {
  if (a.severity !== b.severity) return weights[a.severity] - weights[b.severity];
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0);
}
