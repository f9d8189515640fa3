import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { willowCa } from '../cluster/certificates.ts';
import { deployment, minutesAgo, namespace, node, object, pod, waiting } from '../cluster/harness.ts';
import { diagnosed, seenIn } from './harness.ts';

type Fields = Record<string, unknown>;
const place = { namespace: 'shop' };

const event = (reason: string, message: string, about: Fields, more: Fields = {}) =>
  object(
    'v1',
    'Event',
    { name: `e-${reason}`, ...place },
    {
      type: 'Warning',
      reason,
      message,
      count: 4,
      lastTimestamp: minutesAgo(3),
      involvedObject: { ...place, ...about },
      ...more,
    },
  );
const status = (name: string, state: Fields, more: Fields = {}) => ({
  name,
  ready: false,
  started: false,
  restartCount: 0,
  image: 'registry.example/main:1',
  state,
  ...more,
});
const crash = (name: string, ended: Fields) =>
  status(
    name,
    { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } },
    { restartCount: 7, lastState: { terminated: { reason: 'Error', ...ended } } },
  );
const notReady = [
  { type: 'Initialized', status: 'True' },
  { type: 'Ready', status: 'False' },
];
const symptomsOn = async (objects: RawObject[], options?: Parameters<typeof diagnosed>[1]) => {
  const { report } = await diagnosed([namespace('shop'), ...objects], options);
  return report.findings.map(({ symptom }) => symptom);
};

