import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { actOnFinding } from '../../../../src-main/features/intelligence/act-on-finding.ts';
import { harness } from '../../../../src-main/features/intelligence/harness.ts';
import { lastAttempts } from '../../../../src-main/features/intelligence/store.ts';
import { type ActClass, type Autonomy, autonomy } from '../../../../src-shared/api/guardrails.ts';
import type { Call } from '../../../../src-shared/api/handler.ts';
import { routeTable } from '../../../../src-shared/api/index.ts';
import { unsafeRoutes, writers } from '../../../support/act-paths.ts';
import { actsOn, deployment, deploymentNamed, newKey, settleWorkloads } from '../../../support/acts.ts';
import { startTestCluster, type TestCluster } from '../../../support/kube-api.ts';
import { repoRoot } from '../../../support/repo-root.ts';
import { worstPlatform } from '../../../support/worst-platform.ts';

describe('no path acts around the guardrails', () => {
  it('every route that is no read says how it is held, and each one of a person asks for their session', () => {
    const classOf = new Map<string, string>(routeTable.map(({ id, access }) => [id, access.kind]));
    for (const [id, held] of Object.entries(unsafeRoutes))
      if (held === 'person')
        expect([id, classOf.get(id)]).toEqual([id, expect.stringMatching(/^(write|own|read)$/)]);
    expect(Object.keys(unsafeRoutes).sort()).toEqual(
      routeTable
        .filter(({ method }) => method !== 'GET')
        .map(({ id }) => id)
        .sort(),
    );
  });

  it.each(writers)(
    'only the files of the table call $name, and those of the platform ask first',
    ({ call, files }) => {
      const callers = sources().filter((file) => call.test(textOf(file)));
      expect(callers).toEqual(Object.keys(files).sort());
      // What passes an act on to the registry is asked there.
      for (const [file, held] of Object.entries(files))
        if (held === 'decide')
          expect([file, /\bdecide\(|acts(\(\))?\.perform\(/.test(textOf(file))]).toEqual([file, true]);
    },
  );

  /** Files of the program that runs for a platform: not its double, its backends or its sources' own writing. */
  function sources(): string[] {
    return [
      'src-main/features',
      'src-main/console',
      'src-main/start',
      'src-main/commands',
      'src-main/desktop',
    ]
      .flatMap((folder) =>
        readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' }).map(
          (file) => `${folder}/${file}`,
        ),
      )
      .filter((file) => file.endsWith('.ts'))
      .sort();
  }
  const textOf = (file: string): string => readFileSync(join(repoRoot, file), 'utf8');
});

type Registry = Awaited<ReturnType<typeof actsOn>>;
/** A path on which the platform acts. `approvedBy`: who approved exactly this act; some paths begin with a person who does. */
type Path = {
  readonly name: string;
  readonly class: ActClass;
  readonly always?: 'approved';
  act(registry: Registry, approvedBy: string | undefined): Promise<unknown>;
};

let commands = 0;
const never = new AbortController().signal;
const call = {
  caller: { email: 'ada' },
  address: '::1',
  record: () => undefined,
  signal: never,
} as unknown as Call;
const restart = { target: 'test', act: 'restart', object: deploymentNamed('idle'), args: {} } as const;

async function actOn(registry: Registry, id: string): Promise<unknown> {
  const db = () => registry.store.db;
  const { acts: _none, ...platform } = worstPlatform(['lab']);
  const agents = async () => ({
    ...(await platform.read['fleet.agents']({ params: undefined, query: {}, body: undefined }, call)),
    items: [
      {
        name: 'idle',
        workload: { kind: 'Deployment' as const, name: 'idle', namespace: 'shop' },
        enabled: true,
        state: 'failing' as const,
      },
    ],
  });
  const parts = {
    ...platform,
    read: { ...platform.read, 'fleet.agents': agents },
    harnessDb: db,
    audit: {
      begin: async () => ({
        record: () => undefined,
        success: async () => undefined,
        fail: async () => undefined,
        refuse: async () => undefined,
      }),
    },
    commands: {
      enqueue: async (_email: string, command: string) => {
        commands += 1;
        return { id: 'c', command, state: 'queued' as const, queued_at: new Date().toISOString() };
      },
      find: async () => undefined,
    },
    decide: registry.guardrails.decide,
    acts: registry.acts,
    lastAttempts: (revisions: readonly string[]) => lastAttempts(db(), revisions),
  };
  const { items } = await harness(parts, { call, target: undefined });
  const revision = items.find((each) => each.id === id)?.revision ?? '';
  return actOnFinding(parts, { call, target: undefined }, { params: { id }, query: {}, body: { revision } });
}

/** Every path on which the platform acts by a function of its own; a new one is a line here. */
const paths: readonly Path[] = [
  {
    name: 'the registry of acts',
    class: 'workloads',
    async act({ acts }, approvedBy) {
      const actor = { kind: 'platform', by: 'playbook', approvedBy } as const;
      const { digest } = await acts.preview(restart, actor, never);
      await acts.perform({ ...restart, digest, key: newKey() }, actor, never);
    },
  },
  {
    name: 'the harness, on an object',
    class: 'workloads',
    always: 'approved',
    act: (registry) => actOn(registry, 'agents'),
  },
  {
    name: 'the harness, by a dispatch',
    class: 'agents',
    always: 'approved',
    act: (registry) => actOn(registry, 'ownership'),
  },
];

describe('the platform acts only as the guardrails allow', () => {
  let cluster: TestCluster | undefined;
  let registry: Registry | undefined;
  afterEach(async () => {
    await registry?.close();
    await cluster?.close();
  });

  const cases = paths.flatMap((path) =>
    autonomy.options.flatMap((limit) =>
      (path.always === 'approved' ? ['ada'] : [undefined, 'ada']).map((approvedBy) => ({
        path,
        limit,
        approvedBy,
      })),
    ),
  );
  const mayAct = (limit: Autonomy, approvedBy: string | undefined): boolean =>
    limit === 'auto' || (limit === 'ask' && approvedBy !== undefined);

  it.each(cases)(
    '$path.name, set to $limit, approved by $approvedBy',
    async ({ path, limit, approvedBy }) => {
      cluster = await startTestCluster([deployment('idle', { spec: { replicas: 0 } })]);
      settleWorkloads(cluster);
      registry = await actsOn(cluster);
      commands = 0;
      await registry.guardrails.set(
        { revision: 0, autonomy: { [path.class]: limit } },
        {
          caller: call.caller,
          record: () => undefined,
        },
      );
      await path.act(registry, approvedBy).catch(() => undefined);
      const writes = cluster.requests.filter(
        ({ method, path: sent }) => method !== 'GET' && !sent.includes('dryRun') && !sent.includes('reviews'),
      );
      expect(writes.length + commands).toBe(mayAct(limit, approvedBy) ? 1 : 0);
    },
  );
});
