import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { issueCertificate } from '../../../../src-main/kube-api/certificates.ts';
import { type CodedCheck, codedCheck } from '../../../../src-shared/api/symptoms.ts';
import type { objectCluster } from '../../../support/object-cluster.ts';
import { repoRoot } from '../../../support/repo-root.ts';
import { deployment, minutesAgo, namespace, node, object, pod, service, slice } from '../cluster/harness.ts';
import { byCheck, diagnosed } from './harness.ts';

type World = { readonly objects: RawObject[]; readonly options?: Parameters<typeof objectCluster>[1] };
type Fields = Record<string, unknown>;
type Case = {
  readonly check: CodedCheck;
  readonly when: string;
  readonly world: World;
  /** The evidence that must be told. */
  readonly says: RegExp;
  readonly butNot: string;
  readonly nearMiss: World;
};

const place = { namespace: 'shop' };
const image = 'registry.example/cockpit:1';
const world = (...objects: RawObject[]): World => ({ objects: [namespace('shop'), ...objects] });

const probe = (path: string, more: Fields = {}) => ({
  httpGet: { path, port: 7100 },
  periodSeconds: 10,
  timeoutSeconds: 5,
  failureThreshold: 3,
  ...more,
});
const probes = {
  startupProbe: probe('/auth/config', { failureThreshold: 90 }),
  readinessProbe: probe('/auth/config'),
  livenessProbe: probe('/auth/config', { failureThreshold: 6, periodSeconds: 30 }),
};
const plane = (spec: Fields = {}, metadata: Fields = {}, status: Fields = {}) =>
  object(
    'platform.dev/v1alpha1',
    'CockpitControlPlane',
    { name: 'cockpit', ...place, generation: 3, ...metadata },
    {
      spec: { image, replicas: 1, ...spec },
      status: {
        phase: 'Ready',
        observedGeneration: 3,
        conditions: [{ type: 'Ready', status: 'True', reason: 'Deployed' }],
        ...status,
      },
    },
  );
const studio = () =>
  deployment({
    name: 'studio',
    ...place,
    image: 'registry.example/studio:1',
    container: { ports: [{ name: 'http', containerPort: 8080 }] },
  });
/** The policy that ships, or one with other peers, in the namespace of these tests. */
const policy = (name?: string, from?: readonly Fields[], port = 8080): RawObject => {
  const shipped = parse(readFileSync(join(repoRoot, 'resources/studio/network-policy.yaml'), 'utf8'));
  return {
    ...shipped,
    metadata: { ...shipped.metadata, ...place, ...(name === undefined ? {} : { name }) },
    spec: {
      ...shipped.spec,
      podSelector: { matchLabels: {} },
      ...(from === undefined ? {} : { ingress: [{ from, ports: [{ port }] }] }),
    },
  };
};
const env = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
const backend = (container: Fields = {}, name = 'cockpit') =>
  deployment({ name, ...place, image, container: { ...probes, ...container } });
const backendWorld = (values: Record<string, string>, spec: Fields = {}) =>
  world(plane({ env: env(values), ...spec }), backend({ env: env(values) }));
const runnerWorld = (bucket: string) =>
  world(
    plane(),
    backend({ env: env({ OBJECTSTORE_BUCKET: 'tenant-a' }) }),
    plane({ runner: true }, { name: 'runner' }),
    backend({ env: env({ OBJECTSTORE_BUCKET: bucket }) }, 'runner'),
  );
const ready = { INFERENCE_REMOTE_URL: 'https://models.example' };
const proxy = '/api/v1/namespaces/shop/services/cockpit:80/proxy';
const health = (readyz: number, config: Fields = {}) => ({
  [`${proxy}/livez`]: { status: 200, body: '{"status":"alive"}' },
  [`${proxy}/readyz`]: {
    status: readyz,
    body: JSON.stringify({
      status: readyz === 200 ? 'ready' : 'not_ready',
      checks: [{ name: 'raft_consensus', status: readyz === 200 ? 'pass' : 'fail' }],
    }),
  },
  [`${proxy}/auth/config`]: { status: 200, body: JSON.stringify(config) },
});
const served = (readyz: number, spec: Fields = {}, container: Fields = {}): World => ({
  ...world(plane(spec), backend(container), service({ name: 'cockpit', ...place })),
  options: { http: health(readyz) },
});
const signIn = (offered: string, audience?: string): World => {
  const values = {
    ...ready,
    OIDC_CLIENT_ID: 'console',
    ...(audience === undefined ? {} : { OIDC_AUDIENCE: audience }),
  };
  return {
    ...world(
      plane({ env: env(values) }),
      backend({ env: env(values) }),
      service({ name: 'cockpit', ...place }),
    ),
    options: { http: health(200, { google_client_id: offered }) },
  };
};

