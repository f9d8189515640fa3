import { commit, commitId, issue, numberOf, repository, status } from './builders.ts';
import { changeRuns, reviewFindings, reviewsOf } from './seed-changes.ts';
import { type MadeChange, makeChanges, timesOf } from './seed-history.ts';
import { chance, seedRun } from './seed-runs.ts';
import type { Outcome, Seed, SeedApp, SeedPlatform } from './seed-schema.ts';
import type { SandboxCommit, SandboxRepository, SandboxRun } from './world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const agentsFile = '.platform/agents.yaml';
const rulesFile = '.platform/rules.yaml';
const builder = 'northgate-builder[bot]';

/** A platform repository: changes with reviews, builds and deployments, and what runs by the clock. */
export function platformRepository(spec: SeedPlatform, seed: Seed, now: number): SandboxRepository {
  const { name } = spec;
  const made = makeChanges(spec.name, spec.changes, timesOf(spec, now), (change) => change.by);
  const runs = made.flatMap((entry) => changeRuns(spec, seed, entry, now));
  const repo = assembled(name, made, {
    description: spec.description,
    language: spec.language,
    topics: ['platform'],
    files: platformFiles(seed, spec.agents, name),
  });
  for (const { change, pull: request, openedAt } of made)
    reviewsOf(request, spec, change, reviewFindings(seed, change), openedAt);
  for (const { change, merge } of made) {
    if (merge === undefined || change.image === 'none') continue;
    const build = runs.find((run) => run.sha === merge.sha && run.path.endsWith('/build.yml'));
    if (build?.conclusion === 'success') repo.images.push({ sha: merge.sha, pushedAt: build.updatedAt });
  }
  if (spec.deploy === 'release') {
    for (const run of runs.filter(({ event }) => event === 'release')) repo.tags[run.branch] = run.sha;
  }
  repo.runs = [...runs, ...clockRuns(spec, repo, now)];
  repo.issues = spec.issues.map(({ number, title, label, by, age, brief }) =>
    issue({
      number,
      title,
      body: brief,
      author: by,
      labels: [label],
      createdAt: repo.createdAt,
      updatedAt: now - age,
    }),
  );
  return repo;
}

/** A studio app: what the builder agent made of its briefs, the platform's verification, and the jobs it has. */
export function appRepository(spec: SeedApp, seed: Seed, now: number): SandboxRepository {
  const { name } = spec;
  const times = spec.changes.map((change) => now - (change.age ?? spec.age));
  const made = makeChanges(name, spec.changes, times, () => builder);
  const repo = assembled(name, spec.empty ? [] : made, {
    description: spec.description,
    topics: spec.pipeline ? ['studio-app', 'studio-pipeline'] : ['studio-app'],
    files: platformFiles(seed, spec.agents, name),
    archived: spec.archived,
  });
  repo.updatedAt = now - spec.age;
  if (spec.empty) {
    repo.commits = [];
    repo.branches = {};
    repo.pushedAt = undefined;
    repo.createdAt = now - spec.age;
  }
  for (const { change, head, merge, openedAt } of made) {
    const before = head.parents[0] ?? head.sha;
    repo.runs.push(
      builderRun(
        { repo: name, title: change.title, sha: before, by: change.by, from: openedAt - 25 * minute },
        now,
      ),
    );
    if (merge !== undefined && change.ci !== 'none') verify(repo, change.ci, change.title, merge, now);
  }
  addStatus(repo, spec);
  addJobs(repo, spec, now);
  return repo;
}

/** The builder agent at work on a brief; at one it has not finished while `running`. */
function builderRun(
  job: { repo: string; title: string; sha: string; by: string; from: number; running?: boolean },
  now: number,
): SandboxRun {
  return seedRun(
    {
      repo: job.repo,
      key: job.running === true ? `job ${job.title}` : job.title,
      workflow: 'agent-builder',
      name: 'Builder',
      title: job.title,
      event: 'issues',
      branch: 'main',
      sha: job.sha,
      actor: job.by,
      from: job.from,
      minutes: 6 + Math.floor(chance(job.repo, job.title) * 20),
      outcome: job.running === true ? 'running' : 'success',
      jobs: ['build the brief'],
    },
    now,
  );
}

/** The platform's verification of what was merged; what passes it is pushed as an image. */
function verify(
  repo: SandboxRepository,
  outcome: Outcome,
  title: string,
  merge: SandboxCommit,
  now: number,
): void {
  const check = seedRun(
    {
      repo: repo.name,
      key: title,
      workflow: 'platform-ci',
      name: 'Platform CI',
      title: merge.message,
      event: 'push',
      branch: 'main',
      sha: merge.sha,
      actor: builder,
      from: merge.at + 4000,
      minutes: 3 + Math.floor(chance(repo.name, title) * 4),
      outcome,
      jobs: ['verify'],
    },
    now,
  );
  repo.runs.push(check);
  if (check.conclusion === 'success') repo.images.push({ sha: merge.sha, pushedAt: check.updatedAt });
}

