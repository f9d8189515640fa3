import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { diagnose, diagnoseText, readCatalogue } from '../../../../src-main/features/troubleshoot/index.ts';
import { type Clause, type Symptom, symptom } from '../../../../src-shared/api/symptoms.ts';
import type { Finding } from '../../../../src-shared/api/troubleshoot.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { deployment, minutesAgo, node, object, pod, waiting } from '../cluster/harness.ts';

// How a clause is judged, whatever the catalogue has: entries of a test's own.

const place = { namespace: 'shop' };
const entry = (id: string, look_for: Clause[], more: Partial<Symptom> = {}): Symptom =>
  symptom.parse({
    id,
    area: 'workloads',
    title: `${id} of {workload}`,
    severity: 'warning',
    look_for,
    cause: 'Cause of {kind} {name}.',
    fix: [{ text: 'Look at {pod}.', command: 'kubectl -n {namespace} logs {pod} -c {container}' }],
    ruled_out_by: 'It is well.',
    reference: 'this test',
    ...more,
  });

async function findings(
  objects: RawObject[],
  catalogue: Symptom[],
  options: Parameters<typeof objectCluster>[1] = {},
): Promise<readonly Finding[]> {
  const report = await diagnose(
    { id: 'test', cluster: objectCluster(objects, options) },
    { catalogue, now: Date.now, signal: new AbortController().signal, onProgress: () => undefined },
  );
  return report.findings;
}
const ids = async (...args: Parameters<typeof findings>) =>
  (await findings(...args)).map(({ symptom: id }) => id);

describe('a clause of the environment', () => {
  const plane = object(
    'platform.dev/v1alpha1',
    'CockpitControlPlane',
    { name: 'cockpit', ...place },
    { spec: { replicas: 1 }, status: {} },
  );
  const backend = (env: Record<string, unknown>[], envFrom: unknown[] = []) =>
    deployment({ name: 'cockpit', ...place, container: { env, envFrom } });
  const clause = (more: object): Clause => ({ environment: { part: ['cockpit'], name: 'SETTING', ...more } });
  const catalogue = [
    entry('is-unset', [clause({ is: 'unset' })]),
    entry('is-blank', [clause({ is: 'blank' })]),
    entry('is-set', [clause({ is: 'set' })]),
    entry('is-http', [clause({ matches: '^http:' })]),
    entry('is-not-http', [clause({ not_matches: '^http:' })]),
    entry('of-campaign', [{ environment: { part: ['campaign'], name: 'SETTING', is: 'unset' } }]),
  ];
  const reference = { name: 'SETTING', valueFrom: { secretKeyRef: { name: 'keys', key: 'a' } } };

  it.each<[string, RawObject[], string[]]>([
    ['nothing', [backend([])], ['is-unset']],
    ['nothing to say', [backend([{ name: 'SETTING', value: ' ' }])], ['is-blank']],
    ['an address', [backend([{ name: 'SETTING', value: 'http://a' }])], ['is-set', 'is-http']],
    ['another value', [backend([{ name: 'SETTING', value: 'https://a' }])], ['is-set', 'is-not-http']],
    ['a reference, whose value is not known', [backend([reference])], ['is-set']],
    ['what may stand in a Secret as a whole', [backend([], [{ secretRef: { name: 'all' } }])], []],
    ['no Deployment, so what the operator adds is not known', [], []],
  ])('of a backend with %s', async (_what, objects, expected) => {
    const unread = { states: { secrets: { state: 'forbidden' as const, gaps: ['Forbidden.'] } } };
    expect((await ids([plane, ...objects], catalogue, unread)).sort()).toEqual([...expected].sort());
  });
});