const failed = (name: string, restarts: number, ended: Fields, more: Fields = {}) =>
  pod({
    name,
    ...place,
    of: 'web',
    status: {
      containerStatuses: [
        {
          name: 'main',
          ready: true,
          started: true,
          restartCount: restarts,
          state: { running: { startedAt: minutesAgo(30) } },
          lastState: { terminated: ended },
        },
      ],
    },
    ...more,
  });
const unready = {
  containerStatuses: [
    { name: 'main', ready: false, restartCount: 0, state: { running: { startedAt: minutesAgo(60) } } },
  ],
  conditions: [
    { type: 'Initialized', status: 'True' },
    { type: 'Ready', status: 'False' },
  ],
};
const rebooted = { exitCode: 255, reason: 'Unknown', finishedAt: minutesAgo(31) };
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
const replicaSet = (name: string, of: string, minutes: number, its: Fields) =>
  object(
    'apps/v1',
    'ReplicaSet',
    {
      name,
      ...place,
      creationTimestamp: minutesAgo(minutes),
      ownerReferences: [{ kind: 'Deployment', name: of, controller: true, uid: 'u' }],
    },
    {
      spec: { replicas: 1, template: { spec: { containers: [{ name: 'main', image: its.image }] } } },
      status: { replicas: 1, readyReplicas: its.ready ?? 0 },
    },
  );
const running = (name: string, of: string, tag: string, digest: string) =>
  pod({
    name,
    ...place,
    of,
    container: { image: tag },
    status: {
      containerStatuses: [
        {
          name: 'main',
          ready: true,
          started: true,
          restartCount: 0,
          image: tag,
          imageID: `registry.example/web@sha256:${digest.repeat(64)}`,
          state: { running: { startedAt: minutesAgo(60) } },
        },
      ],
    },
  });
const rolled = (digest: string): World =>
  world(
    deployment({ name: 'web', ...place, image: 'registry.example/web:2' }),
    replicaSet('web-old', 'web', 600, { image: 'registry.example/web:1' }),
    replicaSet('web-7f', 'web', 60, { image: 'registry.example/web:2', ready: 1 }),
    running('web-7f-a', 'web', 'registry.example/web:2', 'a'),
    running('other-1', 'other', 'registry.example/web:1', digest),
  );
const cronJob = (name: string, spec: Fields = {}) =>
  object(
    'batch/v1',
    'CronJob',
    { name, ...place },
    { spec: { schedule: '0 * * * *', jobTemplate: {}, ...spec } },
  );
const job = (name: string, of: string | undefined, condition: Fields, minutes = 10) =>
  object(
    'batch/v1',
    'Job',
    {
      name,
      ...place,
      creationTimestamp: minutesAgo(minutes),
      ...(of === undefined
        ? {}
        : { ownerReferences: [{ kind: 'CronJob', name: of, controller: true, uid: 'u' }] }),
    },
    { spec: { template: {} }, status: { failed: 1, conditions: [{ status: 'True', ...condition }] } },
  );
const gaveUp = {
  type: 'Failed',
  reason: 'BackoffLimitExceeded',
  message: 'Job has reached the specified backoff limit',
};
const ingress = (name: string) =>
  object(
    'networking.k8s.io/v1',
    'Ingress',
    { name: 'shop', ...place },
    {
      spec: {
        rules: [
          {
            host: 'shop.example',
            http: { paths: [{ path: '/', backend: { service: { name, port: { number: 80 } } } }] },
          },
        ],
      },
    },
  );
const tlsIngress = (host: string, its: Fields = {}, metadata: Fields = {}) =>
  object(
    'networking.k8s.io/v1',
    'Ingress',
    { name: 'shop', ...place, ...metadata },
    {
      spec: {
        tls: [{ hosts: [host], secretName: 'shop-tls' }],
        rules: [
          {
            host,
            http: { paths: [{ path: '/', backend: { service: { name: 'web', port: { number: 80 } } } }] },
          },
        ],
        ...its,
      },
    },
  );
