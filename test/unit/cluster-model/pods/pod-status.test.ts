import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { judgePod, podStatus, resources } from '../../../../src-main/cluster-model/index.ts';
import { repoRoot } from '../../../support/repo-root.ts';

type Fields = Record<string, unknown>;
const now = Date.parse('2026-11-21T12:00:00Z');
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

const pod = (status: Fields, spec: Fields = {}, metadata: Fields = {}) =>
  resources.pods.schema.parse({
    metadata: { name: 'api', namespace: 'shop', creationTimestamp: ago(7200), ...metadata },
    spec: { containers: [{ name: 'main' }], ...spec },
    status: { phase: 'Running', startTime: ago(7200), ...status },
  });
const conditions = (...types: string[]) => types.map((type) => ({ type, status: 'True' }));
const runs = (name: string, more: Fields = {}) => ({
  name,
  ready: true,
  started: true,
  state: { running: { startedAt: ago(7000) } },
  ...more,
});
const waits = (name: string, reason: string, message = '', more: Fields = {}) => ({
  name,
  ready: false,
  state: { waiting: { reason, message } },
  ...more,
});
const ended = (name: string, exitCode: number, more: Fields = {}) => ({
  name,
  ready: false,
  state: { terminated: { exitCode, ...more } },
});
const init = (...names: string[]) => names.map((name) => ({ name }));
const sidecar = { name: 'mesh', restartPolicy: 'Always' };

describe('the STATUS of a pod', () => {
  it.each<[string, ReturnType<typeof pod>]>([
    ['Running', pod({ containerStatuses: [runs('main')] })],
    ['Pending', pod({ phase: 'Pending' })],
    ['CrashLoopBackOff', pod({ containerStatuses: [waits('main', 'CrashLoopBackOff')] })],
    ['Error', pod({ containerStatuses: [ended('main', 1, { reason: 'Error' })] })],
    ['ExitCode:3', pod({ containerStatuses: [ended('main', 3)] })],
    ['Signal:9', pod({ containerStatuses: [ended('main', 137, { signal: 9 })] })],
    [
      'Completed',
      pod({ phase: 'Succeeded', containerStatuses: [ended('main', 0, { reason: 'Completed' })] }),
    ],
    [
      'NotReady',
      pod({ containerStatuses: [runs('main'), ended('job', 0, { reason: 'Completed' })].reverse() }),
    ],
    [
      'Running',
      pod({
        conditions: conditions('Ready'),
        containerStatuses: [ended('job', 0, { reason: 'Completed' }), runs('main')],
      }),
    ],
    ['Evicted', pod({ phase: 'Failed', reason: 'Evicted' })],
    [
      'SchedulingGated',
      pod({
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
      }),
    ],
    ['Terminating', pod({ containerStatuses: [runs('main')] }, {}, { deletionTimestamp: ago(1) })],
    ['Unknown', pod({ reason: 'NodeLost' }, {}, { deletionTimestamp: ago(1) })],
    [
      'Completed',
      pod(
        { phase: 'Succeeded', containerStatuses: [ended('main', 0, { reason: 'Completed' })] },
        {},
        { deletionTimestamp: ago(1) },
      ),
    ],
    [
      'Init:0/2',
      pod(
        { phase: 'Pending', initContainerStatuses: [runs('a'), waits('b', 'PodInitializing')] },
        { initContainers: init('a', 'b') },
      ),
    ],
    [
      'Init:1/2',
      pod(
        { phase: 'Pending', initContainerStatuses: [ended('a', 0), waits('b', 'PodInitializing')] },
        { initContainers: init('a', 'b') },
      ),
    ],
    [
      'Init:CrashLoopBackOff',
      pod(
        { phase: 'Pending', initContainerStatuses: [waits('a', 'CrashLoopBackOff')] },
        { initContainers: init('a') },
      ),
    ],
    [
      'Init:Error',
      pod(
        { phase: 'Pending', initContainerStatuses: [ended('a', 1, { reason: 'Error' })] },
        { initContainers: init('a') },
      ),
    ],
    [
      'Init:ExitCode:2',
      pod({ phase: 'Pending', initContainerStatuses: [ended('a', 2)] }, { initContainers: init('a') }),
    ],
    [
      'PodInitializing',
      pod(
        {
          phase: 'Pending',
          initContainerStatuses: [runs('mesh')],
          containerStatuses: [waits('main', 'PodInitializing')],
        },
        { initContainers: [sidecar] },
      ),
    ],
  ])('is %s', (word, given) => {
    expect(podStatus(given).label).toBe(word);
  });

  it('counts a native sidecar as ready, and its restarts with those of the containers', () => {
    const given = pod(
      {
        conditions: conditions('Initialized', 'Ready'),
        initContainerStatuses: [
          { ...ended('migrate', 0), restartCount: 5 },
          runs('mesh', { restartCount: 2 }),
        ],
        containerStatuses: [runs('main', { restartCount: 1 })],
      },
      { initContainers: [{ name: 'migrate' }, sidecar] },
    );
    expect(podStatus(given)).toEqual({ label: 'Running', ready: 2, restarts: 3 });
  });
});