describe('a symptom', () => {
  const statusOf = (name: string, reason: string, exitCode: number) => ({
    name,
    ready: false,
    restartCount: 3,
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
    lastState: { terminated: { reason, exitCode, finishedAt: minutesAgo(3) } },
  });
  const crashing = (name: string, ...statuses: object[]) =>
    pod({
      name,
      ...place,
      of: 'web',
      status: {
        conditions: [
          { type: 'Initialized', status: 'True' },
          { type: 'Ready', status: 'False' },
        ],
        containerStatuses: statuses,
      },
    });
  const killed = entry('killed', [{ container: { exit_code: [137] } }], {
    unless: [{ container: { ended: ['OOMKilled'] } }],
  });

  it('is ruled out for the container that has what rules it out, and for no other', async () => {
    const [found, ...more] = await findings(
      [crashing('web-1', statusOf('a', 'OOMKilled', 137), statusOf('b', 'Error', 137))],
      [killed],
    );
    expect(more).toEqual([]);
    expect(found?.evidence.map(({ container }) => container)).toEqual(['b']);
  });

  it('is told with its words and commands filled by what was seen', async () => {
    const [found] = await findings([crashing('web-1', statusOf('a', 'Error', 137))], [killed]);
    expect(found).toMatchObject({
      id: 'killed:Deployment/shop/web',
      title: 'killed of web',
      cause: 'Cause of Deployment web.',
      fix: [{ text: 'Look at web-1.', command: 'kubectl -n shop logs web-1 -c a' }],
      objects: [{ kind: 'Deployment', name: 'web', ...place }],
      evidence: [
        {
          text: 'CrashLoopBackOff: back-off; Error, exit code 137',
          object: { kind: 'Pod', name: 'web-1' },
          times: 3,
        },
      ],
    });
  });

  it('marks in its evidence what the pattern matched, and takes names from it', async () => {
    const line = entry(
      'refused',
      [
        {
          log: {
            literal: 'connection refused',
            pattern: 'tcp (?<host>[\\d.]+):\\d+: connect: connection refused',
          },
        },
      ],
      { title: 'Nobody answers at {host}' },
    );
    const text = '2026-01-01 dial tcp 10.0.0.9:5432: connect: Connection Refused';
    const [found] = await findings([crashing('web-1', statusOf('a', 'Error', 1))], [line], {
      logs: { 'shop/web-1/a': `one\n${text}\nthree\n` },
    });
    const [piece] = found?.evidence ?? [];
    expect(found?.title).toBe('Nobody answers at 10.0.0.9');
    expect(piece).toMatchObject({ kind: 'log', line: 2, text, before: ['one'], after: ['three'] });
    expect(piece?.text.slice(...(piece?.match ?? []))).toBe('tcp 10.0.0.9:5432: connect: Connection Refused');
  });

  it('of one part of the platform is not looked for in the logs of others', async () => {
    const line = entry('grounding', [{ log: { literal: 'grounding is inactive', part: ['cockpit'] } }]);
    const logs = { 'shop/web-1/a': 'grounding is inactive\n' };
    expect(await ids([crashing('web-1', statusOf('a', 'Error', 1))], [line], { logs })).toEqual([]);
    const named = {
      ...crashing('web-1', statusOf('a', 'Error', 1)),
      spec: { nodeName: 'n', containers: [{ name: 'a', image: 'registry.example/cockpit:1' }] },
    };
    expect(await ids([named], [line], { logs })).toEqual(['grounding']);
  });

  it('that tells of a fault only where something fails is not found in the log of a container that is ready', async () => {
    const line = (only: object) => entry('refused', [{ log: { literal: 'connection refused', ...only } }]);
    const ready = (name: string) =>
      pod({
        name,
        ...place,
        of: 'web',
        status: {
          phase: 'Running',
          conditions: ['Initialized', 'Ready'].map((type) => ({ type, status: 'True' })),
          containerStatuses: [{ name: 'a', ready: true, state: { running: {} } }],
        },
      });
    const cluster = objectCluster([ready('well'), crashing('ill', statusOf('a', 'Error', 1))], {
      source: 'bundle',
      takenAt: Date.now(),
    });
    const hit = {
      literal: 0,
      line: 1,
      offset: 0,
      text: 'connection refused',
      column: 0,
      before: [],
      after: [],
    };
    const scanLogs: NonNullable<typeof cluster.scanLogs> = async () => ({
      files: 2,
      bytes: 100,
      gaps: [],
      logs: (['well', 'ill'] as const).map((name) => ({
        file: `logs/${name}.log`,
        of: { ...place, pod: name, container: 'a', run: 'current' as const },
        hits: [hit],
        counts: [1],
      })),
    });
    const files = async (only: object) => {
      const { findings: found } = await diagnose(
        { id: 'test', cluster: { ...cluster, scanLogs } },
        {
          catalogue: [line(only)],
          now: Date.now,
          signal: new AbortController().signal,
          onProgress: () => undefined,
        },
      );
      return found.flatMap(({ evidence }) => evidence.map(({ ref }) => ref)).sort();
    };
    expect(await files({})).toEqual(['logs/ill.log', 'logs/well.log']);
    expect(await files({ only_failing: true })).toEqual(['logs/ill.log']);
  });

  it('is as grave as what it explains', async () => {
    const general = entry('general', [{ container: { waiting: ['CrashLoopBackOff'] } }], {
      severity: 'critical',
    });
    const special = entry('special', [{ container: { exit_code: [137] } }], { explains: ['general'] });
    const [found, ...more] = await findings(
      [crashing('web-1', statusOf('a', 'Error', 137))],
      [special, general],
    );
    expect([found?.symptom, found?.severity, found?.explains, more]).toEqual([
      'special',
      'critical',
      ['general'],
      [],
    ]);
  });

  it('is looked for in the logs of a bundle all at once, each log with its file', async () => {
    const cluster = objectCluster([crashing('web-1', statusOf('a', 'Error', 1))], {
      source: 'bundle',
      takenAt: Date.now(),
    });
    const literals: string[][] = [];
    const scanLogs: NonNullable<typeof cluster.scanLogs> = async (ask) => {
      literals.push([...ask.literals]);
      return {
        files: 2,
        bytes: 100,
        gaps: ['logs/b.gz is broken off.'],
        logs: [
          {
            file: 'logs/web-1-previous.log',
            of: { ...place, pod: 'web-1', container: 'a', run: 'previous' },
            hits: [
              {
                literal: 0,
                line: 7,
                offset: 60,
                text: 'panic: no disk left',
                column: 7,
                before: [],
                after: [],
              },
            ],
            counts: [4],
          },
        ],
      };
    };
    const report = await diagnose(
      { id: 'test', cluster: { ...cluster, scanLogs } },
      {
        catalogue: [entry('disk', [{ log: { literal: 'No disk left' } }])],
        now: Date.now,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      },
    );
    expect(literals).toEqual([['no disk left']]);
    expect(report.findings[0]?.evidence).toEqual([
      expect.objectContaining({ ref: 'logs/web-1-previous.log', line: 7, times: 4, match: [7, 19] }),
    ]);
    expect(report.not_checked).toContainEqual({
      what: 'Logs',
      reason: 'logs/b.gz is broken off.',
      symptoms: ['disk'],
    });
  });
});