describe('findings', () => {
  it('are of every container of a pod, not of its first one, each with its own words', async () => {
    const { report } = await diagnosed([
      pod({
        name: 'web-1',
        ...place,
        of: 'web',
        spec: { containers: [{ name: 'main' }, { name: 'side' }] },
        status: {
          conditions: notReady,
          containerStatuses: [
            status('main', {
              waiting: { reason: 'CreateContainerConfigError', message: 'secret "keys" not found' },
            }),
            status('side', {
              waiting: { reason: 'ImagePullBackOff', message: 'registry.example/side:1: not found' },
            }),
          ],
        },
      }),
    ]);
    const told = report.findings.flatMap(({ evidence }) =>
      evidence.map(({ container, text }) => [container, text]),
    );
    expect(told).toContainEqual(['main', expect.stringContaining('secret "keys" not found')]);
    expect(told).toContainEqual(['side', expect.stringContaining('registry.example/side:1: not found')]);
  });

  it('are of init containers, too', async () => {
    const { report } = await diagnosed([
      pod({
        name: 'web-1',
        ...place,
        of: 'web',
        spec: { initContainers: [{ name: 'migrate' }] },
        status: {
          phase: 'Pending',
          conditions: [{ type: 'Initialized', status: 'False' }],
          initContainerStatuses: [crash('migrate', { exitCode: 3 })],
          containerStatuses: [status('main', { waiting: { reason: 'PodInitializing' } })],
        },
      }),
    ]);
    const [first] = report.findings;
    expect(first?.evidence.map(({ container }) => container)).toContain('migrate');
    expect(first?.objects).toEqual([{ kind: 'Deployment', name: 'web', ...place }]);
  });

  it('are one for a workload however many of its pods show it, with five pieces of evidence and the count of all', async () => {
    const pods = Array.from({ length: 8 }, (_, index) =>
      pod({
        name: `web-${index}`,
        ...place,
        of: 'web',
        status: waiting('ErrImageNeverPull', 'image is not present'),
      }),
    );
    const { report } = await diagnosed(pods);
    const found = report.findings.filter(({ objects }) => objects.some(({ name }) => name === 'web'));
    expect(found.map(({ symptom }) => symptom)).toHaveLength(1);
    expect([found[0]?.evidence.length, found[0]?.evidence_count]).toEqual([5, 8]);
    expect(found[0]?.id).toBe(`${found[0]?.symptom}:Deployment/shop/web`);
  });

  it('fold what is general into what explains it, and name both', async () => {
    const { report } = await diagnosed([
      pod({
        name: 'web-1',
        ...place,
        of: 'web',
        status: {
          conditions: notReady,
          containerStatuses: [
            crash('main', { reason: 'OOMKilled', exitCode: 137, finishedAt: minutesAgo(2) }),
          ],
        },
      }),
    ]);
    expect(report.findings.map(({ symptom }) => symptom)).toEqual(['out-of-memory']);
    expect(report.findings[0]?.explains).toContain('crash-loop');
  });

  it('that could both be the cause of the same compete, what a program said before a state', async () => {
    const log = 'starting\nlevel=error msg="no credentials" variable=TOKEN reason="the variable is empty"\n';
    const { report } = await diagnosed(
      [
        pod({
          name: 'web-1',
          ...place,
          of: 'web',
          status: {
            conditions: notReady,
            containerStatuses: [crash('main', { exitCode: 127, finishedAt: minutesAgo(2) })],
          },
        }),
      ],
      { logs: { 'shop/web-1/main': log } },
    );
    const [first, second] = report.findings;
    expect([first?.evidence[0]?.kind, second?.evidence[0]?.text]).toEqual([
      'log',
      expect.stringContaining('exit code 127'),
    ]);
    expect(first?.competes_with).toEqual([second?.id]);
    expect(second?.competes_with).toEqual([first?.id]);
    expect(first?.evidence[0]).toMatchObject({ line: 2, before: ['starting'], text: log.split('\n')[1] });
  });

  it('hold no placeholder that was not filled, and put no word of a log into a command that a shell would read', async () => {
    const { report } = await diagnosed(
      [
        pod({
          name: 'web-1',
          ...place,
          of: 'web',
          status: { conditions: notReady, containerStatuses: [crash('main', { exitCode: 1 })] },
        }),
      ],
      { logs: { 'shop/web-1/main': 'dial tcp: lookup $(reboot).example on 10.0.0.10:53: no such host\n' } },
    );
    const texts = report.findings.flatMap(({ title, cause, fix }) => [
      title,
      cause,
      ...fix.map(({ text }) => text),
    ]);
    for (const text of texts)
      expect(text).not.toMatch(/\{(?:namespace|pod|container|workload|kind|name|node|image)\}/);
    const commands = report.findings.flatMap(({ fix }) => fix.flatMap(({ command }) => command ?? []));
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.join('\n')).not.toContain('reboot');
    expect(commands.join('\n')).toMatch(/-n shop .*web/i);
  });

  it('are none of a container that restarted with its node', async () => {
    const restarted = (name: string) =>
      pod({
        name,
        ...place,
        of: name,
        status: {
          conditions: notReady,
          containerStatuses: [
            status(
              'main',
              { running: { startedAt: minutesAgo(2) } },
              {
                restartCount: 9,
                lastState: { terminated: { reason: 'Error', exitCode: 137, finishedAt: minutesAgo(3) } },
              },
            ),
          ],
        },
      });
    const found = await symptomsOn([node('node-a'), ...['a', 'b', 'c', 'd'].map(restarted)]);
    expect(found).toContain('node-restarted');
    expect(found.filter((id) => id.startsWith('crash-') || id === 'restarts-recovered')).toEqual([]);
  });

  it('are none of what is ready again, but for one that is worth knowing', async () => {
    const { report } = await diagnosed(
      [
        deployment({ name: 'web', ...place }),
        pod({
          name: 'web-1',
          ...place,
          of: 'web',
          status: {
            containerStatuses: [
              status(
                'main',
                { running: { startedAt: minutesAgo(60) } },
                {
                  ready: true,
                  restartCount: 1,
                  lastState: { terminated: { reason: 'Error', exitCode: 1, finishedAt: minutesAgo(61) } },
                },
              ),
            ],
          },
        }),
        event('BackOff', 'Back-off restarting failed container main in pod web-1', {
          kind: 'Pod',
          name: 'web-1',
        }),
      ],
      {
        logs: {
          'shop/web-1/main': `${minutesAgo(400)} dial tcp 10.0.0.9:5432: connect: connection refused\n`,
        },
      },
    );
    expect(report.findings.map(({ severity }) => severity)).toEqual(['info']);
    expect(report.findings[0]?.symptom).toBe('restarts-recovered');
  });

  it('are none of what a Job did that is complete, or a pod that was replaced', async () => {
    const ended = (name: string, phase: string, exitCode: number, owner: { kind: string; name: string }) =>
      pod({
        name,
        ...place,
        owner,
        spec: { restartPolicy: 'Never' },
        status: {
          phase,
          conditions: notReady,
          containerStatuses: [
            status('main', { terminated: { reason: exitCode === 0 ? 'Completed' : 'Error', exitCode } }),
          ],
        },
      });
    const found = await symptomsOn([
      object(
        'batch/v1',
        'Job',
        { name: 'migrate', ...place },
        {
          spec: { template: {} },
          status: { succeeded: 1, failed: 1, conditions: [{ type: 'Complete', status: 'True' }] },
        },
      ),
      ended('migrate-1', 'Failed', 1, { kind: 'Job', name: 'migrate' }),
      ended('migrate-2', 'Succeeded', 0, { kind: 'Job', name: 'migrate' }),
    ]);
    expect(found).toEqual([]);
  });

  it('are none of a pod that has only just begun to start', async () => {
    const found = await symptomsOn([
      {
        ...pod({
          name: 'web-1',
          ...place,
          of: 'web',
          status: {
            phase: 'Pending',
            startTime: minutesAgo(0),
            conditions: [
              { type: 'PodScheduled', status: 'True' },
              { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
            ],
            containerStatuses: [status('main', { waiting: { reason: 'ContainerCreating' } })],
          },
        }),
      },
    ]);
    expect(found).toEqual([]);
  });

  it('are none of what happened to pods that are gone', async () => {
    const scheduling = event('FailedScheduling', '0/3 nodes are available: 3 Insufficient cpu.', {
      kind: 'Pod',
      name: 'web-9',
    });
    expect(await symptomsOn([scheduling])).toEqual([]);
    const unread = {
      states: { pods: { state: 'forbidden' as const, gaps: ['Forbidden: list pods in shop.'] } },
    };
    expect(await symptomsOn([scheduling], unread)).not.toEqual([]);
  });
});

