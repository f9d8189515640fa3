import { stringify } from 'yaml';
import type { ActRequest } from '../../src-main/features/acts/index.ts';
import type { KubeObject } from '../../src-main/kube-api/index.ts';
import type { ActId, ActObject } from '../../src-shared/api/acts.ts';
import { deployment, deploymentNamed } from './acts.ts';

/** Each act on an object of `actObjects`, with what the world looks like afterwards. */
export type ActFixture = {
  readonly request: ActRequest;
  /** Part of the method and path of its first write; dry runs have another query. */
  readonly write: string;
  /** Requests it writes with. */
  readonly writes: number;
};

const workload = deployment('web');

const owner = (kind: string, name: string) => [
  { apiVersion: 'apps/v1', kind, name, uid: `uid-${name}`, controller: true },
];

function replicaSet(name: string, revision: number, image: string): KubeObject {
  const { template } = workload.spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      annotations: { 'deployment.kubernetes.io/revision': String(revision) },
      ownerReferences: owner('Deployment', 'web'),
    },
    spec: {
      replicas: revision === 2 ? 2 : 0,
      template: {
        metadata: { labels: { ...template.metadata.labels, 'pod-template-hash': name } },
        spec: { containers: template.spec.containers.map((each) => ({ ...each, image })) },
      },
    },
  };
}

function pod(name: string, nodeName: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      labels: { app: 'web' },
      ownerReferences: owner('ReplicaSet', 'web-b'),
    },
    spec: { nodeName, containers: [{ name: 'web' }] },
    status: { phase: 'Running' },
  };
}

function cronJob(name: string, suspend: boolean): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace: 'shop', uid: `uid-${name}` },
    spec: {
      schedule: '0 3 * * *',
      suspend,
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'job', image: 'a:1' }] } } },
      },
    },
  };
}

function node(name: string, spec: object): KubeObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, uid: `uid-${name}` }, spec };
}

/** Objects that every act has something to do with. */
export function actObjects(): KubeObject[] {
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    deployment('web'),
    replicaSet('web-a', 1, 'registry.example/web:0'),
    replicaSet('web-b', 2, 'registry.example/web:1'),
    pod('web-b-1', 'n1'),
    pod('web-b-2', 'n1'),
    cronJob('nightly', false),
    cronJob('paused', true),
    node('n1', { podCIDR: '10.0.0.0/24' }),
    node('n2', { podCIDR: '10.0.1.0/24', unschedulable: true }),
  ];
}

const web = deploymentNamed('web');
const core = (kind: string, name: string, namespace?: string): ActObject => ({
  group: '',
  version: 'v1',
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
});
const cron = (name: string): ActObject => ({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  namespace: 'shop',
  name,
});

function of(act: ActId, object: ActObject, args: unknown, write: string, writes = 1): ActFixture {
  return { request: { target: 'test', act, object, args }, write, writes };
}

const patchWeb = 'PATCH /apis/apps/v1/namespaces/shop/deployments/web?fieldManager';

/** One of each act. */
export const actFixtures: Readonly<Record<ActId, ActFixture>> = {
  restart: of('restart', web, {}, patchWeb),
  scale: of(
    'scale',
    web,
    { replicas: 3 },
    'PUT /apis/apps/v1/namespaces/shop/deployments/web/scale?fieldManager',
  ),
  rollback: of('rollback', web, { revision: 1 }, patchWeb),
  delete_pod: of(
    'delete_pod',
    core('Pod', 'web-b-1', 'shop'),
    {},
    'DELETE /api/v1/namespaces/shop/pods/web-b-1?fieldManager',
  ),
  cordon: of('cordon', core('Node', 'n1'), {}, 'PATCH /api/v1/nodes/n1?fieldManager'),
  uncordon: of('uncordon', core('Node', 'n2'), {}, 'PATCH /api/v1/nodes/n2?fieldManager'),
  drain: of('drain', core('Node', 'n1'), {}, 'PATCH /api/v1/nodes/n1?fieldManager', 3),
  run_cron_job: of(
    'run_cron_job',
    cron('nightly'),
    {},
    'POST /apis/batch/v1/namespaces/shop/jobs?fieldManager',
  ),
  suspend: of(
    'suspend',
    cron('nightly'),
    {},
    'PATCH /apis/batch/v1/namespaces/shop/cronjobs/nightly?fieldManager',
  ),
  resume: of(
    'resume',
    cron('paused'),
    {},
    'PATCH /apis/batch/v1/namespaces/shop/cronjobs/paused?fieldManager',
  ),
  set_image: of('set_image', web, { image: 'registry.example/web:2' }, patchWeb),
  set_env: of('set_env', web, { name: 'LEVEL', value: 'debug' }, patchWeb),
  apply: of(
    'apply',
    web,
    {
      yaml: stringify({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'shop', annotations: { note: 'edited' } },
        spec: { ...workload.spec, minReadySeconds: 5 },
      }),
    },
    'PUT /apis/apps/v1/namespaces/shop/deployments/web?fieldManager',
  ),
};
