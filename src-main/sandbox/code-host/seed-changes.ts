import type { MadeChange } from './seed-history.ts';
import { chance, type RunSpec, seedRun, summaryOf } from './seed-runs.ts';
import type { Outcome, Seed, SeedChange, SeedFinding, SeedPlatform } from './seed-schema.ts';
import type { SandboxPull, SandboxRun } from './world.ts';

const minute = 60_000;

type Findings = Readonly<Record<string, readonly SeedFinding[]>>;

/** Returns the findings of each review of a change: findings belong to the review of their own type. */
export function reviewFindings(seed: Seed, change: SeedChange): Findings {
  const all = Object.entries(change.findings).map(([type, name]) => {
    const found = seed.findings[name];
    if (found === undefined) throw new Error(`the seed has no findings named ${name}`);
    return [type, name, found] as const;
  });
  return Object.fromEntries(
    all.map(([type, name, found]) => {
      const sharing = all.filter((other) => other[1] === name).map(([other]) => other);
      // Findings that two reviews share are dealt out in turn.
      return [type, found.filter((_, index) => sharing[index % sharing.length] === type)];
    }),
  );
}

/** Runs of one change: reviews on its pull request; once merged its build, and what delivers it. */
export function changeRuns(spec: SeedPlatform, seed: Seed, made: MadeChange, now: number): SandboxRun[] {
  const { change, head, merge, openedAt, pull } = made;
  const findings = reviewFindings(seed, change);
  const common = { repo: spec.name, key: change.title, actor: change.by };
  const reviews = spec.reviews.map((type) => {
    const found = findings[type] ?? [];
    const failed = found.some(({ level }) => level === 'failure');
    return seedRun(
      {
        ...common,
        workflow: `review-${type}`,
        name: `${type.charAt(0).toUpperCase()}${type.slice(1)} review`,
        title: change.title,
        event: 'pull_request',
        branch: pull.branch,
        sha: head.sha,
        from: openedAt + minute / 3,
        minutes: 2 + Math.floor(chance(type, change.title) * 6),
        outcome: change.reviews[type] ?? (failed ? 'failure' : 'success'),
        jobs: ['review'],
        findings: found,
      },
      now,
    );
  });
  if (merge === undefined) return reviews;
  const onMain = { ...common, title: merge.message, branch: 'main', sha: merge.sha };
  const build: RunSpec = {
    ...onMain,
    workflow: 'build',
    name: 'Build',
    event: 'push',
    from: merge.at + 6000,
    minutes: 3 + Math.floor(chance(spec.name, change.title, 'build') * 5),
    outcome: change.build,
    jobs: ['test', 'image'],
    log:
      change.lines === undefined && change.failure.length === 0
        ? undefined
        : { lines: change.lines ?? 320, failure: change.failure },
  };
  const built = seedRun(build, now);
  const deploy = deliveryOf(spec, onMain, change.deploy, built);
  return [...reviews, built, ...(deploy === undefined ? [] : [seedRun(deploy, now)])];
}

function deliveryOf(
  spec: SeedPlatform,
  onMain: Pick<RunSpec, 'repo' | 'key' | 'actor' | 'title' | 'branch' | 'sha'>,
  outcome: Outcome,
  built: SandboxRun,
): RunSpec | undefined {
  if (spec.deploy === undefined || built.conclusion !== 'success') return undefined;
  const minutes = 2 + Math.floor(chance(spec.name, onMain.key, 'deploy') * 4);
  const from = built.updatedAt + 10_000;
  if (spec.deploy === 'deploy') {
    return {
      ...onMain,
      workflow: 'deploy',
      name: 'Deploy',
      event: 'push',
      from,
      minutes,
      outcome,
      jobs: ['deploy'],
    };
  }
  // Releases are few, and run on their tag.
  const version = 1 + Math.floor(chance(spec.name, onMain.key, 'release') * 40);
  if (version % 2 === 0) return undefined;
  return {
    ...onMain,
    workflow: 'release',
    name: 'Release',
    event: 'release',
    branch: `v0.${version}.0`,
    from,
    minutes,
    outcome,
    jobs: ['publish'],
  };
}

const verdicts = {
  approved: 'APPROVED',
  changes_requested: 'CHANGES_REQUESTED',
  commented: 'COMMENTED',
} as const;

/** Writes what agents and people said about a change into its pull request. */
export function reviewsOf(
  pull: SandboxPull,
  spec: SeedPlatform,
  change: SeedChange,
  findings: Findings,
  openedAt: number,
): void {
  const at = openedAt + 9 * minute;
  spec.reviews.forEach((type, index) => {
    const outcome = change.reviews[type] ?? 'success';
    if (outcome === 'running' || outcome === 'queued' || outcome === 'waiting' || outcome === 'cancelled')
      return;
    const found = findings[type] ?? [];
    const author = `${type}-review[bot]`;
    const failed = found.some(({ level }) => level === 'failure');
    const state = failed || (found.length > 0 && change.verdict !== undefined) ? change.verdict : undefined;
    for (const [number, { path, line, title, message }] of found.entries()) {
      pull.comments.push({
        author,
        path,
        line,
        body: `**${title}**\n\n${message}`,
        at: at + index * minute + number * 1000,
      });
    }
    pull.reviews.push({
      author,
      state: verdicts[state ?? (failed ? 'changes_requested' : 'commented')],
      body: summaryOf(found),
      at: at + index * minute + 30_000,
    });
  });
  if (pull.mergedAt === undefined) return;
  const reader = change.by === 'mira' ? 'jonas' : 'mira';
  pull.reviews.push({ author: reader, state: 'APPROVED', body: '', at: pull.mergedAt - 4 * minute });
}
