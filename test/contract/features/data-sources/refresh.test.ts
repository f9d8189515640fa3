import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ConnectionsService,
  ProbeOutcome,
  ProbeStepKind,
} from '../../../../src-shared/gen/datasource/v1/connections_pb.js';
import { callJson } from '../../../support/data-source-clients.ts';
import { mysqlDouble, type OddServer, oddServer, testAuthority } from '../../../support/odd-servers.ts';
import { probeNetwork } from '../../../support/probe-network.ts';
import { rpcClient } from '../../../support/rpc-client.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const admin = 'ada@northgate.example';
const authority = testAuthority();

describe('POST /api/connectors/status/refresh (CON-121)', () => {
  const servers: OddServer[] = [];
  let console_: TestConsole;
  let cookie: string;
  let open = 0;
  let most = 0;
  const ports: Record<string, number> = {};
  const network = probeNetwork({
    names: {
      'mysql.northgate.example': ['20.30.40.1'],
      'tarpit.northgate.example': ['20.30.40.2'],
      'metadata.northgate.example': ['169.254.169.254'],
      'inside.northgate.example': ['10.20.0.5'],
      'outside.northgate.example': ['10.30.0.5'],
      'console.northgate.example': ['20.30.40.9'],
      'studio.northgate.example': ['20.30.40.8'],
    },
    ports,
  });
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const tarpit = await oddServer((socket) => {
      // Takes what is sent, and says nothing.
      socket.resume();
      open += 1;
      most = Math.max(most, open);
      socket.once('close', () => {
        open -= 1;
      });
    });
    const mysql = await mysqlDouble(authority.issue('mysql.northgate.example'));
    servers.push(tarpit, mysql);
    Object.assign(ports, {
      '20.30.40.1': mysql.port,
      '20.30.40.2': tarpit.port,
      '10.20.0.5': mysql.port,
      '10.30.0.5': mysql.port,
    });
    console_ = await testConsole(
      {
        CONSOLE_CONNECTION_ADMINS: admin,
        CONSOLE_SESSION_ADMINS: admin,
        CONSOLE_CONNECTION_PRIVATE_NETWORKS: '10.20.0.0/16',
        CONSOLE_PUBLIC_URL: 'https://console.northgate.example',
        STUDIO_UPSTREAM: 'http://studio.northgate.example:8080',
      },
      { network },
    );
    cookie = await console_.cookieOf(admin);
    const make = async (name: string, type: string, settings: object, credentials: object) => {
      const { json } = await callJson(console_, 'POST', '/api/connections', {
        cookie,
        body: { name, type, tenant: 'northgate', settings, credentials },
      });
      ids[name] = json.id;
    };
    const mysqlAt = (host: string) =>
      make(
        host.split('.')[0] ?? '',
        'mysql',
        { host, database: 'd', user: 'u', tls: 'verify-ca', ca_certificate: authority.ca },
        { password: 'canary-password-of-mysql' },
      );
    await mysqlAt('mysql.northgate.example');
    await mysqlAt('inside.northgate.example');
    await mysqlAt('outside.northgate.example');
    await mysqlAt('metadata.northgate.example');
    await make('own', 'http', { url: 'https://console.northgate.example/api/me' }, {});
    await make('studio', 'http', { url: 'http://studio.northgate.example:8080/' }, {});
    await make('listener', 'http', { url: console_.url }, {});
    for (let n = 0; n < 6; n += 1)
      await make(`tarpit-${n}`, 'http', { url: 'http://tarpit.northgate.example/' }, {});
  });
  afterAll(async () => {
    await console_.close();
    for (const server of servers) await server.close();
  });

  const refresh = async (...names: string[]) => {
    const { status, json } = await callJson(console_, 'POST', '/api/connectors/status/refresh', {
      cookie,
      body: { ids: names.map((name) => ids[name]) },
    });
    expect(status).toBe(200);
    return json.items as { connection_id: string; outcome: string; detail: string; address?: string }[];
  };
  const dials = async (name: string) => {
    const { json } = await callJson(console_, 'GET', '/api/audit?action=connections.dial&limit=200', {
      cookie,
    });
    const found = json.items.filter(({ target }: { target: string }) => target === ids[name]);
    return Promise.all(
      found.map(
        async ({ seq }: { seq: number }) =>
          (await callJson(console_, 'GET', `/api/audit/${seq}`, { cookie })).json,
      ),
    );
  };

  it('dials what may be dialled, with a record of the address, and keeps the result for the status', async () => {
    const [mysql] = await refresh('mysql');
    expect(mysql).toMatchObject({
      connection_id: ids.mysql,
      outcome: 'reachable',
      detail: 'MySQL 8.4.3 answered.',
      address: '20.30.40.1:3306',
      certificate: { subject: 'mysql.northgate.example', verified: true },
      probed_by: admin,
    });
    expect(await dials('mysql')).toMatchObject([
      {
        actor: admin,
        outcome: 'success',
        detail: { dialled: '20.30.40.1', port: 3306, host: 'mysql.northgate.example', address: '127.0.0.1' },
      },
    ]);
    const status = await callJson(console_, 'GET', '/api/connectors/status', { cookie });
    const kept = status.json.items.find((one: { connection_id: string }) => one.connection_id === ids.mysql);
    expect(kept).toEqual(mysql);
    await callJson(console_, 'PUT', `/api/connections/${ids.mysql}`, { cookie, body: { tenant: 'other' } });
    const later = await callJson(console_, 'GET', '/api/connectors/status', { cookie });
    expect(
      later.json.items.find((one: { connection_id: string }) => one.connection_id === ids.mysql).stale,
    ).toBe(true);
  });

  it('refuses metadata, the console, the studio and private networks that are not named, and records it', async () => {
    const before = network.dialled.length;
    const items = await refresh('metadata', 'own', 'studio', 'listener', 'outside');
    expect(items.map(({ outcome }) => outcome)).toEqual(items.map(() => 'refused'));
    expect(network.dialled.length).toBe(before);
    const byId = new Map(items.map((item) => [item.connection_id, item.detail]));
    expect(byId.get(ids.metadata ?? '')).toBe('Not dialled: 169.254.169.254 is a link-local address.');
    expect(byId.get(ids.own ?? '')).toBe('Not dialled: 20.30.40.9 is the console itself.');
    expect(byId.get(ids.studio ?? '')).toBe('Not dialled: 20.30.40.8 is the studio.');
    expect(byId.get(ids.listener ?? '')).toBe('Not dialled: 127.0.0.1 is a loopback address.');
    expect(byId.get(ids.outside ?? '')).toContain('CONSOLE_CONNECTION_PRIVATE_NETWORKS');
    expect(await dials('metadata')).toMatchObject([{ outcome: 'refused', actor: admin }]);
    expect((await refresh('inside'))[0]).toMatchObject({ outcome: 'reachable', address: '10.20.0.5:3306' });
  });

  it('probes four at a time and five seconds each, and streams each result as it comes (CON-161)', async () => {
    const client = rpcClient(ConnectionsService, console_.url, { cookie });
    const chosen = Array.from({ length: 4 }, (_, n) => ids[`tarpit-${n}`] ?? '');
    const began = performance.now();
    const outcomes: ProbeOutcome[] = [];
    const reading = (async () => {
      const stream = client.refreshConnectionStatuses({ connectionIds: [...chosen, ids.inside ?? ''] });
      for await (const { status } of stream) {
        outcomes.push(status?.outcome ?? ProbeOutcome.UNSPECIFIED);
        if (status?.connectionId !== ids.inside)
          expect([status?.failedStep, status?.detail]).toEqual([
            ProbeStepKind.PROTOCOL,
            expect.stringContaining('did not answer the HTTP request within 5 s'),
          ]);
      }
    })();
    await expect.poll(() => open).toBe(4);
    // The fast one is told while the others still wait.
    await expect.poll(() => outcomes).toEqual([ProbeOutcome.REACHABLE]);
    // Somebody else's refresh gets no fifth place: it waits until one of the four has ended.
    const [another] = await refresh('mysql');
    expect(another?.outcome).toBe('reachable');
    expect(performance.now() - began).toBeGreaterThan(4500);
    await reading;
    expect(outcomes).toEqual([ProbeOutcome.REACHABLE, ...chosen.map(() => ProbeOutcome.FAILED)]);
    expect(most).toBe(4);
    expect(performance.now() - began).toBeLessThan(6500);
  });

  it('ends with its caller: what was not dialled by then is not dialled', async () => {
    const before = network.dialled.length;
    const controller = new AbortController();
    const client = rpcClient(ConnectionsService, console_.url, { cookie });
    const stream = client.refreshConnectionStatuses(
      { connectionIds: Array.from({ length: 6 }, (_, n) => ids[`tarpit-${n}`] ?? '') },
      { signal: controller.signal },
    );
    const reading = (async () => {
      for await (const _ of stream);
    })();
    await expect.poll(() => network.dialled.length).toBe(before + 4);
    controller.abort();
    await expect(reading).rejects.toThrow();
    await expect.poll(() => open).toBe(0);
    expect(network.dialled.length).toBe(before + 4);
  });

  it('ends when the session of its caller does', async () => {
    const own = await console_.cookieOf(admin);
    const client = rpcClient(ConnectionsService, console_.url, { cookie: own });
    const stream = client.refreshConnectionStatuses({ connectionIds: [ids['tarpit-0'] ?? ''] });
    const ended = (async () => {
      for await (const _ of stream);
    })().catch((error: unknown) => ConnectError.from(error).code);
    await expect.poll(() => open).toBe(1);
    await callJson(console_, 'POST', '/auth/logout', { cookie: own });
    expect(await ended).toBe(Code.Unauthenticated);
    await expect.poll(() => open).toBe(0);
  });

  it('sends no credential to anybody', async () => {
    const seen: string[] = [];
    const listening = await oddServer((socket) =>
      socket.on('data', (data) => {
        seen.push(data.toString('latin1'));
        // Offers no TLS first, and asks for a password in plain text then.
        if (seen.length === 1) socket.write('N');
        else if (seen.length === 2) socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      }),
    );
    servers.push(listening);
    ports['20.30.40.1'] = listening.port;
    const { json } = await callJson(console_, 'POST', '/api/connections', {
      cookie,
      body: {
        name: 'captured',
        type: 'postgres',
        tenant: 'northgate',
        settings: { host: 'mysql.northgate.example', database: 'd', user: 'reader', tls: 'prefer' },
        credentials: { password: 'canary-password' },
      },
    });
    ids.captured = json.id;
    const [captured] = await refresh('captured');
    expect(captured?.detail).toBe('PostgreSQL answered: a password in plain text is asked.');
    expect(seen.join('')).toContain('reader');
    expect(seen.join('')).not.toContain('canary');
  });
});