describe('one cause of several workloads', () => {
  const held = (of: string, reason: string, message: string) =>
    pod({ name: `${of}-1`, ...place, of, status: waiting(reason, message) });
  const wants = (of: string, ready = 0) =>
    deployment({
      name: of,
      ...place,
      ready,
      container: { env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'keys', key: 'token' } } }] },
    });
  const noSecret = (of: string) => held(of, 'CreateContainerConfigError', 'secret "keys" not found');
  const known = async (...objects: RawObject[]) => findings(objects, [...readCatalogue()]);
  const told = (all: readonly Finding[]) =>
    all.map(({ symptom: id, objects }) => [id, ...objects.map(({ name }) => name)]);

  it('is told once, with all of them and with what it explains of each', async () => {
    const all = await known(
      wants('web'),
      noSecret('web'),
      wants('api'),
      noSecret('api'),
      // It runs with what it has read before; the next pod of it would not start.
      wants('mail', 1),
      pod({ name: 'mail-1', ...place, of: 'mail' }),
    );
    expect(told(all)).toEqual([['secret-not-found', 'web', 'api', 'mail']]);
    expect(all[0]).toMatchObject({
      id: 'secret-not-found:Secret/shop/keys',
      title: expect.stringContaining('web (and api, mail)'),
      explains: expect.arrayContaining(['referenced-object-missing', 'workload-short']),
    });
    // A shell gets one name.
    expect(JSON.stringify(all[0]?.fix.map(({ command }) => command))).not.toContain('(and');
  });

  it('is told of each where the same words speak of different things', async () => {
    const all = await known(
      wants('web'),
      noSecret('web'),
      held('api', 'CreateContainerConfigError', 'secret "other" not found'),
    );
    expect(told(all).filter(([id]) => id === 'secret-not-found')).toEqual([
      ['secret-not-found', 'api'],
      ['secret-not-found', 'web'],
    ]);
  });

  it('is not a thing of the same name in another namespace', async () => {
    const other = (object: RawObject): RawObject => ({
      ...object,
      metadata: { ...(object.metadata as object), namespace: 'office' },
    });
    const all = await known(wants('web'), noSecret('web'), other(wants('web')), other(noSecret('web')));
    expect(all.map(({ id }) => id)).toEqual([
      'secret-not-found:Deployment/office/web',
      'secret-not-found:Deployment/shop/web',
    ]);
  });

  it('is a claim that several of them wait for', async () => {
    const unplaced = (of: string) =>
      pod({
        name: `${of}-1`,
        ...place,
        of,
        status: {
          phase: 'Pending',
          containerStatuses: [],
          conditions: [
            {
              type: 'PodScheduled',
              status: 'False',
              reason: 'Unschedulable',
              message: '0/3 nodes are available: persistentvolumeclaim "data" not found.',
            },
          ],
        },
      });
    expect(told(await known(unplaced('web'), unplaced('api')))).toEqual([
      ['unschedulable-claim-missing', 'web', 'api'],
    ]);
  });

  it('is not what two programs on one node have of their own', async () => {
    const crashing = (of: string) =>
      held(of, 'CrashLoopBackOff', 'back-off 5m0s restarting failed container');
    expect(told(await known(node('node-a'), crashing('web'), crashing('api')))).toEqual([
      ['crash-loop', 'api'],
      ['crash-loop', 'web'],
    ]);
  });

  it('is a node that does not report, of the pods that were lost with it', async () => {
    const lost = (of: string) =>
      pod({
        name: `${of}-1`,
        ...place,
        of,
        status: { phase: 'Failed', reason: 'NodeLost', message: 'Node is lost' },
      });
    const gone = node('node-a', {
      conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }],
    });
    const all = await known(gone, lost('web'), lost('api'));
    expect(told(all)).toEqual([['node-not-ready', 'node-a', 'web', 'api']]);
    expect(all[0]?.title).toBe('The node node-a is not ready');
  });
});