describe('why a pod stands as it does', () => {
  const readyPod = conditions('Initialized', 'Ready');
  it.each<[string, string | undefined, ReturnType<typeof pod>]>([
    ['healthy', undefined, pod({ conditions: readyPod, containerStatuses: [runs('main')] })],
    ['idle', undefined, pod({ phase: 'Succeeded' })],
    [
      'failing',
      'cannot start: ConfigMap app does not exist',
      pod({ containerStatuses: [waits('main', 'CreateContainerConfigError', 'configmap "app" not found')] }),
    ],
    [
      'failing',
      'cannot start: Secret db has no key url',
      pod({
        containerStatuses: [
          waits('main', 'CreateContainerConfigError', "couldn't find key url in Secret shop/db"),
        ],
      }),
    ],
    [
      'failing',
      'image shop/api:1 cannot be pulled: the registry does not admit the node',
      pod({
        containerStatuses: [waits('main', 'ErrImagePull', '401 Unauthorized', { image: 'shop/api:1' })],
      }),
    ],
    [
      'failing',
      'init container migrate ended: Error, exit code 1',
      pod(
        { initContainerStatuses: [ended('migrate', 1, { reason: 'Error' })] },
        { initContainers: init('migrate') },
      ),
    ],
    [
      'failing',
      'no node takes it: 0/3 nodes are available: 3 Insufficient cpu',
      pod({
        phase: 'Pending',
        conditions: [
          {
            type: 'PodScheduled',
            status: 'False',
            reason: 'Unschedulable',
            message: '0/3 nodes are available: 3 Insufficient cpu.',
          },
        ],
      }),
    ],
    [
      'working',
      'is starting: ContainerCreating',
      pod({ phase: 'Pending', startTime: ago(20), containerStatuses: [waits('main', 'ContainerCreating')] }),
    ],
    [
      'failing',
      'has been starting for 2 h: ContainerCreating',
      pod({ phase: 'Pending', containerStatuses: [waits('main', 'ContainerCreating')] }),
    ],
    [
      'degraded',
      '1 container not ready: main',
      pod({ conditions: conditions('Initialized'), containerStatuses: [runs('main', { ready: false })] }),
    ],
    [
      'working',
      '1 container not ready: main',
      pod({
        conditions: conditions('Initialized'),
        containerStatuses: [runs('main', { ready: false, state: { running: { startedAt: ago(20) } } })],
      }),
    ],
    [
      'degraded',
      'ready again, but container main ended 4 min ago: OOMKilled, exit code 137',
      pod({
        conditions: readyPod,
        containerStatuses: [
          runs('main', {
            lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: ago(240) } },
          }),
        ],
      }),
    ],
    [
      'healthy',
      undefined,
      pod({
        conditions: readyPod,
        containerStatuses: [
          runs('main', {
            lastState: { terminated: { exitCode: 1, reason: 'Error', finishedAt: ago(7100) } },
          }),
        ],
      }),
    ],
    [
      // Of nobody's: no controller waits for it.
      'degraded',
      'Evicted: The node was low on memory',
      pod({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' }),
    ],
    [
      'working',
      'is being removed',
      pod({ containerStatuses: [runs('main')] }, {}, { deletionTimestamp: ago(1) }),
    ],
    [
      'degraded',
      'was to be gone 1 h ago and is still there'.replace('1 h', '60 min'),
      pod({ containerStatuses: [runs('main')] }, {}, { deletionTimestamp: ago(3600) }),
    ],
  ])('%s: %s', (state, reason, given) => {
    const verdict = judgePod(given, now);
    expect([verdict.state, verdict.reason]).toEqual([state, reason]);
  });
});

/** Real pods of kubectl-status' own tests, with what kubectl prints of each. */
const samples = resolve(repoRoot, '../shared/bundles/kubectl-status/artifacts');
const printed: Readonly<Record<string, string>> = {
  'pod-deleted-due-to-missing-container': 'ContainerStatusUnknown',
  'pod-imagepullbackoff-with-valid-secret': 'ImagePullBackOff',
  'pod-job-completed': 'Completed',
  'pod-liveness-kill-137': 'CrashLoopBackOff',
  'pod-marked-for-deletion': 'Terminating',
  'pod-marked-for-deletion-completed': 'Completed',
  'pod-native-sidecar': 'Running',
  'pod-pending-waiting-container': 'ContainerCreating',
  'pod-poststart-hook-error': 'PostStartHookError',
  'pod-probe-readiness-failing': 'Running',
  'pod-scheduling-gated': 'SchedulingGated',
};
const why = existsSync(samples) ? '' : ` (skipped: ${samples} is not there)`;

describe.skipIf(why !== '')(`the STATUS of real pods${why}`, () => {
  it.each(Object.entries(printed))('%s is %s', (name, word) => {
    // The pod comes first; what belongs to it may follow.
    const [first] = parseAllDocuments(readFileSync(join(samples, `${name}.yaml`), 'utf8'));
    const object: unknown = first?.toJS();
    expect(podStatus(resources.pods.schema.parse(object)).label).toBe(word);
  });
});
