import { commitId, numberOf } from './builders.ts';
import type { SandboxJob, SandboxRun } from './world.ts';

export type LogStep = {
  readonly name: string;
  /** Its lines, in pieces of many, each with its time in front. Always the same. */
  readonly text: () => Iterable<string>;
};

type Source = {
  readonly org: string;
  readonly repo: string;
  readonly language: string;
  readonly run: SandboxRun;
  readonly job: SandboxJob;
};

const esc = '\u001b[';
const green = (text: string): string => `${esc}32m${text}${esc}39m`;
const yellow = (text: string): string => `${esc}33m${text}${esc}39m`;
const dim = (text: string): string => `${esc}2m${text}${esc}22m`;
/** Commands as the runner shows them. */
const command = (text: string): string => `${esc}36;1m${text}${esc}0m`;

/** Lines of a log that says nothing else about itself. */
const usualLines = 48;
const pieceLines = 1000;

/** A job's log, step by step, made from what the job is described by. */
export function logSteps(source: Source): LogStep[] {
  const { job } = source;
  const work = workOf(source);
  const lines = job.log?.lines ?? usualLines;
  const end = job.completedAt ?? job.startedAt + 60_000;
  const span = Math.max(end - job.startedAt, 1000);
  // Set-up takes the first eighth of the time, cleaning up the last one.
  const at = (share: number): number => job.startedAt + span * share;
  return [
    step('Set up job', at(0), at(0.05), () => setUp(source)),
    step('Run actions/checkout@v5', at(0.05), at(0.12), () => checkOut(source)),
    step(work.step, at(0.12), at(0.9), () => workLines(source, work, lines)),
    step('Post Run actions/checkout@v5', at(0.92), at(0.96), () => [
      'Post job cleanup.',
      `${command('/usr/bin/git version')}`,
      'git version 2.51.0',
      `Removing credentials config '/home/runner/work/${source.repo}/${source.repo}/.git/config'`,
    ]),
    step('Complete job', at(0.97), at(1), () => ['Cleaning up orphan processes']),
  ];
}

function step(name: string, from: number, to: number, lines: () => Iterable<string>): LogStep {
  let made: string[] | undefined;
  // Once for the step's own file and the job's: a long log is the most work there is here.
  const pieces = (): string[] => {
    const all = [...lines()];
    const each = (to - from) / Math.max(all.length, 1);
    const stamp = stamps();
    return Array.from({ length: Math.ceil(all.length / pieceLines) }, (_, piece) => {
      const first = piece * pieceLines;
      return all
        .slice(first, first + pieceLines)
        .map((line, index) => `${stamp(from + each * (first + index))} ${line}\n`)
        .join('');
    });
  };
  return {
    name,
    text: () => {
      made ??= pieces();
      return made;
    },
  };
}

/** The runner's times, which have seven digits of a second; for one moment after another. */
function stamps(): (at: number) => string {
  let second = Number.NaN;
  let upToSecond = '';
  return (at) => {
    const whole = Math.floor(at / 1000);
    if (whole !== second) {
      second = whole;
      upToSecond = new Date(whole * 1000).toISOString().slice(0, 20);
    }
    return `${upToSecond}${String(Math.floor((at - whole * 1000) * 10_000)).padStart(7, '0')}Z`;
  };
}

function setUp({ org, repo, run }: Source): string[] {
  return [
    "Current runner version: '2.330.0'",
    '##[group]Runner Image Provisioner',
    'Hosted Compute Agent',
    'Version: 20261104.438',
    '##[endgroup]',
    '##[group]Operating System',
    'Ubuntu',
    '24.04.3',
    'LTS',
    '##[endgroup]',
    '##[group]GITHUB_TOKEN Permissions',
    'Contents: read',
    'Metadata: read',
    '##[endgroup]',
    `Secret source: Actions`,
    'Prepare workflow directory',
    'Prepare all required actions',
    `Download action repository 'actions/checkout@v5' (SHA:${commitId('actions/checkout@v5')})`,
    `Complete job name: ${run.jobs[0]?.name ?? 'build'} (${org}/${repo})`,
  ];
}

function checkOut({ org, repo, run }: Source): string[] {
  return [
    '##[group]Run actions/checkout@v5',
    'with:',
    `  repository: ${org}/${repo}`,
    '  fetch-depth: 1',
    '##[endgroup]',
    `Syncing repository: ${org}/${repo}`,
    '##[group]Fetching the repository',
    `${command(`/usr/bin/git -c protocol.version=2 fetch --no-tags --depth=1 origin ${run.sha}`)}`,
    ` * branch            ${run.sha} -> FETCH_HEAD`,
    '##[endgroup]',
    `HEAD is now at ${run.sha.slice(0, 7)} ${run.title}`,
  ];
}