const issued = (...hosts: string[]) => {
  const day = 86_400_000;
  const made = issueCertificate({
    name: hosts[0] ?? 'shop',
    hosts,
    notBefore: Date.now() - day,
    notAfter: Date.now() + 400 * day,
  });
  const data = { 'tls.crt': made.cert, 'tls.key': made.key };
  return secret(
    'shop-tls',
    Object.fromEntries(
      Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    ),
    'kubernetes.io/tls',
  );
};
const classed = (name: string, ingressClassName: string, addresses: Fields[]) => ({
  ...ingress('web'),
  metadata: { name, ...place, creationTimestamp: minutesAgo(180) },
  spec: { ingressClassName, rules: [] },
  status: { loadBalancer: { ingress: addresses } },
});
const asking = (value: string, more: object = {}) =>
  deployment({ name: 'web', ...place, container: { env: env({ DATABASE_URL: value }) }, ...more });
const claim = (name: string, phase: string, minutes = 60) =>
  object(
    'v1',
    'PersistentVolumeClaim',
    { name, ...place, creationTimestamp: minutesAgo(minutes) },
    { spec: { storageClassName: 'fast' }, status: { phase } },
  );
const waitingPod = (name: string) =>
  pod({
    name,
    ...place,
    owner: { kind: 'StatefulSet', name: 'db' },
    status: { phase: 'Pending', conditions: [], containerStatuses: [], startTime: minutesAgo(50) },
  });
const secret = (name: string, data: Fields, type = 'Opaque') =>
  object('v1', 'Secret', { name, ...place }, { type, data });
const withSecret = (key: string) => ({
  env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'keys', key } } }],
});
const withConfig = (ready: number) =>
  deployment({
    name: 'web',
    ...place,
    ready,
    container: {
      env: [{ name: 'GREETING', valueFrom: { configMapKeyRef: { name: 'texts', key: 'greeting' } } }],
    },
  });
const texts = (greeting: string) =>
  object('v1', 'ConfigMap', { name: 'texts', ...place }, { data: { greeting } });
const pulling = (name: string): RawObject =>
  object(
    'apps/v1',
    'Deployment',
    { name: 'web', ...place, generation: 1 },
    {
      spec: {
        replicas: 1,
        template: {
          spec: {
            imagePullSecrets: [{ name }],
            containers: [{ name: 'web', image: 'registry.example/web:1' }],
          },
        },
      },
      status: { observedGeneration: 1, replicas: 1, readyReplicas: 1, updatedReplicas: 1 },
    },
  );
const version = (name: string, kubeletVersion: string) => {
  const made = node(name);
  return { ...made, status: { ...(made.status as Fields), nodeInfo: { kubeletVersion } } };
};
const stuck = {
  type: 'Progressing',
  status: 'False',
  reason: 'ProgressDeadlineExceeded',
  message: 'ReplicaSet "web-7f" has timed out progressing.',
};
const short = (conditions: Fields[]) => {
  const made = deployment({ name: 'web', ...place, replicas: 2, ready: 1 });
  return { ...made, status: { ...(made.status as Fields), conditions } };
};
const unreadyFor = (minutes: number): Fields => ({
  phase: 'Running',
  startTime: minutesAgo(minutes),
  conditions: [
    { type: 'Initialized', status: 'True' },
    { type: 'Ready', status: 'False' },
  ],
  containerStatuses: [
    {
      name: 'main',
      ready: false,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: minutesAgo(minutes) } },
    },
  ],
});

const deleted = (minutes: number) => {
  const made = pod({ name: 'web-1', ...place, of: 'web' });
  return { ...made, metadata: { ...(made.metadata as Fields), deletionTimestamp: minutesAgo(minutes) } };
};

