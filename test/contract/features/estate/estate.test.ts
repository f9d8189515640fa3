import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EstateService } from '../../../../src-shared/gen/estate/v1/estate_pb.js';
import { CapexService } from '../../../../src-shared/gen/platform/v1/capex_pb.js';
import { Autonomy, GovernanceService } from '../../../../src-shared/gen/platform/v1/governance_pb.js';
import { objectCluster } from '../../../support/object-cluster.ts';
import { readAs } from '../../../support/report-doors.ts';
import { codeOf, rpcClient } from '../../../support/rpc-client.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const admin = 'admin@example.com';
const tenant = { 'platform.dev/tenant': 'acme' };
const cluster = objectCluster([
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme-shop', labels: tenant } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'gpu-1' }, spec: {}, status: {} },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'web-1' }, spec: {}, status: {} },
  {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'ClientInstance',
    metadata: { name: 'shop', namespace: 'acme-shop' },
    spec: { tenant: 'acme', controlPlaneRef: { name: 'cedar' }, users: [{}, {}] },
    status: { phase: 'Ready' },
  },
]);

describe('the estate', () => {
  let console_: TestConsole;
  let cookie: string;
  beforeAll(async () => {
    console_ = await testConsole({ CONSOLE_SESSION_ADMINS: admin }, { cluster });
    cookie = await console_.cookieOf(admin);
  });
  afterAll(() => console_?.close());

  it('is what each tenant has, over EstateService (CON-159)', async () => {
    const estate = await rpcClient(EstateService, console_.url, { cookie }).getEstate({});
    expect(estate).toMatchObject({ source: 'kubernetes', complete: true });
    expect(estate.tenants).toHaveLength(1);
    expect(estate.tenants[0]).toMatchObject({
      name: 'acme',
      namespaces: ['acme-shop'],
      connections: [],
      instances: [{ name: 'shop', namespace: 'acme-shop', phase: 'Ready', controlPlane: 'cedar', users: 2 }],
    });
  });

  it('names who owns which namespace, and which nobody owns (CON-132)', async () => {
    const { status, body } = await readAs(console_, '/api/governance', { cookie });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      source: 'kubernetes',
      complete: true,
      ownership: { namespaces: 2, owned: 1, unowned: ['lab'] },
      credentials: { connections: 0, kept_in_keychain: 0, kept_sealed: 0, incomplete: [] },
    });
  });

  it('joins declared instances into data lineage, under their tenant (CON-133)', async () => {
    const { body } = await readAs(console_, '/api/data-lineage', { cookie });
    expect(body).toMatchObject({
      complete: true,
      nodes: [
        { id: 'instance:acme-shop/shop', kind: 'instance', tenant: 'acme' },
        { id: 'tenant:acme', kind: 'tenant', title: 'acme' },
      ],
      edges: [{ from: 'tenant:acme', to: 'instance:acme-shop/shop', kind: 'runs', declared: true }],
    });
  });

  it('has a price for the nodes that an asset names, and none for others', async () => {
    const capex = rpcClient(CapexService, console_.url, { cookie });
    const asset = {
      name: 'GPU rack',
      currency: 'EUR',
      priceMinor: 8_760_000n,
      inServiceOn: '2026-01-01',
      lifetimeMonths: 12,
      nodes: ['gpu-*'],
    };
    await capex.createAsset({ asset });
    const costs = await capex.listNodeCosts({});
    expect(costs).toMatchObject({
      complete: true,
      withoutPrice: ['web-1'],
      nodes: [{ node: 'gpu-1', currency: 'EUR', perHourMilliMinor: 1_000_000n, assets: ['GPU rack'] }],
    });
  });

  it('names the namespaces that meet each policy over GovernanceService (CON-154)', async () => {
    const { policies, complete } = await rpcClient(GovernanceService, console_.url, { cookie }).listPolicies(
      {},
    );
    expect(complete).toBe(true);
    expect(policies.find(({ id }) => id === 'owner')).toMatchObject({
      metBy: ['acme-shop'],
      notMetBy: ['lab'],
      notReadOf: [],
    });
    // Each namespace of people is in exactly one list of each policy.
    for (const { metBy, notMetBy, notReadOf } of policies)
      expect([...metBy, ...notMetBy, ...notReadOf].sort()).toEqual(['acme-shop', 'lab']);
  });

  it('sets guardrails over GovernanceService as over HTTP, for session admins only, within the hard ones', async () => {
    const governance = rpcClient(GovernanceService, console_.url, { cookie });
    const stranger = rpcClient(GovernanceService, console_.url, {
      cookie: await console_.cookieOf('ann@example.com'),
    });
    const set = (autonomy: Record<string, Autonomy>, revision = 0n) => ({ revision, autonomy });
    expect(await codeOf(stranger.setGuardrails(set({ reports: Autonomy.AUTO })))).toBe(Code.PermissionDenied);
    expect(await codeOf(governance.setGuardrails(set({ access: Autonomy.AUTO })))).toBe(
      Code.FailedPrecondition,
    );
    expect(await codeOf(governance.setGuardrails(set({ nonsense: Autonomy.AUTO })))).toBe(
      Code.InvalidArgument,
    );
    const { guardrails } = await governance.setGuardrails(set({ reports: Autonomy.AUTO }));
    expect(guardrails?.revision).toBe(1n);
    expect(await codeOf(governance.setGuardrails(set({ reports: Autonomy.OFF })))).toBe(Code.Aborted);
    const { body } = await readAs(console_, '/api/guardrails', { cookie });
    const { classes } = body as { classes: { class: string; autonomy: string }[] };
    expect(classes.find((each) => each.class === 'reports')?.autonomy).toBe('auto');
  });
});