/** The status `platform/ci` of the head of main. */
function addStatus(repo: SandboxRepository, spec: SeedApp): void {
  const head = repo.commits.at(-1);
  if (spec.ci === undefined || head === undefined) return;
  const run = repo.runs.find(({ sha, path }) => sha === head.sha && path.endsWith('/platform-ci.yml'));
  repo.statuses.push(
    status({
      sha: head.sha,
      state: spec.ci,
      description: spec.ci_note,
      url: run === undefined ? undefined : `/actions/runs/${run.id}`,
      at: run?.updatedAt ?? head.at,
    }),
  );
}

/** Open jobs for the builder agent, which works on the first. */
function addJobs(repo: SandboxRepository, spec: SeedApp, now: number): void {
  spec.jobs.forEach(({ title, age, brief }, index) => {
    const createdAt = now - age;
    repo.issues.push(
      issue({
        number: 100 + repo.pulls.length + index,
        title,
        body: `Filed in the studio.\n\n${title}.`,
        labels: brief === 'label' ? ['studio', 'brief'] : ['studio'],
        type: brief === 'type' ? 'Brief' : undefined,
        createdAt,
      }),
    );
    const head = repo.commits.at(-1);
    if (index > 0 || head === undefined) return;
    const job = {
      repo: repo.name,
      title,
      sha: head.sha,
      by: 'mira',
      from: createdAt + minute,
      running: true,
    };
    repo.runs.push(builderRun(job, now));
  });
}

function assembled(
  name: string,
  made: readonly MadeChange[],
  more: Partial<SandboxRepository>,
): SandboxRepository {
  const oldest = made[0]?.openedAt ?? Date.UTC(2026, 8, 1);
  const first = commit({
    sha: commitId(name, 'first'),
    message: 'First commit',
    author: 'mira',
    at: oldest - 20 * day,
  });
  const merges = made.flatMap(({ merge }) => merge ?? []);
  const onMain = [first, ...merges];
  const head = onMain.at(-1) ?? first;
  const newest = Math.max(head.at, ...made.map(({ openedAt }) => openedAt));
  const repo = repository({
    name,
    // On the default branch last: the head is the last of them.
    commits: [...made.map((entry) => entry.head), ...onMain],
    createdAt: first.at,
    ...more,
  });
  repo.branches = { main: head.sha };
  for (const { pull: request, head: own } of made)
    if (request.state === 'open') repo.branches[request.branch] = own.sha;
  repo.pulls = made.map((entry) => entry.pull);
  repo.pushedAt = newest;
  repo.updatedAt = newest;
  return repo;
}

function platformFiles(seed: Seed, key: string | undefined, name: string): Record<string, string> {
  const text = key === undefined ? undefined : seed.agents[key];
  const rules = seed.rules[name];
  return {
    'README.md': `# ${name}\n`,
    ...(text === undefined ? {} : { [agentsFile]: text }),
    ...(rules === undefined ? {} : { [rulesFile]: rules }),
  };
}

/** Returns the scheduled runs: governance agents on Mondays, and the nightly run of the last nights. */
function clockRuns(spec: SeedPlatform, repo: SandboxRepository, now: number): SandboxRun[] {
  const main = repo.commits
    .filter(({ sha }) => !repo.pulls.some(({ headSha }) => headSha === sha))
    .toSorted((a, b) => a.at - b.at);
  const headAt = (at: number): SandboxCommit | undefined => main.findLast((entry) => entry.at <= at);
  const midnight = now - (now % day);
  const monday = midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * day;
  const weeks = Array.from({ length: Math.floor(spec.days / 7) }, (_, index) => index);
  const nights = Array.from({ length: spec.nightly === undefined ? 0 : 8 }, (_, index) => index);
  const due = [
    ...spec.governance.flatMap((agent) =>
      weeks.map((week) => ({
        // Counted from a fixed Monday, so that next week's run is another one and last week's stays itself.
        key: `${agent} ${Math.floor((monday - week * 7 * day) / (7 * day))}`,
        workflow: `governance-${agent}`,
        name: `${agent.charAt(0).toUpperCase()}${agent.slice(1).replaceAll('-', ' ')}`,
        from: monday - week * 7 * day + 5 * hour,
        minutes: 4 + Math.floor(chance(agent, week) * 6),
      })),
    ),
    ...nights.map((night) => ({
      key: `night ${Math.floor(midnight / day) - night}`,
      workflow: 'nightly',
      name: spec.nightly ?? '',
      from: midnight - night * day + 2 * hour,
      minutes: 21 + Math.floor(chance(spec.name, night) * 15),
    })),
  ];
  return due.flatMap((one) => {
    const head = headAt(one.from);
    if (head === undefined || one.from > now) return [];
    const luck = numberOf('luck', spec.name, one.key) % 12;
    return seedRun(
      {
        ...one,
        repo: spec.name,
        title: one.name,
        event: 'schedule',
        branch: 'main',
        sha: head.sha,
        actor: 'tomas',
        outcome: luck === 0 ? 'failure' : luck === 1 && one.workflow === 'nightly' ? 'cancelled' : 'success',
        jobs: [one.workflow === 'nightly' ? 'run' : 'govern'],
      },
      now,
    );
  });
}