describe('a pasted text', () => {
  it('is explained in words that name nothing nobody has named', async () => {
    const lines = [
      'FATAL: password authentication failed for user "shop"',
      '{"msg":"refusing to serve: no session signing key. Set AUTH_JWT_SECRET"}',
      'Error: listen EADDRINUSE: address already in use :::7100',
    ];
    const { findings: all } = await diagnoseText(lines.join('\n'), readCatalogue());
    expect(all.length).toBe(3);
    for (const { title, cause, fix, ruled_out_by } of all)
      expect([title, cause, ruled_out_by, ...fix.map(({ text }) => text)].join(' ')).not.toMatch(/<| {2}/);
    expect(all.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'The database refuses the credentials of the workload (PostgreSQL)',
        'The cockpit has no session signing key',
      ]),
    );
  });
});

describe('an empty value in a bundle', () => {
  const web = deployment({
    name: 'web',
    ...place,
    ready: 0,
    container: {
      env: [{ name: 'GREETING', valueFrom: { configMapKeyRef: { name: 'texts', key: 'greeting' } } }],
    },
  });
  const catalogue = [entry('empty', [{ check: 'referenced_value_empty' }])];
  const found = (data: object) =>
    ids([web, object('v1', 'ConfigMap', { name: 'texts', ...place }, { data })], catalogue, {
      source: 'bundle',
      takenAt: Date.now(),
    });

  it('is one only where its neighbours kept theirs: else it was left out, and is not known', async () => {
    expect(await found({ greeting: '', other: 'Hello' })).toEqual(['empty']);
    expect(await found({ greeting: '', other: '' })).toEqual([]);
    expect(await found({ greeting: '***HIDDEN***', other: 'Hello' })).toEqual([]);
  });
});