const cases: readonly Case[] = [
  {
    check: 'workload_short',
    when: 'one of two replicas of a StatefulSet is ready, and nothing else is known',
    world: world(
      object(
        'apps/v1',
        'StatefulSet',
        { name: 'db', ...place, generation: 1 },
        {
          spec: { replicas: 2, template: {} },
          status: { observedGeneration: 1, replicas: 2, readyReplicas: 1 },
        },
      ),
    ),
    says: /1 of 2 replicas ready/,
    butNot: 'while a Deployment is still rolled out',
    nearMiss: world(short([{ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }])),
  },
  {
    check: 'workload_has_no_pods',
    when: 'the controller of a Deployment cannot make any pod: 0 of n is no success',
    world: world(deployment({ name: 'web', ...place, replicas: 2, ready: 0 })),
    says: /wants 2 pods and has none/,
    butNot: 'of one that is scaled to 0',
    nearMiss: world(deployment({ name: 'web', ...place, replicas: 0, ready: 0 })),
  },
  {
    check: 'rollout_stuck',
    when: 'a Deployment has not progressed within its deadline',
    world: world(short([stuck])),
    says: /Progressing is False \(ProgressDeadlineExceeded\)/,
    butNot: 'while it still progresses',
    nearMiss: world(short([{ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }])),
  },
  {
    check: 'service_without_endpoints',
    when: 'none of the pods behind a service is ready',
    world: world(
      service({ name: 'web', ...place }),
      slice('web', 'shop', { 'web-1': false }),
      pod({ name: 'web-1', ...place, of: 'web', status: unready }),
    ),
    says: /Service web: none of 1 endpoint ready/,
    butNot: 'when one is',
    nearMiss: world(
      service({ name: 'web', ...place }),
      slice('web', 'shop', { 'web-1': true }),
      pod({ name: 'web-1', ...place, of: 'web' }),
    ),
  },
  {
    check: 'service_selects_nothing',
    when: 'no pod has the labels of a selector',
    world: world(
      service({ name: 'web', ...place, selector: { app: 'wep' } }),
      pod({ name: 'web-1', ...place, of: 'web' }),
    ),
    says: /^Service web: no endpoints: no pod has the labels app=wep$/m,
    butNot: 'of one whose workload is scaled to 0',
    nearMiss: world(service({ name: 'web', ...place }), deployment({ name: 'web', ...place, replicas: 0 })),
  },
  {
    check: 'service_port_unserved',
    when: 'a service leads to a port by a name that no container has',
    world: world(
      service({ name: 'web', ...place, target: 'admin' }),
      pod({
        name: 'web-1',
        ...place,
        of: 'web',
        container: { ports: [{ name: 'http', containerPort: 80 }] },
      }),
    ),
    says: /has a port named admin/,
    butNot: 'when one has it',
    nearMiss: world(
      service({ name: 'web', ...place, target: 'http' }),
      slice('web', 'shop', { 'web-1': true }),
      pod({
        name: 'web-1',
        ...place,
        of: 'web',
        container: { ports: [{ name: 'http', containerPort: 80 }] },
      }),
    ),
  },
  {
    check: 'route_backend_missing',
    when: 'an Ingress leads to a Service that does not exist',
    world: world(ingress('wep'), service({ name: 'web', ...place })),
    says: /shop\.example\/: There is no Service wep in shop/,
    butNot: 'when services were not read',
    nearMiss: {
      ...world(ingress('wep')),
      options: { states: { services: { state: 'forbidden', gaps: ['Forbidden: list services.'] } } },
    },
  },
  {
    check: 'referenced_object_missing',
    when: 'a template names a Secret that does not exist',
    world: world(deployment({ name: 'web', ...place, container: withSecret('token') })),
    says: /env TOKEN of container web names Secret keys, which does not exist/,
    butNot: 'when Secrets were not read: it may be there',
    nearMiss: {
      ...world(deployment({ name: 'web', ...place, container: withSecret('token') })),
      options: { states: { secrets: { state: 'forbidden', gaps: ['Forbidden: list secrets in shop.'] } } },
    },
  },
  {
    check: 'referenced_key_missing',
    when: 'a template names a key that its Secret lacks',
    world: world(
      deployment({ name: 'web', ...place, container: withSecret('tokn') }),
      secret('keys', { token: 'eA==' }),
    ),
    says: /names Secret keys, which has no key tokn/,
    butNot: 'when it has it, also with a value that was redacted',
    nearMiss: world(
      deployment({ name: 'web', ...place, container: withSecret('token') }),
      secret('keys', { token: '***HIDDEN***' }),
    ),
  },
  {
    check: 'image_pull_secret_missing',
    when: 'a template names a pull secret that does not exist',
    world: world(pulling('registry')),
    says: /imagePullSecrets names Secret registry, which does not exist/,
    butNot: 'when it does',
    nearMiss: world(pulling('registry'), secret('registry', {}, 'kubernetes.io/dockerconfigjson')),
  },
  {
    check: 'image_pull_secret_wrong_type',
    when: 'a pull secret is of a type that the kubelet passes over',
    world: world(pulling('registry'), secret('registry', { '.dockerconfigjson': 'e30=' })),
    says: /imagePullSecrets names Secret registry, which is of type Opaque/,
    butNot: 'when it is of the older of both types',
    nearMiss: world(
      pulling('registry'),
      secret('registry', { '.dockercfg': 'e30=' }, 'kubernetes.io/dockercfg'),
    ),
  },
  {
    check: 'referenced_value_empty',
    when: 'a Deployment that has no ready pod is given an empty value',
    world: world(withConfig(0), texts(' ')),
    says: /env GREETING of container web names ConfigMap texts, whose key greeting is empty/,
    butNot: 'while it does well: it may want it so',
    nearMiss: world(withConfig(1), texts('')),
  },
  {
    check: 'ingress_tls_secret_missing',
    when: 'an Ingress names a certificate that is not there',
    world: world(tlsIngress('shop.example'), service({ name: 'web', ...place })),
    says: /spec\.tls\[0\] names Secret shop-tls, which does not exist/,
    butNot: 'of a new Ingress: its certificate may be on its way',
    nearMiss: world(tlsIngress('shop.example', {}, { creationTimestamp: minutesAgo(2) })),
  },
  {
    check: 'ingress_tls_secret_unusable',
    when: 'an Ingress names a Secret without a certificate',
    world: world(tlsIngress('shop.example'), secret('shop-tls', { password: 'eA==' })),
    says: /names Secret shop-tls, which is of type Opaque and holds no tls\.crt/,
    butNot: 'of one of no special type that holds both keys',
    nearMiss: world(tlsIngress('shop.example'), secret('shop-tls', { 'tls.crt': 'eA==', 'tls.key': 'eA==' })),
  },
  {
    check: 'ingress_host_not_covered',
    when: 'a certificate is for other hosts than the Ingress serves',
    world: world(tlsIngress('pay.shop.example'), issued('shop.example', '*.cdn.shop.example')),
    says: /certificate of Secret shop-tls is for shop\.example, \*\.cdn\.shop\.example, not for pay\.shop\.example/,
    butNot: 'when a wildcard of it covers the host',
    nearMiss: world(tlsIngress('pay.shop.example'), issued('*.shop.example')),
  },
  {
    check: 'studio_reachable',
    when: 'no policy limits who may reach the studio',
    world: world(studio()),
    says: /^No NetworkPolicy limits who may reach port 8080 of its pods$/m,
    butNot: 'with the policy that ships',
    nearMiss: world(studio(), policy()),
  },
  {
    check: 'ingress_class_unserved',
    when: 'no Ingress of a class has an address, and those of another have',
    world: world(
      classed('a', 'public', [{ ip: '203.0.113.7' }]),
      classed('b', 'pubilc', []),
      service({ name: 'web', ...place }),
    ),
    says: /No Ingress of class pubilc has an address, this one for 3 h; with one there is 1 of class public/,
    butNot: 'where no controller writes addresses',
    nearMiss: world(classed('a', 'public', []), classed('b', 'pubilc', [])),
  },
  {
    check: 'environment_service_missing',
    when: 'a variable names a Service that its namespace does not have',
    world: world(
      asking('postgres://shop:secret@databse.shop.svc.cluster.local:5432/shop'),
      service({ name: 'database', ...place }),
    ),
    says: /^DATABASE_URL names databse\.shop\.svc\.cluster\.local:5432: there is no Service databse in shop$/m,
    butNot: 'of a host on the internet with a name of two parts',
    nearMiss: world(asking('postgres://shop:secret@databse.example:5432/shop', { ready: 0 })),
  },
  {
    check: 'claim_unbound',
    when: 'a pod has waited for its volume for an hour',
    world: world(claim('data-db-0', 'Pending'), waitingPod('db-0')),
    says: /phase is Pending for 6\d min; storage class fast/,
    butNot: 'of a claim that no pod uses yet: its class binds at the first use',
    nearMiss: world(claim('data-db-0', 'Pending')),
  },
  {
    check: 'quota_used_up',
    when: 'a quota has nothing left',
    world: world(
      object(
        'v1',
        'ResourceQuota',
        { name: 'q', ...place },
        { status: { hard: { pods: '4' }, used: { pods: '4' } } },
      ),
    ),
    says: /pods 4 of 4 used/,
    butNot: 'when it has',
    nearMiss: world(
      object(
        'v1',
        'ResourceQuota',
        { name: 'q', ...place },
        { status: { hard: { pods: '4' }, used: { pods: '3' } } },
      ),
    ),
  },
  {
    check: 'node_cordoned',
    when: 'a node takes no new pods',
    world: world(node('n1', { spec: { unschedulable: true } })),
    says: /spec\.unschedulable is true/,
    butNot: 'of a node that is only tainted',
    nearMiss: world(node('n1', { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } })),
  },
  {
    check: 'node_version_skew',
    when: 'a kubelet is newer than the API server',
    world: world(version('n1', 'v1.37.1')),
    says: /kubelet v1\.37\.1, cluster v1\.36\.0/,
    butNot: 'when it is three minor versions older, which is allowed',
    nearMiss: world(version('n1', 'v1.33.9')),
  },
  {
    check: 'node_restarted',
    when: 'the runtime does not know how runs on a node ended',
    world: world(node('node-a'), failed('web-1', 3, rebooted)),
    says: /Runs in 1 pod of 1 on node-a ended by/,
    butNot: 'when one pod of several ended by itself',
    nearMiss: world(
      node('node-a'),
      failed('web-1', 3, { exitCode: 1, reason: 'Error', finishedAt: minutesAgo(31) }),
      pod({ name: 'a-1', ...place, of: 'a' }),
      pod({ name: 'b-1', ...place, of: 'b' }),
    ),
  },
  {
    check: 'pod_not_ready',
    when: 'a pod runs for hours and is not ready',
    world: world(pod({ name: 'web-1', ...place, of: 'web', status: unreadyFor(589) })),
    says: /web-1: 1 container not ready: main/,
    butNot: 'when its container started just now',
    nearMiss: world(pod({ name: 'web-1', ...place, of: 'web', status: unreadyFor(0.5) })),
  },
  {
    check: 'pod_stuck_terminating',
    when: 'a pod was to be gone an hour ago',
    world: world(deleted(60)),
    says: /was to be gone 6\d min ago/,
    butNot: 'of a pod that is being removed now',
    nearMiss: world(deleted(1)),
  },
  {
    check: 'restarts_recovered',
    when: 'a container is ready again after a run that failed',
    world: world(failed('web-1', 2, { exitCode: 137, reason: 'OOMKilled', finishedAt: minutesAgo(31) })),
    says: /is ready again; its last run: OOMKilled, exit code 137/,
    butNot: 'when its node restarted',
    nearMiss: world(failed('web-1', 2, rebooted)),
  },
  {
    check: 'liveness_kills',
    when: 'the kubelet ended a container whose liveness probe failed',
    world: world(
      pod({ name: 'web-1', ...place, of: 'web' }),
      event('Killing', 'Container main failed liveness probe, will be restarted', {
        kind: 'Pod',
        name: 'web-1',
      }),
      event('Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 500', {
        kind: 'Pod',
        name: 'web-1',
      }),
    ),
    says: /failed liveness probe, will be restarted Liveness probe failed: HTTP probe failed with statuscode: 500/,
    butNot: 'when it was ended to be removed',
    nearMiss: world(
      pod({ name: 'web-1', ...place, of: 'web' }),
      event('Killing', 'Stopping container main', { kind: 'Pod', name: 'web-1' }),
    ),
  },
  {
    check: 'cron_job_suspended',
    when: 'a CronJob is suspended',
    world: world(cronJob('nightly', { suspend: true })),
    says: /spec\.suspend is true/,
    butNot: 'when it is not',
    nearMiss: world(cronJob('nightly', { suspend: false })),
  },
  {
    check: 'cron_job_failing',
    when: 'the newest run of a CronJob failed',
    world: world(
      cronJob('nightly'),
      job('nightly-2', 'nightly', gaveUp),
      job('nightly-1', 'nightly', { type: 'Complete' }, 60),
    ),
    says: /its newest run nightly-2 failed/,
    butNot: 'when an older one did',
    nearMiss: world(
      cronJob('nightly'),
      job('nightly-1', 'nightly', gaveUp, 60),
      job('nightly-2', 'nightly', { type: 'Complete' }),
    ),
  },
  {
    check: 'job_failed',
    when: 'a Job has given up',
    world: world(job('migrate', undefined, gaveUp)),
    says: /reached the specified backoff limit/,
    butNot: 'when it is complete after a try that failed',
    nearMiss: world(job('migrate', undefined, { type: 'Complete' })),
  },
  {
    check: 'control_plane_drift',
    when: 'the live Deployment has another image than its control plane dictates',
    world: world(plane({ image: 'registry.example/cockpit:2' }), backend()),
    says: /image is registry\.example\/cockpit:1; the resource says registry\.example\/cockpit:2/,
    butNot: 'for a value that a bundle has redacted',
    nearMiss: world(plane({ env: env({ TOKEN: 'x' }) }), backend({ env: env({ TOKEN: '***HIDDEN***' }) })),
  },
  {
    check: 'control_plane_unobserved',
    when: 'its operator has not seen the newest spec',
    world: world(plane({}, { generation: 4 }), backend()),
    says: /observedGeneration is behind/,
    butNot: 'when it says nothing of what it has seen',
    nearMiss: world(plane({}, { generation: 4 }, { observedGeneration: undefined }), backend()),
  },
  {
    check: 'control_plane_without_deployment',
    when: 'a control plane has no Deployment',
    world: world(plane()),
    says: /There is no Deployment cockpit in shop/,
    butNot: 'when Deployments were not read',
    nearMiss: {
      ...world(plane()),
      options: { states: { 'deployments.apps': { state: 'not_collected', gaps: ['Not collected.'] } } },
    },
  },
  {
    check: 'probes_refused',
    when: 'the liveness probe is set to ask /readyz',
    world: world(plane({ probes: { livenessPath: '/readyz' } }), backend()),
    says: /The liveness probe must not ask \/readyz/,
    butNot: 'when only readiness does',
    nearMiss: world(plane({ probes: { readinessPath: '/readyz', livenessPath: '/livez' } }), backend()),
  },
  {
    check: 'probes_disabled',
    when: 'probes are disabled',
    world: world(plane({ probes: { disabled: true } }), backend()),
    says: /spec\.probes\.disabled is true/,
    butNot: 'when that is set to false',
    nearMiss: world(plane({ probes: { disabled: false } }), backend()),
  },
  {
    check: 'readiness_not_on_readyz',
    when: 'a backend that is not ready stays in rotation, because its probe asks another path',
    world: served(503),
    says: /its readiness probe asks \/auth\/config, while \/readyz answered 503/,
    butNot: 'while it is ready',
    nearMiss: served(200),
  },
  {
    check: 'name_always_wins',
    when: 'a control plane sets a name that the operator appends itself',
    world: world(
      plane({ env: env({ COCKPIT_TENANT: 'mine' }) }),
      backend({ env: env({ COCKPIT_TENANT: 'willow' }) }),
    ),
    says: /spec\.env sets COCKPIT_TENANT=mine; the pods have COCKPIT_TENANT=willow/,
    butNot: 'to the value that the operator gives it, too',
    nearMiss: world(
      plane({ env: env({ COCKPIT_TENANT: 'willow' }) }),
      backend({ env: env({ COCKPIT_TENANT: 'willow' }) }),
    ),
  },
  {
    check: 'same_digest_after_roll',
    when: 'a roll to another tag brought the same digest',
    world: rolled('a'),
    says: /web:2 and registry\.example\/web:1, which it replaced, are both sha256:a{64}/,
    butNot: 'when the digest is another one',
    nearMiss: rolled('b'),
  },
  {
    check: 'retired_variable',
    when: 'another endpoint variable is set in place of the one that is read',
    world: backendWorld({ INFERENCE_ENDPOINT: 'https://models.example' }),
    says: /INFERENCE_ENDPOINT is set, and INFERENCE_REMOTE_URL is not/,
    butNot: 'beside it',
    nearMiss: backendWorld({ INFERENCE_ENDPOINT: 'https://models.example', ...ready }),
  },
  {
    check: 'raft_state_in_memory',
    when: 'a voting member keeps its state in memory',
    world: backendWorld({ RAFT_NODE_ID: 'cockpit-0' }),
    says: /RAFT_NODE_ID is set, and RAFT_DATA_DIR is not/,
    butNot: 'of a backend that does not vote',
    nearMiss: backendWorld(ready),
  },
  {
    check: 'runner_not_sharing_appfs',
    when: 'a runner has another bucket than its control plane',
    world: runnerWorld('tenant-b'),
    says: /OBJECTSTORE_BUCKET=tenant-b, and that of cockpit is tenant-a/,
    butNot: 'when it is the same',
    nearMiss: runnerWorld('tenant-a'),
  },
  {
    check: 'audience_differs',
    when: 'the sign-in page asks tokens for another client',
    world: signIn('other'),
    says: /google_client_id is other, OIDC_CLIENT_ID is console, and OIDC_AUDIENCE is not set/,
    butNot: 'when an audience says which client is meant',
    nearMiss: signIn('other', 'other'),
  },
  {
    check: 'bundle_gaps',
    when: 'a bundle does not hold a kind',
    world: {
      ...world(),
      options: {
        source: 'bundle',
        takenAt: Date.now(),
        states: {
          secrets: { state: 'not_collected', gaps: ['Not collected: the bundle holds no secrets.'] },
        },
      },
    },
    says: /the bundle holds no secrets/,
    butNot: 'of a live cluster, whose gaps are not checked instead',
    nearMiss: {
      ...world(),
      options: { states: { secrets: { state: 'forbidden', gaps: ['Forbidden: list secrets.'] } } },
    },
  },
];

