import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type SandboxCloudProvider,
  startSandboxCloudProvider,
} from '../../../../src-main/sandbox/cloud-provider/index.ts';
import { callJson } from '../../../support/data-source-clients.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const admin = 'ada@northgate.example';

describe('/api/providers (CON-122, CON-123)', () => {
  let cloud: SandboxCloudProvider;
  let console_: TestConsole;
  let cookie: string;
  let members = 2;
  beforeAll(async () => {
    cloud = await startSandboxCloudProvider(() =>
      Array.from({ length: members }, (_, n) => ({
        id: `cluster-${n}`,
        location: 'global',
        state: 'READY',
        version: 'v1.33.4',
        nodes: 3,
      })),
    );
    console_ = await testConsole({
      CONSOLE_CONNECTION_ADMINS: admin,
      CONSOLE_GCP_FLEET_URL: cloud.url,
      CONSOLE_GCP_TOKEN_URL: cloud.tokenUrl,
    });
    cookie = await console_.cookieOf(admin);
  });
  afterAll(async () => {
    await console_.close();
    await cloud.close();
  });
  const configure = (body: object) =>
    callJson(console_, 'POST', '/api/providers', { cookie, body: { provider: 'gcp', ...body } });
  const status = async () => (await callJson(console_, 'GET', '/api/providers/gcp/status', { cookie })).json;

  it('is off, contacts nobody, and names the connectors that the platform publishes of it', async () => {
    const { json } = await callJson(console_, 'GET', '/api/providers', { cookie });
    expect(json.items).toEqual([
      {
        provider: 'gcp',
        name: 'Google Cloud',
        documentation: expect.stringMatching(/^https:/),
        enabled: false,
        credentials: [{ key: 'service_account_key', label: 'Service account key', set: false }],
        connectors: ['bigquery', 'gcs'],
      },
    ]);
    expect(await status()).toMatchObject({ enabled: false, items: [], source: 'store', complete: true });
    expect(cloud.requests).toEqual([]);
  });

  it('reads the fleet once it is turned on with a key, which is never answered', async () => {
    expect((await configure({ enabled: true })).status).toBe(400);
    expect(
      (await configure({ enabled: true, project: cloud.project, service_account_key: '{}' })).status,
    ).toBe(400);
    const without = await configure({ enabled: true, project: cloud.project });
    expect(without.json).toMatchObject({ enabled: true, updated_by: admin });
    expect(await status()).toMatchObject({
      source: 'unavailable',
      complete: false,
      unmeasured: ['The service account key of Google Cloud is not set.'],
    });
    const kept = await configure({ enabled: true, service_account_key: cloud.serviceAccountKey });
    expect(kept.json.credentials[0].set).toBe(true);
    const privatePart = JSON.parse(cloud.serviceAccountKey).private_key.slice(60, 120);
    expect(kept.text).not.toContain(privatePart);
    const read = await status();
    expect(read).toMatchObject({
      enabled: true,
      project: cloud.project,
      source: 'gcp',
      complete: true,
      unmeasured: [],
    });
    expect(read.items).toHaveLength(2);
    expect(read.items[0]).toMatchObject({
      name: `projects/${cloud.project}/locations/global/memberships/cluster-0`,
      location: 'global',
      state: 'READY',
      kubernetes_version: 'v1.33.4',
      nodes: 3,
      vcpus: 12,
      memory_bytes: 3 * 16 * 1024 ** 3,
      created_at: '2026-03-02T09:30:00.123Z',
    });
    await status();
    expect(cloud.requests.length).toBe(2);
  });

  it('reads every page, and says what was not read', async () => {
    members = 250;
    console_.advance(31_000);
    expect((await status()).items).toHaveLength(250);
    members = 1200;
    console_.advance(31_000);
    const much = await status();
    expect([much.items.length, much.complete]).toEqual([1000, false]);
    expect(much.unmeasured).toEqual(['More than 1000 memberships: the rest was not read.']);
  });

  it('says why it cannot read: another project, a key that is not accepted, an API that is away', async () => {
    await configure({ enabled: true, project: 'another-project' });
    expect((await status()).unmeasured[0]).toContain('HTTP 403');
    const other = await startSandboxCloudProvider();
    await configure({ enabled: true, project: cloud.project, service_account_key: other.serviceAccountKey });
    await other.close();
    expect((await status()).unmeasured).toEqual([
      'Google Cloud did not accept the service account key (HTTP 400).',
    ]);
    await configure({ enabled: true, service_account_key: cloud.serviceAccountKey });
    console_.advance(2 * 3_600_000);
    cookie = await console_.cookieOf(admin);
    await cloud.close();
    expect(await status()).toMatchObject({
      source: 'unavailable',
      unmeasured: [expect.stringContaining('could not be reached')],
    });
    await configure({ enabled: false, service_account_key: null });
    expect(await status()).toMatchObject({ enabled: false, source: 'store' });
  });
});