type Work = {
  readonly step: string;
  readonly shell: string;
  readonly line: (n: number, pick: Pick) => string;
};
type Pick = (choices: readonly string[]) => string;

const modules = ['intake', 'ledger', 'matching', 'rules', 'schedule', 'notices', 'export', 'session'];
const parts = ['index', 'store', 'routes', 'parse', 'limits', 'format', 'retry', 'access'];
const subjects = ['Batch', 'Audience', 'Template', 'Bounce', 'Window', 'Sender', 'Retention', 'Hold'];
const verbs = ['KeepsItsOrder', 'RefusesNone', 'EndsAtMidnight', 'CountsOnce', 'ReadsItsZone', 'Waits'];
const cases = [
  'keeps the order of entries',
  'refuses an amount without a currency',
  'answers an empty list for an unknown berth',
  'retries a read once and then reports it',
  'rounds to the cent',
  'closes the connection when the caller leaves',
  'reads times with an offset',
  'leaves out what was withdrawn',
];

function workOf({ org, repo, language, run, job }: Source): Work {
  if (/\/review-|\/governance-|\/agent-/.test(run.path)) {
    return {
      step: 'Run the agent',
      shell: `platform-agent run ${run.path
        .split('/')
        .at(-1)
        ?.replace(/\.ya?ml$/, '')} --sha ${run.sha.slice(0, 7)}`,
      line: (n, pick) =>
        n % 11 === 0
          ? `${dim('agent')} thinking about src/${pick(modules)}/${pick(parts)}.ts, ${200 + (n % 700)} tokens`
          : `${dim('agent')} read src/${pick(modules)}/${pick(parts)}.ts:${1 + (n % 240)}`,
    };
  }
  if (/deploy|release/.test(run.path) || job.name === 'image') {
    return {
      step: 'Push the image',
      shell: `docker buildx build --push --tag ${run.sha} .`,
      line: (n, pick) =>
        n % 9 === 0
          ? `#${1 + (n % 24)} DONE ${(n % 70) / 10}s`
          : `#${1 + (n % 24)} [${pick(['build', 'runtime'])} ${1 + (n % 8)}/8] ${pick(['COPY', 'RUN npm ci', 'RUN npm run build', 'WORKDIR /app'])}`,
    };
  }
  if (language === 'Go') {
    return {
      step: 'Run go test',
      shell: 'go test -race -v ./...',
      line: (n, pick) =>
        n % 23 === 0
          ? `ok  \t${org}/${repo}/internal/${pick(modules)}\t${(n % 90) / 10}s`
          : `--- ${green('PASS')}: Test${pick(subjects)}${pick(verbs)} (0.${10 + (n % 80)}s)`,
    };
  }
  return {
    step: 'Run npm test',
    shell: 'npm test',
    line: (n, pick) =>
      n % 37 === 0
        ? yellow(`warning: ${pick(modules)}/${pick(parts)}.ts took ${300 + (n % 900)} ms`)
        : `${green('✓')} test/${pick(modules)}/${pick(parts)}.test.ts ${dim('>')} ${pick(cases)} ${dim(`${1 + (n % 90)} ms`)}`,
  };
}

function* workLines({ job }: Source, work: Work, lines: number): Iterable<string> {
  yield `##[group]Run ${work.shell}`;
  yield command(work.shell);
  yield 'shell: /usr/bin/bash -e {0}';
  yield '##[endgroup]';
  let state = numberOf('log', job.id);
  const pick: Pick = (choices) => {
    // Park and Miller's generator: small, and the same everywhere.
    state = (state * 48_271) % 2_147_483_647;
    return choices[state % choices.length] ?? '';
  };
  for (let n = 1; n <= lines; n += 1) yield work.line(n, pick);
  for (const annotation of job.annotations) {
    const kind = { failure: 'error', warning: 'warning', notice: 'notice' }[annotation.level];
    yield `##[${kind}]${annotation.path}:${annotation.line} ${annotation.title}`;
  }
  yield* job.log?.failure ?? [];
  if (job.conclusion === 'failure') yield '##[error]Process completed with exit code 1.';
  if (job.conclusion === 'cancelled') yield '##[error]The operation was canceled.';
  if (job.conclusion === 'timed_out')
    yield '##[error]The job has exceeded the maximum execution time of 30m0s.';
}