const widerPolicies: readonly Case[] = [
  {
    check: 'studio_reachable',
    when: 'a policy admits whole namespaces',
    world: world(studio(), policy(), policy('metrics', [{ namespaceSelector: {} }])),
    says: /^NetworkPolicy metrics admits every pod of a namespace to port 8080 of its pods$/m,
    butNot: 'to another port',
    nearMiss: world(studio(), policy(), policy('metrics', [{ namespaceSelector: {} }], 9090)),
  },
  {
    check: 'studio_reachable',
    when: 'a policy admits addresses',
    world: world(studio(), policy('wide', [{ ipBlock: { cidr: '10.0.0.0/8' } }])),
    says: /^NetworkPolicy wide admits every address of 10\.0\.0\.0\/8 to port 8080 of its pods$/m,
    butNot: 'of other pods',
    nearMiss: world(
      studio(),
      policy(),
      object(
        'networking.k8s.io/v1',
        'NetworkPolicy',
        { name: 'other', ...place },
        { spec: { podSelector: { matchLabels: { app: 'web' } }, ingress: [{}] } },
      ),
    ),
  },
];

describe('a coded check', () => {
  it('of the studio is content with the policy that ships, and with no wider one (CON-175)', async () => {
    const { spec } = policy();
    expect(spec).toMatchObject({
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'operator-console' } } }],
          ports: [{ port: 8080 }],
        },
      ],
    });
    const seen = async (...objects: RawObject[]) =>
      byCheck(await diagnosed([namespace('shop'), studio(), ...objects]), 'studio_reachable').length;
    expect([await seen(), await seen(policy()), await seen(policy(), policy('all', []))]).toEqual([1, 0, 1]);
  });

  it('is tried here, each of them', () => {
    expect(cases.map(({ check }) => check).sort()).toEqual([...codedCheck.options].sort());
  });

  for (const { check, when, world: there, says, butNot, nearMiss } of [...cases, ...widerPolicies]) {
    it(`${check}: ${when} (BCK-085)`, async () => {
      const found = byCheck(await diagnosed(there.objects, { version: 'v1.36.0', ...there.options }), check);
      expect(found.flatMap(({ evidence }) => evidence.map(({ text }) => text)).join('\n')).toMatch(says);
    });

    it(`${check}: not ${butNot}`, async () => {
      const { objects, options } = nearMiss;
      const found = byCheck(await diagnosed(objects, { version: 'v1.36.0', ...options }), check);
      expect(found.map(({ title }) => title)).toEqual([]);
    });
  }
});
