import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { deployment, object, pod, readingCluster, service, unanswered } from './harness.ts';

const place = { namespace: 'tenant-willow' } as const;
type Fields = Record<string, unknown>;

const get = (path: string, more: Fields = {}) => ({
  httpGet: { path, port: 7100 },
  periodSeconds: 10,
  timeoutSeconds: 5,
  ...more,
});
/** The probes that the operator makes of no settings. */
const asWanted = {
  startupProbe: get('/auth/config', { failureThreshold: 90 }),
  readinessProbe: get('/auth/config', { failureThreshold: 3 }),
  livenessProbe: get('/auth/config', { failureThreshold: 6, periodSeconds: 30 }),
};
const image = 'registry.example/cockpit:1';

const cockpit = (spec: Fields = {}, status: Fields = {}) =>
  object(
    'platform.dev/v1alpha1',
    'CockpitControlPlane',
    { name: 'cockpit', ...place, generation: 3 },
    {
      spec: { image, replicas: 1, ...spec },
      status: {
        phase: 'Ready',
        observedGeneration: 3,
        conditions: [
          { type: 'Ready', status: 'True', reason: 'Deployed', lastTransitionTime: '2026-11-01T00:00:00Z' },
        ],
        ...status,
      },
    },
  );
const live = (container: Fields = asWanted, more: Fields = {}) =>
  deployment({ name: 'cockpit', ...place, image, container, ...more });

async function onlyPlane(objects: RawObject[], options: Parameters<typeof objectCluster>[1] = {}) {
  const { read } = await readingCluster(objectCluster(objects, options));
  const { items, ...answer } = await read('cluster.controlPlanes');
  expect(items).toHaveLength(1);
  const [row] = items;
  if (row === undefined) throw new Error('no control plane');
  return { row, answer };
}