describe('what is not there', () => {
  it('is told for each kind that was not read, with the symptoms that hang on it, and is no finding', async () => {
    const { report, catalogue } = await diagnosed([namespace('shop')], {
      states: { pods: { state: 'forbidden', gaps: ['Forbidden: list pods in shop.'] } },
    });
    const pods = report.not_checked.find(({ what }) => what === 'Pods');
    expect(pods?.reason).toBe('Forbidden: list pods in shop.');
    const ofContainers = catalogue.filter(({ look_for }) => look_for.some((clause) => 'container' in clause));
    expect(pods?.symptoms).toEqual(expect.arrayContaining(ofContainers.map(({ id }) => id)));
    const ofQuotas = catalogue.filter(({ look_for }) =>
      look_for.every((clause) => 'check' in clause && clause.check === 'quota_used_up'),
    );
    expect(pods?.symptoms).not.toEqual(expect.arrayContaining(ofQuotas.map(({ id }) => id)));
    expect(report.findings).toEqual([]);
    expect(report.complete).toBe(false);
  });

  it('is not told of a kind that the server does not have', async () => {
    const { report } = await diagnosed([namespace('shop')], {
      states: { 'ingresses.networking.k8s.io': { state: 'not_served', gaps: [] } },
    });
    expect(report.not_checked.map(({ what }) => what)).not.toContain('Ingresses');
    expect(report.checked.map(({ what }) => what)).not.toContain('Ingresses');
  });

  it('is not taken for peace: without any event it is said that nothing follows from it', async () => {
    const { report } = await diagnosed([namespace('shop')]);
    const events = report.not_checked.find(({ what }) => what === 'Events');
    expect(events?.reason).toMatch(/not one event/);
    expect(events?.symptoms.length).toBeGreaterThan(10);
  });

  it('is everything, when the cluster does not answer', async () => {
    const kinds = [
      'pods',
      'deployments.apps',
      'services',
      'nodes',
      'secrets',
      'configmaps',
      'events',
      'namespaces',
    ];
    const { report } = await diagnosed([], {
      states: Object.fromEntries(
        kinds.map((kind) => [
          kind,
          { state: 'unavailable' as const, gaps: ['The cluster did not answer: connection refused.'] },
        ]),
      ),
    });
    expect(report.findings).toEqual([]);
    expect(report.not_checked.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['Pods', 'Deployments', 'Services', 'Nodes', 'Secrets', 'ConfigMaps', 'Events']),
    );
  });
});

