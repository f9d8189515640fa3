import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningRunner, startRunner } from '../../../../src-main/backends/runner/index.ts';
import { ConnectionsService } from '../../../../src-shared/gen/datasource/v1/connections_pb.js';
import { ListenerState, ListenersService } from '../../../../src-shared/gen/datasource/v1/listeners_pb.js';
import { RunnerState, RunnersService } from '../../../../src-shared/gen/datasource/v1/runners_pb.js';
import { callJson } from '../../../support/data-source-clients.ts';
import { dialects } from '../../../support/databases.ts';
import { type OddServer, oddServer } from '../../../support/odd-servers.ts';
import { rpcClient } from '../../../support/rpc-client.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const admin = 'ada@northgate.example';
const minutes = 60_000;

const codeOf = (call: Promise<unknown>): Promise<Code | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => ConnectError.from(error).code,
  );

for (const { name, missing, place } of dialects) {
  describe.skipIf(missing !== undefined)(`runners on ${name}`, () => {
    let console_: TestConsole;
    let remove: () => void;
    let cookie: string;
    beforeAll(async () => {
      const placed = await place();
      remove = placed.remove;
      console_ = await testConsole({ CONSOLE_CONNECTION_ADMINS: admin }, { place: placed.place });
    });
    beforeAll(async () => {
      cookie = await console_.cookieOf(admin);
    });
    afterAll(async () => {
      await console_.close();
      remove();
    });
    const post = (path: string, body: object = {}, header: string | undefined = cookie) =>
      callJson(console_, 'POST', path, { ...(header === undefined ? {} : { cookie: header }), body });
    const runners = (headers: Record<string, string> = { cookie }) =>
      rpcClient(RunnersService, console_.url, headers);
    const enrol = async (runnerName: string) => {
      const { json } = await post('/api/runners', { name: runnerName });
      return { id: String(json.runner.id), secret: String(json.secret), ticket: String(json.ticket.id) };
    };
    const redeem = (id: string, secret: string) =>
      callJson(console_, 'POST', `/api/runners/${id}/connect`, { body: { secret, version: '1.0' } });

    it('are enrolled by a ticket that is shown once, kept as a digest, and redeemed once (CON-117, CON-118, CON-162)', async () => {
      const { id, secret } = await enrol('once');
      const listed = await callJson(console_, 'GET', '/api/runners', { cookie });
      expect(listed.json.items[0]).toMatchObject({
        id,
        state: 'enrolling',
        tickets: [{ created_by: admin }],
      });
      const rows = JSON.stringify([
        await console_.store.db.selectFrom('runners').selectAll().execute(),
        await console_.store.db.selectFrom('runner_tickets').selectAll().execute(),
      ]);
      expect([listed.text.includes(secret), rows.includes(secret)]).toEqual([false, false]);
      const both = await Promise.all([redeem(id, secret), redeem(id, secret)]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
      const won = both.find(({ status }) => status === 200);
      expect(won?.json).toMatchObject({
        runner: { id, state: 'connected', tickets: [] },
        heartbeat_seconds: 15,
      });
      const token = String(won?.json.token);
      expect(
        JSON.stringify(await console_.store.db.selectFrom('runners').selectAll().execute()).includes(token),
      ).toBe(false);
      const beat = await runners({ authorization: `Bearer ${token}` }).heartbeat({ version: '1.1' });
      expect(beat.heartbeatSeconds).toBe(15);
      // Neither a session nor the ticket beats for it.
      expect(await codeOf(runners().heartbeat({}))).toBe(Code.Unauthenticated);
      expect(await codeOf(runners({ authorization: `Bearer ${secret}` }).heartbeat({}))).toBe(
        Code.Unauthenticated,
      );
    });

    it('refuse a ticket that expired, was revoked, or is for another runner (CON-119)', async () => {
      const old = await enrol('old');
      const other = await enrol('other');
      expect((await redeem(other.id, old.secret)).status).toBe(401);
      const revoked = await callJson(console_, 'DELETE', `/api/runner-tokens/${other.ticket}`, { cookie });
      expect(revoked.json).toEqual({ revoked: true });
      expect((await redeem(other.id, other.secret)).status).toBe(401);
      console_.advance(15 * minutes + 1000);
      cookie = await console_.cookieOf(admin);
      expect((await redeem(old.id, old.secret)).status).toBe(401);
      const gone = await callJson(console_, 'DELETE', `/api/runner-tokens/${old.ticket}`, { cookie });
      expect(gone.status).toBe(404);
      const again = await post(`/api/runners/${old.id}/token`);
      expect((await redeem(old.id, again.json.secret)).status).toBe(200);
    });

    it('go offline after three missed heartbeats, change address and labels, and are revoked for good (CON-118)', async () => {
      const { id, secret } = await enrol('edge');
      const { token } = (await redeem(id, secret)).json;
      const bearer = { authorization: `Bearer ${token}` };
      await runners(bearer).heartbeat({ version: '2.0' });
      const patch = (part: string, body: object) =>
        callJson(console_, 'PATCH', `/api/runners/${id}/${part}`, { cookie, body });
      expect((await patch('address', { address: 'edge.northgate.example' })).json).toMatchObject({
        state: 'connected',
        address: 'edge.northgate.example',
        version: '2.0',
      });
      expect((await patch('labels', { labels: { zone: 'eu-1' } })).json.labels).toEqual({ zone: 'eu-1' });
      expect((await patch('labels', { labels: { 'a b': 'x' } })).status).toBe(400);
      const { runner } = await runners().updateRunner({ id, labels: { labels: {} } });
      expect(runner).toMatchObject({ labels: {}, address: 'edge.northgate.example' });
      console_.advance(51_000);
      const { runners: later } = await runners().listRunners({});
      expect(later.find((one) => one.id === id)?.state).toBe(RunnerState.OFFLINE);
      await runners(bearer).heartbeat({ version: '2.0' });
      expect((await post(`/api/runners/${id}/revoke`)).json).toMatchObject({
        state: 'revoked',
        revoked_by: admin,
      });
      expect(await codeOf(runners(bearer).heartbeat({}))).toBe(Code.Unauthenticated);
      expect((await post(`/api/runners/${id}/token`)).status).toBe(409);
    });

    it('bound the tries of an address', async () => {
      const { id } = await enrol('guessed');
      const statuses: number[] = [];
      for (let n = 0; n < 21; n += 1) statuses.push((await redeem(id, `ticket_${n}`)).status);
      expect(statuses.at(-1)).toBe(429);
      console_.advance(61_000);
      expect((await redeem(id, 'ticket_x')).status).toBe(401);
    });
  });
}

describe('the reference runner (CON-162, CON-163)', () => {
  let console_: TestConsole;
  let cookie: string;
  let echo: OddServer;
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  const file = join(folder, 'runner.json');
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const running: RunningRunner[] = [];

  beforeAll(async () => {
    console_ = await testConsole({ CONSOLE_CONNECTION_ADMINS: admin });
    cookie = await console_.cookieOf(admin);
    echo = await oddServer((socket) => socket.pipe(socket));
  });
  afterAll(async () => {
    for (const one of running) await one.close();
    await echo.close();
    await console_.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (id: string, ticket?: string) => {
    const runner = await startRunner({
      console: console_.url,
      id,
      ticket,
      file,
      host: '127.0.0.1',
      version: '1.0.0',
      log,
    });
    running.push(runner);
    return runner;
  };
  const freePort = () =>
    new Promise<number>((resolve) => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const bound = probe.address();
        probe.close(() => resolve(typeof bound === 'object' ? (bound?.port ?? 0) : 0));
      });
    });
  const said = (port: number, text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
      socket.once('error', reject);
    });

  it('enrols, forwards a port to a connection, survives a restart, and ends when it is revoked', async () => {
    const runners = rpcClient(RunnersService, console_.url, { cookie });
    const listeners = rpcClient(ListenersService, console_.url, { cookie });
    const { runner, secret } = await runners.enrolRunner({ name: 'edge', labels: { zone: 'eu-1' } });
    const id = runner?.id ?? '';
    await expect(start(id)).rejects.toThrow('--ticket-file');
    const { connection } = await rpcClient(ConnectionsService, console_.url, { cookie }).createConnection({
      name: 'echo',
      type: 'http',
      tenant: 'northgate',
      settings: { url: `http://127.0.0.1:${echo.port}/` },
    });
    const port = await freePort();
    const taken = await oddServer(() => undefined);
    const make = (listenerName: string, at: number) =>
      listeners.createListener({
        name: listenerName,
        runnerId: id,
        connectionId: connection?.id ?? '',
        port: at,
      });
    const made = await make('echo', port);
    expect(made.listener?.state).toBe(ListenerState.PENDING);
    expect(await codeOf(make('again', port))).toBe(Code.Aborted);
    await make('taken', taken.port);

    const first = await start(id, secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(secret);
    expect(await said(port, 'hello')).toBe('hello');
    const states = async () =>
      Object.fromEntries(
        (await listeners.listListeners({ runnerId: id })).listeners.map((one) => [one.name, one]),
      );
    await expect.poll(async () => (await states()).echo?.state).toBe(ListenerState.LISTENING);
    expect((await states()).taken).toMatchObject({
      state: ListenerState.FAILED,
      reason: `Port ${taken.port} cannot be opened: EADDRINUSE.`,
    });
    await first.close();
    await expect(said(port, 'hello')).rejects.toThrow('ECONNREFUSED');

    const second = await start(id);
    expect(await said(port, 'again')).toBe('again');
    await second.close();
    await runners.revokeRunner({ id });
    const third = await start(id);
    await third.revoked;
    expect(existsSync(file)).toBe(false);
    expect((await states()).echo?.state).toBe(ListenerState.OFFLINE);
    await taken.close();
  });

  it('sends its token to no other console, and over no plain network', async () => {
    const options = { id: 'abcdef0123456789', ticket: 'x', file, host: '127.0.0.1', version: '1', log };
    await expect(startRunner({ ...options, console: 'http://console.northgate.example' })).rejects.toThrow(
      'https',
    );
  });
});