describe('control planes', () => {
  it('that are as their resource says are healthy, with the probes side by side (CON-084)', async () => {
    const { row, answer } = await onlyPlane([cockpit(), live()]);
    expect(row).toMatchObject({
      backend: 'cockpit',
      kind: 'CockpitControlPlane',
      image,
      runner: false,
      phase: 'Ready',
      observed: true,
      effective_probes: {
        startup: {
          path: '/auth/config',
          port: '7100',
          period_seconds: 10,
          timeout_seconds: 5,
          failure_threshold: 90,
        },
        readiness: { path: '/auth/config', failure_threshold: 3 },
        liveness: { path: '/auth/config', period_seconds: 30, failure_threshold: 6 },
      },
      live_probes: {
        liveness: { path: '/auth/config', port: '7100', period_seconds: 30, failure_threshold: 6 },
      },
      drift: [],
      probe_refusals: [],
      workload: { kind: 'Deployment', name: 'cockpit', ready: 1, desired: 1 },
      state: 'healthy',
    });
    expect(row).not.toHaveProperty('health');
    expect(answer).toMatchObject({ source: 'kubernetes', complete: true });
  });

  it('name every field of the live Deployment that the operator will put back, and who set it (BCK-083, BCK-084)', async () => {
    const edited = live(
      {
        ...asWanted,
        env: [
          { name: 'LOG_LEVEL', value: 'debug' },
          { name: 'COCKPIT_TENANT', value: 'willow' },
          { name: 'DB', valueFrom: { secretKeyRef: { name: 'db-old', key: 'url' } } },
        ],
        readinessProbe: get('/readyz', { failureThreshold: 3 }),
      },
      { image: 'registry.example/cockpit:2', replicas: 2 },
    );
    const metadata = edited.metadata as Fields;
    metadata.managedFields = [
      {
        manager: 'platform-operator',
        time: '2026-11-01T00:00:00Z',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
      {
        manager: 'kubectl-edit',
        time: '2026-11-20T00:00:00Z',
        fieldsV1: {
          'f:spec': {
            'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"cockpit"}': { 'f:image': {} } } } },
          },
        },
      },
    ];
    const { row } = await onlyPlane([
      cockpit({
        env: [
          { name: 'LOG_LEVEL', value: 'info' },
          { name: 'COCKPIT_TENANT', value: 'somebody' },
          { name: 'DB', valueFrom: { secretKeyRef: { name: 'db', key: 'url' } } },
        ],
      }),
      edited,
    ]);
    expect(row.drift).toEqual([
      { field: 'image', live: 'registry.example/cockpit:2', wanted: image, manager: 'kubectl-edit' },
      { field: 'replicas', live: '2', wanted: '1' },
      { field: 'env.LOG_LEVEL', live: 'debug', wanted: 'info' },
      { field: 'env.DB', live: 'key url of Secret db-old', wanted: 'key url of Secret db' },
      { field: 'probes.readiness.path', live: '/readyz', wanted: '/auth/config' },
    ]);
    expect(row).toMatchObject({
      state: 'degraded',
      reason: '5 fields of its live Deployment will be put back by the operator',
      reasons: ['5 fields of its live Deployment will be put back by the operator'],
    });
  });

  it('call a variable that somebody added by hand drift, and none that the operator added by itself (BCK-083)', async () => {
    const edited = live({
      ...asWanted,
      env: [
        { name: 'PORT', value: '7100' },
        { name: 'AUTH_ALLOWED_EMAILS', value: 'ines@willow.example' },
        { name: 'TRACE', value: 'all' },
        { name: 'API_TOKEN', value: 'of-somebody' },
        { name: 'COCKPIT_TENANT', value: 'willow' },
      ],
    });
    const fieldsOf = (names: readonly string[], more: Fields = {}) => ({
      'f:spec': {
        'f:template': {
          'f:spec': {
            'f:containers': {
              'k:{"name":"cockpit"}': {
                ...more,
                'f:env': Object.fromEntries(names.map((name) => [`k:${JSON.stringify({ name })}`, {}])),
              },
            },
          },
        },
      },
    });
    (edited.metadata as Fields).managedFields = [
      {
        manager: 'manager',
        time: '2026-11-01T00:00:00Z',
        fieldsV1: fieldsOf(['PORT', 'AUTH_ALLOWED_EMAILS', 'COCKPIT_TENANT'], { 'f:name': {} }),
      },
      {
        manager: 'kubectl-set',
        time: '2026-11-20T00:00:00Z',
        fieldsV1: fieldsOf(['TRACE', 'API_TOKEN']),
      },
    ];
    const { row } = await onlyPlane([cockpit(), edited]);
    expect(row.drift).toEqual([
      { field: 'env.TRACE', live: 'all', wanted: 'not set', manager: 'kubectl-set' },
      { field: 'env.API_TOKEN', live: '***HIDDEN***', wanted: 'not set', manager: 'kubectl-set' },
    ]);
    expect(row.state).toBe('degraded');
  });

  it('take a port by its name, and what the API server fills in, for what they are', async () => {
    const byName = (probe: Fields) => ({ ...probe, httpGet: { path: '/auth/config', port: 'app' } });
    const { row } = await onlyPlane([
      cockpit({ probes: { timeoutSeconds: 1 } }),
      live({
        ports: [{ name: 'app', containerPort: 7100 }],
        startupProbe: { httpGet: { path: '/auth/config', port: 'app' }, failureThreshold: 90 },
        readinessProbe: { httpGet: { path: '/auth/config', port: 'app' } },
        livenessProbe: byName({ failureThreshold: 6, periodSeconds: 30 }),
      }),
    ]);
    expect(row.drift).toEqual([]);
  });

  it('refuse probes that restart every pod for a shared failure, and then dictate none (BCK-041)', async () => {
    const { row } = await onlyPlane([cockpit({ probes: { path: '/readyz' } }), live()]);
    expect(row.probe_refusals).toEqual([
      'The startup probe must not ask /readyz, which spec.probes.path makes it do: a shared failure, such as an expired CA, would restart every pod.',
      'The liveness probe must not ask /readyz, which spec.probes.path makes it do: a shared failure, such as an expired CA, would restart every pod.',
    ]);
    expect(row.effective_probes).toEqual({});
    expect(row.drift).toEqual([]);
    expect(row).toMatchObject({ state: 'degraded', reason: '2 probe settings are not allowed' });
    // The specified values are shown beside what is refused of them.
    expect(row.specified_probes).toMatchObject({
      startup: { path: '/readyz', failure_threshold: 90 },
      readiness: { path: '/readyz', timeout_seconds: 5 },
      liveness: { path: '/readyz', period_seconds: 30 },
    });
    expect(row.refused_settings).toEqual(['startup.path', 'liveness.path']);
  });

  it('with probes disabled call live ones drift', async () => {
    const { row } = await onlyPlane([cockpit({ probes: { disabled: true } }), live()]);
    expect(row.probes_disabled).toBe(true);
    expect(row.drift.map(({ field, live, wanted }) => [field, live, wanted])).toEqual([
      ['probes.startup', 'GET /auth/config on port 7100', 'none'],
      ['probes.readiness', 'GET /auth/config on port 7100', 'none'],
      ['probes.liveness', 'GET /auth/config on port 7100', 'none'],
    ]);
  });

  it('that are runners are probed on port 7102', async () => {
    const { row } = await onlyPlane([cockpit({ runner: { pool: 'a' } })]);
    expect(row).toMatchObject({ runner: true, effective_probes: { startup: { port: '7102' } } });
  });

  it('whose Deployment is not there are failing; one that was not read is not called missing', async () => {
    const missing = await onlyPlane([cockpit()]);
    expect(missing.row).toMatchObject({ state: 'failing', reason: 'its Deployment cockpit does not exist' });
    expect(missing.row).not.toHaveProperty('live_probes');
    const unread = await onlyPlane([cockpit({}, { conditions: [] })], {
      states: { 'deployments.apps': { state: 'forbidden', gaps: ['Forbidden: list deployments.'] } },
    });
    expect(unread.row.state).toBe('not_read');
    expect(unread.answer.unmeasured).toEqual(['Forbidden: list deployments.']);
  });

  it('say what their operator says, and whether it has seen the newest spec', async () => {
    const notReady = [
      { type: 'Ready', status: 'False', reason: 'Blocked', message: 'Secret mesh-ca is missing.' },
    ];
    const said = await onlyPlane([cockpit({}, { conditions: notReady }), live()]);
    expect(said.row).toMatchObject({
      state: 'degraded',
      reason: 'its operator says not ready: Secret mesh-ca is missing',
    });
    const behind = await onlyPlane([cockpit({}, { observedGeneration: 2 }), live()]);
    expect(behind.row).toMatchObject({ observed: false, state: 'working' });
  });
});