describe('the environment of a backend', () => {
  const image = 'registry.example/cockpit:1';
  const plane = object(
    'platform.dev/v1alpha1',
    'CockpitControlPlane',
    { name: 'cockpit', ...place, generation: 1 },
    {
      spec: { image, replicas: 1 },
      status: { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] },
    },
  );
  const backend = (container: Fields) => deployment({ name: 'cockpit', ...place, image, container });
  const blank = /INFERENCE_REMOTE_URL=" "/;
  const settings = (value: string) =>
    object('v1', 'ConfigMap', { name: 'settings', ...place }, { data: { INFERENCE_REMOTE_URL: value } });
  const fromSettings = { envFrom: [{ configMapRef: { name: 'settings' } }] };
  const set = (variable: Fields) => ({ env: [{ name: 'INFERENCE_REMOTE_URL', ...variable }] });
  const evidence = async (...objects: RawObject[]) =>
    seenIn((await diagnosed([namespace('shop'), plane, ...objects])).report).join('\n');

  it('has a variable that is blank', async () => {
    expect(await evidence(backend(set({ value: ' ' })))).toMatch(blank);
  });

  it('has one that a ConfigMap sets to a blank, as a whole or by its key', async () => {
    expect(await evidence(backend(fromSettings), settings(' '))).toMatch(blank);
    const key = { valueFrom: { configMapKeyRef: { name: 'settings', key: 'INFERENCE_REMOTE_URL' } } };
    expect(await evidence(backend(set(key)), settings(' '))).toMatch(blank);
  });

  it.each([
    [
      'is set beside a blank of a ConfigMap, which it wins over',
      { ...fromSettings, ...set({ value: 'https://a.example' }) },
    ],
    [
      'comes of a Secret, whose value is not read',
      set({ valueFrom: { secretKeyRef: { name: 'keys', key: 'url' } } }),
    ],
    ['a bundle has redacted', set({ value: '***HIDDEN***' })],
  ])('has no blank variable that %s', async (_how, container) => {
    expect(await evidence(backend(container), settings(' '))).not.toMatch(blank);
  });

  it('is shown without the values of credentials', async () => {
    const { report } = await diagnosed([
      plane,
      backend({
        env: [
          { name: 'AUTH_JWT_SECRET', value: 'hunter2-hunter2-hunter2' },
          { name: 'OBJECTSTORE_ENDPOINT', value: 'http://key:hunter2@store.example' },
        ],
      }),
    ]);
    expect(JSON.stringify(report)).not.toContain('hunter2');
    expect(seenIn(report).join('\n')).toContain('OBJECTSTORE_ENDPOINT=http://key:***HIDDEN***@store.example');
  });
});

describe('a certificate', () => {
  it('is judged at the time a bundle was taken, not at the time it is read', async () => {
    // It is valid from 21 November 2026 to 19 February 2027.
    const secret = object(
      'v1',
      'Secret',
      { name: 'web-tls', ...place },
      {
        type: 'kubernetes.io/tls',
        data: { 'tls.crt': Buffer.from(willowCa).toString('base64'), 'tls.key': '***HIDDEN***' },
      },
    );
    const taken = (at: number) => symptomsOn([secret], { source: 'bundle', takenAt: at });
    expect(await taken(Date.UTC(2026, 11, 15))).not.toContain('tls-certificate-expired');
    // 25 days of 90 are left, and what renews such certificates has not begun to be late.
    expect(await taken(Date.UTC(2027, 0, 25))).toEqual([]);
    expect(await taken(Date.UTC(2027, 1, 10))).toContain('tls-certificate-expires-soon');
    expect(await taken(Date.UTC(2027, 2, 1))).toContain('tls-certificate-expired');
  });

  it('that was left out of a bundle is not judged', async () => {
    const secret = object(
      'v1',
      'Secret',
      { name: 'web-tls', ...place },
      {
        type: 'kubernetes.io/tls',
        data: { 'tls.crt': '***HIDDEN***', 'tls.key': '***HIDDEN***' },
      },
    );
    expect(
      (await symptomsOn([secret], { source: 'bundle', takenAt: Date.now() })).filter((id) =>
        id.startsWith('tls'),
      ),
    ).toEqual([]);
  });
});
