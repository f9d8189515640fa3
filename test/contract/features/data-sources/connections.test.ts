import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorDetailSchema } from '../../../../src-shared/gen/console/v1/errors_pb.js';
import { ConnectionsService } from '../../../../src-shared/gen/datasource/v1/connections_pb.js';
import { ordersConnection } from '../../../support/data-source-acts.ts';
import { callJson } from '../../../support/data-source-clients.ts';
import { dialects } from '../../../support/databases.ts';
import { probeNetwork } from '../../../support/probe-network.ts';
import { rpcClient } from '../../../support/rpc-client.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const admin = 'ada@northgate.example';
const reader = 'sven@northgate.example';

const failure = async (call: Promise<unknown>): Promise<ConnectError> => {
  try {
    await call;
  } catch (error) {
    return ConnectError.from(error);
  }
  throw new Error('the call succeeded');
};

for (const { name, missing, place } of dialects) {
  describe.skipIf(missing !== undefined)(`connections on ${name}`, () => {
    let console_: TestConsole;
    let remove: () => void;
    let cookie: string;
    const network = probeNetwork({});
    beforeAll(async () => {
      const placed = await place();
      remove = placed.remove;
      console_ = await testConsole(
        { CONSOLE_CONNECTION_ADMINS: admin, CONSOLE_SESSION_ADMINS: admin },
        { place: placed.place, network },
      );
      cookie = await console_.cookieOf(admin);
    });
    afterAll(async () => {
      await console_.close();
      remove();
    });

    const client = (header = cookie) => rpcClient(ConnectionsService, console_.url, { cookie: header });
    const create = (given: object = {}) =>
      callJson(console_, 'POST', '/api/connections', { cookie, body: { ...ordersConnection, ...given } });

    it('are registered, listed by name, changed and deleted by the alias and the service alike (CON-114, CON-115, CON-161)', async () => {
      const made = await create({ name: 'warehouse' });
      expect(made.status).toBe(200);
      expect(made.json).toMatchObject({
        name: 'warehouse',
        type: 'postgres',
        tenant: 'northgate',
        settings: ordersConnection.settings,
        credentials: [{ key: 'password', set: true, kept_in: 'sealed' }],
        endpoint: 'db.northgate.example:5432',
        revision: 1,
        created_by: admin,
      });
      const { connection } = await client().createConnection({
        name: 'archive',
        type: 's3',
        tenant: 'southgate',
        settings: { bucket: 'archive' },
      });
      expect(connection?.endpoint).toBe('s3.amazonaws.com:443');
      const { json } = await callJson(console_, 'GET', '/api/connections', { cookie });
      expect(json.items.map((one: { name: string }) => one.name)).toEqual(['archive', 'warehouse']);
      const bySouth = await callJson(console_, 'GET', '/api/connections?tenant=southgate', { cookie });
      expect(bySouth.json.items).toHaveLength(1);

      const first = await client().listConnections({ pageSize: 1 });
      const second = await client().listConnections({ pageSize: 1, pageToken: first.nextPageToken });
      expect([first, second].map((page) => page.connections.map((one) => one.name))).toEqual([
        ['archive'],
        ['warehouse'],
      ]);
      expect([first.nextPageToken !== '', second.nextPageToken]).toEqual([true, '']);

      const updated = await client().updateConnection({
        id: connection?.id ?? '',
        updateMask: { paths: ['tenant'] },
        tenant: 'northgate',
        name: 'not named in the mask',
      });
      expect(updated.connection).toMatchObject({ name: 'archive', tenant: 'northgate', revision: 2 });
      const { json: read } = await callJson(console_, 'GET', `/api/connections/${connection?.id}`, {
        cookie,
      });
      expect(read).toMatchObject({ tenant: 'northgate', revision: 2, updated_by: admin });

      const gone = await callJson(console_, 'DELETE', `/api/connections/${connection?.id}`, { cookie });
      expect(gone.json).toEqual({ deleted: true });
      expect((await failure(client().getConnection({ id: connection?.id ?? '' }))).code).toBe(Code.NotFound);
      await client().deleteConnection({ id: made.json.id });
      expect((await client().listConnections({})).connections).toEqual([]);
    });

    it('refuse a second one of a name, a change on an old revision, and a setting that is none', async () => {
      const { json } = await create({ name: 'one' });
      expect((await create({ name: 'one' })).status).toBe(409);
      expect((await create({ name: 'one', tenant: 'southgate' })).status).toBe(200);
      const path = `/api/connections/${json.id}`;
      const both = await Promise.all(
        ['a', 'b'].map((tenant) =>
          callJson(console_, 'PUT', path, { cookie, body: { tenant, revision: 1 } }),
        ),
      );
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      for (const [settings, field] of [
        [{ ...ordersConnection.settings, port: '70000' }, 'port'],
        [{ ...ordersConnection.settings, host: 'db/../x' }, 'host'],
        [{ ...ordersConnection.settings, tls: 'maybe' }, 'tls'],
        [{ ...ordersConnection.settings, ca_certificate: 'x' }, 'ca_certificate'],
        [{ ...ordersConnection.settings, colour: 'red' }, 'colour'],
        [{ host: 'db.northgate.example', user: 'reader' }, 'database'],
      ] as const) {
        const answer = await create({ name: 'two', settings });
        expect([answer.status, answer.text.includes(field)]).toEqual([400, true]);
      }
      expect((await create({ name: 'two', type: 'oracle' })).text).toContain('is not a connection type');
      expect((await create({ name: 'two', credentials: { token: 'x' } })).text).toContain('no credential');
      const inUrl = await create({
        name: 'two',
        type: 'http',
        settings: { url: 'https://reader:hunter2@api.northgate.example/' },
        credentials: {},
      });
      expect([inUrl.status, inUrl.text.includes('hunter2')]).toEqual([400, false]);
    });

    it('keep their credentials with the endpoint they were given for', async () => {
      const { json } = await create({ name: 'moving' });
      const path = `/api/connections/${json.id}`;
      const settings = { ...ordersConnection.settings, host: 'evil.example' };
      const moved = await callJson(console_, 'PUT', path, { cookie, body: { settings } });
      expect([moved.status, moved.json.error]).toEqual([
        422,
        'Nothing was changed: the kept credentials of moving are not moved to evil.example:5432. Give password again, or forget them.',
      ]);
      const again = await callJson(console_, 'PUT', path, {
        cookie,
        body: { settings, credentials: { password: 'another' } },
      });
      expect([again.status, again.json.endpoint]).toEqual([200, 'evil.example:5432']);
      const forgotten = await client().updateConnection({
        id: json.id,
        updateMask: { paths: ['credentials'] },
        credentials: { password: '' },
      });
      expect(forgotten.connection?.credentials).toMatchObject([{ key: 'password', set: false, keptIn: '' }]);
    });

    it('are changed by who is on the list, and read by who is signed in (CON-114, CON-161)', async () => {
      const other = await console_.cookieOf(reader);
      expect((await callJson(console_, 'GET', '/api/connections', { cookie: other })).status).toBe(200);
      expect((await client(other).listConnections({})).connections.length).toBeGreaterThan(0);
      const refused = await failure(client(other).createConnection({ name: 'x', type: 's3', tenant: 't' }));
      expect(refused.code).toBe(Code.PermissionDenied);
      expect(refused.findDetails(ErrorDetailSchema)).toMatchObject([
        { name: 'NotAllowed', requestId: expect.stringMatching(/^[0-9a-f]{16}$/) },
      ]);
      const nobody = rpcClient(ConnectionsService, console_.url);
      for (const call of [
        () => nobody.listConnections({}),
        () => nobody.createConnection({}),
        () => nobody.listConnectionStatuses({}),
        () => nobody.refreshConnectionStatuses({})[Symbol.asyncIterator]().next(),
      ])
        expect((await failure(call())).code).toBe(Code.Unauthenticated);
      const { items } = (
        await callJson(console_, 'GET', '/api/audit?action=connections.create&limit=200', { cookie })
      ).json;
      const outcomes = items.map((one: { actor: string; outcome: string }) => `${one.actor} ${one.outcome}`);
      expect(outcomes).toContain(`${reader} refused`);
      expect(outcomes).toContain('anonymous refused');
      expect(outcomes).toContain(`${admin} success`);
    });

    it('say on every answer of an alias that it ends, and what takes its place (CON-125)', async () => {
      const calls = [
        ['GET', '/api/connections', 'ConnectionsService'],
        ['POST', '/api/connections', 'ConnectionsService'],
        ['GET', '/api/connections/none', 'ConnectionsService'],
        ['GET', '/api/runners', 'RunnersService'],
        ['POST', '/api/runners/0123456789abcdef/connect', 'RunnersService'],
        ['DELETE', '/api/runner-tokens/0123456789abcdef', 'RunnersService'],
      ] as const;
      for (const [method, path, service] of calls)
        for (const headers of [{}, { cookie }]) {
          const answer = await callJson(console_, method, path, headers);
          const { headers: answered } = answer;
          expect(answered.get('deprecation')).toMatch(/^@\d{10}$/);
          expect(Date.parse(answered.get('sunset') ?? '')).toBeGreaterThan(Date.parse('2027-01-01'));
          expect(answered.get('link')).toContain(`</datasource.v1.${service}>; rel="successor-version"`);
        }
      const kept = await callJson(console_, 'GET', '/api/connection-types', { cookie });
      expect(kept.headers.get('deprecation')).toBeNull();
    });

    it('are never dialled by reading them or their status (CON-120)', async () => {
      const status = await callJson(console_, 'GET', '/api/connectors/status', { cookie });
      expect(status.json.items.length).toBeGreaterThan(0);
      expect(status.json).toMatchObject({ source: 'store', complete: true });
      expect(status.json.items[0]).toMatchObject({ outcome: 'not_probed', steps: [], stale: false });
      await client().listConnectionStatuses({});
      expect([network.lookedUp, network.dialled]).toEqual([[], []]);
    });
  });
}

describe('GET /api/connection-types (CON-116)', () => {
  it('is the catalogue: nine types with their settings and credential keys, the same by the service', async () => {
    const console = await testConsole();
    const cookie = await console.cookieOf(reader);
    const { json } = await callJson(console, 'GET', '/api/connection-types', { cookie });
    expect(json.items.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'bigquery',
      'gcs',
      'http',
      'hubspot',
      'mysql',
      'postgres',
      's3',
      'salesforce',
      'snowflake',
    ]);
    const postgres = json.items.find(({ type }: { type: string }) => type === 'postgres');
    expect(postgres.settings[0]).toEqual({ name: 'host', label: 'Host', kind: 'host', required: true });
    expect(postgres.credentials).toEqual([
      { key: 'password', label: 'Password', required: true, multiline: false },
    ]);
    const { types } = await rpcClient(ConnectionsService, console.url, { cookie }).listConnectionTypes({});
    expect(types.map(({ type }) => type)).toEqual(json.items.map(({ type }: { type: string }) => type));
    await console.close();
  });
});