describe('health of a control plane', () => {
  const base = '/api/v1/namespaces/tenant-willow/services/cockpit:80/proxy';
  const served = [
    cockpit(),
    live(),
    pod({ name: 'cockpit-7f-a', of: 'cockpit', ...place }),
    service({ name: 'cockpit', ...place, port: 80, target: 7100 }),
  ];
  const answers = (readyz: { status: number; body: string }) => ({
    [`${base}/livez`]: { status: 200, body: '{"status":"alive"}' },
    [`${base}/readyz`]: readyz,
    [`${base}/auth/config`]: { status: 200, body: '{"password_auth":true}' },
  });

  it('is what its endpoints answer, check by check', async () => {
    const { row } = await onlyPlane(served, {
      http: answers({
        status: 503,
        body: JSON.stringify({
          status: 'not_ready',
          checks: [
            {
              name: 'mesh_identity',
              status: 'fail',
              detail: 'leaf does not chain to the CA',
              ca_expires_at: '2026-11-01',
              members: 3,
            },
            { name: 'raft_consensus', status: 'skipped' },
          ],
        }),
      }),
    });
    const asked_at = expect.any(String);
    expect(row.health).toEqual({
      livez: { path: '/livez', state: 'pass', status: 200, detail: '/livez answered 200 alive', asked_at },
      readyz: {
        path: '/readyz',
        asked_at,
        state: 'fail',
        status: 503,
        detail: '/readyz answered 503 not_ready; failing: mesh_identity',
        checks: [
          {
            name: 'mesh_identity',
            status: 'fail',
            detail: 'leaf does not chain to the CA, members 3',
            expires_at: '2026-11-01T00:00:00.000Z',
          },
          { name: 'raft_consensus', status: 'skipped' },
        ],
      },
      auth_config: {
        path: '/auth/config',
        asked_at,
        state: 'pass',
        status: 200,
        detail: '/auth/config answered 200',
      },
    });
    expect(row).toMatchObject({
      state: 'failing',
      reason: '/readyz answered 503 not_ready; failing: mesh_identity',
    });
  });

  it('may name its checks as keys', async () => {
    const { row } = await onlyPlane(served, {
      http: answers({
        status: 200,
        body: '{"status":"ready","checks":{"mesh_identity":"pass","raft_consensus":{"ok":true}}}',
      }),
    });
    expect(row.health?.readyz?.checks).toEqual([
      { name: 'mesh_identity', status: 'pass' },
      { name: 'raft_consensus', status: 'pass' },
    ]);
    expect(row.state).toBe('healthy');
  });

  const meshUntil = (days: number, check: Fields = {}) => {
    const at = new Date(Math.ceil(Date.now() / 1000) * 1000 + days * 86_400_000).toISOString();
    const mesh = {
      name: 'mesh_identity',
      status: 'pass',
      detail: `CA expires ${at}.`,
      expires_at: at,
      ...check,
    };
    return { at, http: answers({ status: 200, body: JSON.stringify({ status: 'ready', checks: [mesh] }) }) };
  };

  it('tells when the mesh CA ends, once, and is healthy while that is 30 days away', async () => {
    const { at, http } = meshUntil(30.1);
    const { row } = await onlyPlane(served, { http });
    expect(row.health?.readyz?.checks).toEqual([{ name: 'mesh_identity', status: 'pass', expires_at: at }]);
    expect(row.state).toBe('healthy');
    expect(row).not.toHaveProperty('reasons');
  });

  it.each([
    [29.5, 'degraded', 'its mesh CA expires in 29 days'],
    [0.5, 'degraded', 'its mesh CA expires in 12 h'],
    [-3.1, 'failing', 'its mesh CA expired 3 days ago'],
  ])('with a mesh CA of %d days is %s', async (days, state, reason) => {
    const { http } = meshUntil(days);
    const { row } = await onlyPlane(served, { http });
    expect(row).toMatchObject({ state, reason, reasons: [reason] });
  });

  it('says of a check that fails what it says, and not its date once more', async () => {
    const { at, http } = meshUntil(12, {
      status: 'fail',
      detail: 'The mesh leaf is unhealthy: tls.crt is missing.',
    });
    const { row } = await onlyPlane(served, { http });
    expect(row.health?.readyz?.checks).toEqual([
      {
        name: 'mesh_identity',
        status: 'fail',
        detail: 'The mesh leaf is unhealthy: tls.crt is missing',
        expires_at: at,
      },
    ]);
    expect(row).not.toHaveProperty('reasons');
  });

  it.each(['never', '', 4, null])('takes %j for no date', async (expires_at) => {
    const check = { name: 'mesh_identity', status: 'pass', expires_at };
    const body = JSON.stringify({ status: 'ready', checks: [check] });
    const { row } = await onlyPlane(served, { http: answers({ status: 200, body }) });
    expect(row.health?.readyz?.checks?.[0]).not.toHaveProperty('expires_at');
    expect(row.state).toBe('healthy');
  });

  it('counts to the end of a CA from when a bundle was taken', async () => {
    const { http } = meshUntil(12);
    const takenAt = Date.now() - 40 * 86_400_000;
    const { row } = await onlyPlane(served, { http, source: 'bundle', takenAt });
    expect(row.state).toBe('healthy');
  });

  it('is not read when nobody answers, which fails nothing', async () => {
    const { row } = await onlyPlane(served);
    expect(row.health?.livez).toEqual({
      path: '/livez',
      asked_at: expect.any(String),
      state: 'not_read',
      detail: '/livez was not read: connection refused',
    });
    expect(row.state).toBe('healthy');
  });

  it('is not read, with the reason, from a bundle that has none', async () => {
    const { row } = await onlyPlane(served, { source: 'bundle', takenAt: Date.now() });
    // As old as the bundle: it was not asked.
    expect(row.health?.readyz).toEqual({
      path: '/readyz',
      state: 'not_read',
      detail: '/readyz was not read: connection refused',
    });
    expect(row.state).toBe('healthy');
  });

  it('is asked for at most every 10 seconds', async () => {
    let asked = 0;
    const cluster = objectCluster(served);
    const { read, console_ } = await readingCluster({
      ...cluster,
      httpGet: async () => {
        asked += 1;
        return { state: 'read', status: 200, body: '{}' };
      },
    });
    await read('cluster.controlPlanes');
    await read('cluster.controlPlanes');
    expect(asked).toBe(3);
    console_.advance(10_001);
    await read('cluster.controlPlanes');
    expect(asked).toBe(6);
  });

  it('of a campaign is asked where it answers', async () => {
    const asked: string[] = [];
    const cluster = objectCluster([
      object('platform.dev/v1alpha1', 'CampaignControlPlane', { name: 'campaign', ...place }, { spec: {} }),
      service({ name: 'campaign', ...place }),
    ]);
    const { read } = await readingCluster({
      ...cluster,
      httpGet: async (path) => {
        asked.push(path.split('/proxy')[1] ?? '');
        return { state: 'read', status: 200, body: '{"status":"ok","model_ready":false,"port":7100}' };
      },
    });
    const { items } = await read('cluster.controlPlanes');
    expect(asked.toSorted()).toEqual(['/auth/config', '/health']);
    expect(items[0]?.health?.livez).toMatchObject({ path: '/health', state: 'pass', model_ready: false });
  });
});

describe('control planes of a cluster that does not answer', () => {
  it('are none, with the reason', async () => {
    const states = Object.fromEntries(
      ['cockpitcontrolplanes', 'campaigncontrolplanes', 'clientinstances']
        .map((plural) => `${plural}.platform.dev`)
        .concat(
          'pods',
          'services',
          'deployments.apps',
          'statefulsets.apps',
          'daemonsets.apps',
          'replicasets.apps',
          'jobs.batch',
          'cronjobs.batch',
        )
        .map((kind) => [kind, unanswered]),
    );
    const { read } = await readingCluster(objectCluster([cockpit()], { states }));
    expect(await read('cluster.controlPlanes')).toMatchObject({
      items: [],
      source: 'unavailable',
      complete: false,
      unmeasured: unanswered.gaps,
    });
  });
});
