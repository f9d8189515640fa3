import { chownSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ProbeResult,
  type ProbeTarget,
  probeService,
} from '../../../../src-main/sources/service-probe/index.ts';
import {
  mysqlDouble,
  type OddServer,
  oddServer,
  testAuthority,
  tlsServer,
} from '../../../support/odd-servers.ts';
import { type PostgresServer, startPostgres } from '../../../support/postgres-server.ts';
import { probeNetwork } from '../../../support/probe-network.ts';
import { type S3Server, startS3Server } from '../../../support/s3-server.ts';

const address = '20.30.40.50';
const host = 'db.northgate.example';
const authority = testAuthority();

const target = (given: Partial<ProbeTarget>): ProbeTarget => ({
  host,
  port: 5432,
  tls: 'none',
  tlsMode: 'verify-full',
  ca: undefined,
  protocol: 'http',
  hello: {},
  ...given,
});

/** Probes a server on loopback as if it were a public one. */
const probe = async (port: number, given: Partial<ProbeTarget> = {}): Promise<ProbeResult> =>
  probeService(target(given), {
    network: probeNetwork({ names: { [host]: [address] }, ports: { [address]: port } }),
    rules: { privateNetworks: [], forbidden: [] },
    signal: new AbortController().signal,
    recordDial: (_address, connect) => connect(),
    recordRefusal: async () => undefined,
  });

const stepsOf = ({ steps }: ProbeResult) => steps.map(({ step, state }) => `${step} ${state}`);

const servers: { close(): Promise<void> }[] = [];
const opened = async <S extends { close(): Promise<void> }>(server: Promise<S>): Promise<S> => {
  const started = await server;
  servers.push(started);
  return started;
};
afterAll(async () => {
  for (const server of servers) await server.close();
});

/** A plain HTTP server that answers by path. */
const httpServer = async (): Promise<OddServer> => {
  const server = createHttpServer((request, response) => {
    if (request.url === '/moved')
      response.writeHead(302, { location: 'http://169.254.169.254/latest?token=1' });
    else if (request.url === '/broken') response.writeHead(503);
    else response.writeHead(401);
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const bound = server.address();
  return {
    port: typeof bound === 'object' ? (bound?.port ?? 0) : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

describe('a probe says which step failed and why (CON-121)', () => {
  it('a name that does not resolve', async () => {
    const result = await probe(9, { host: 'nowhere.northgate.example' });
    expect(result).toMatchObject({
      outcome: 'failed',
      failedStep: 'dns',
      detail: 'nowhere.northgate.example does not resolve: no such host.',
      address: undefined,
    });
  });

  it('a closed port, and one that resets', async () => {
    const closed = await opened(oddServer(() => undefined));
    await closed.close();
    const refused = await probe(closed.port);
    expect(refused).toMatchObject({ outcome: 'failed', failedStep: 'tcp' });
    expect(refused.detail).toContain('refused the connection');
    const resetting = await opened(oddServer((socket) => socket.resetAndDestroy()));
    const reset = await probe(resetting.port);
    expect(reset.outcome).toBe('failed');
    expect(reset.detail).toMatch(/reset the connection|closed the connection/);
    expect(['tcp', 'protocol']).toContain(reset.failedStep);
  });

  it('a tarpit, within six seconds, for every protocol at once', async () => {
    const tarpit = await opened(oddServer(() => undefined));
    const drip = await opened(
      oddServer((socket) => {
        const timer = setInterval(() => socket.write('x'), 100);
        socket.once('close', () => clearInterval(timer));
      }),
    );
    const began = performance.now();
    const results = await Promise.all([
      probe(tarpit.port, { protocol: 'postgresql', tls: 'upgrade' }),
      probe(tarpit.port, { protocol: 'postgresql', tls: 'upgrade', tlsMode: 'disable' }),
      probe(tarpit.port, { protocol: 'mysql', tls: 'upgrade' }),
      probe(tarpit.port),
      probe(tarpit.port, { tls: 'direct' }),
      probe(tarpit.port, { tls: 'direct', protocol: 'none' }),
      probe(drip.port, { protocol: 'postgresql', tls: 'upgrade', tlsMode: 'disable' }),
    ]);
    expect(performance.now() - began).toBeLessThan(6000);
    expect(results.map(({ outcome, failedStep }) => `${outcome} ${failedStep}`)).toEqual([
      'failed tls',
      'failed protocol',
      'failed protocol',
      'failed protocol',
      'failed tls',
      'failed tls',
      'failed protocol',
    ]);
    expect(results[0]?.detail).toContain('did not answer the request for TLS within 5 s');
    expect(results[3]?.detail).toContain('did not answer the HTTP request within 5 s');
    expect(results[6]?.detail).toContain('does not speak PostgreSQL');
  });

  it('a certificate that expired, one of an unknown authority, one for another name, and none', async () => {
    const expired = await opened(tlsServer(authority.expired(host)));
    const foreign = await opened(tlsServer(authority.issue(host)));
    const other = await opened(tlsServer(authority.issue('other.example')));
    const plain = await opened(httpServer());
    const tls = { tls: 'direct', ca: authority.ca } as const;

    const old = await probe(expired.port, tls);
    expect(old).toMatchObject({ outcome: 'failed', failedStep: 'tls' });
    expect(old.detail).toMatch(/^The certificate of db\.northgate\.example expired on \d{4}-\d\d-\d\d\.$/);
    expect(old.certificate).toMatchObject({
      subject: host,
      issuer: 'northgate test authority',
      names: [host],
      fault: 'expired',
      verified: true,
      fingerprint: expect.stringMatching(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    });

    const unknown = await probe(foreign.port, { ...tls, ca: undefined });
    expect(unknown.certificate?.fault).toBe('untrusted');
    expect(unknown.detail).toContain('its issuer northgate test authority is not a known authority');

    const misnamed = await probe(other.port, tls);
    expect(misnamed.certificate?.fault).toBe('name_mismatch');
    expect(misnamed.detail).toBe('The certificate is not for db.northgate.example but for other.example.');

    const none = await probe(plain.port, tls);
    expect(none).toMatchObject({ outcome: 'failed', failedStep: 'tls', certificate: undefined });
    expect(none.detail).toContain('does not speak TLS');
  });

  it('accepts a certificate of the given authority, and says that the protocol was not probed', async () => {
    const server = await opened(tlsServer(authority.issue(host)));
    const result = await probe(server.port, { tls: 'direct', ca: authority.ca, protocol: 'none' });
    expect(result.outcome).toBe('protocol_not_probed');
    expect(result.detail).toContain('Protocol not probed.');
    expect(stepsOf(result)).toEqual(['dns ok', 'address ok', 'tcp ok', 'tls ok', 'protocol not_probed']);
    expect(result.certificate?.fault).toBeUndefined();
    expect(result.address).toBe(`${address}:5432`);
  });

  it('HTTP: answers, refusals and a redirect that is not followed', async () => {
    const server = await opened(httpServer());
    expect(await probe(server.port)).toMatchObject({
      outcome: 'reachable',
      detail: 'HTTP 401: credentials are required.',
    });
    const moved = await probe(server.port, { hello: { path: '/moved' } });
    expect(moved.detail).toBe('HTTP 302: redirects to http://169.254.169.254/latest, which is not followed.');
    expect(await probe(server.port, { hello: { path: '/broken' } })).toMatchObject({
      outcome: 'failed',
      failedStep: 'protocol',
      detail: 'The service answered HTTP 503.',
    });
    const babble = await opened(oddServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    expect((await probe(babble.port)).detail).toContain('does not speak HTTP');
    const silent = await opened(oddServer((socket) => socket.end()));
    expect((await probe(silent.port)).failedStep).toBe('protocol');
  });

  it('dials the next address of a name when the first refuses', async () => {
    const server = await opened(httpServer());
    const network = probeNetwork({
      names: { [host]: ['20.30.40.1', address] },
      ports: { [address]: server.port },
    });
    const result = await probeService(target({}), {
      network,
      rules: { privateNetworks: [], forbidden: [] },
      signal: new AbortController().signal,
      recordDial: (_address, connect) => connect(),
      recordRefusal: async () => undefined,
    });
    expect([result.outcome, result.address]).toEqual(['reachable', `${address}:5432`]);
    expect(network.dialled).toEqual(['20.30.40.1:5432', `${address}:5432`]);
    expect(network.lookedUp).toEqual([host]);
  });
});

describe('S3 (CON-121)', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server({ buckets: ['media'] });
  });
  afterAll(() => server.close());

  it('answers that credentials are required, and any other HTTP server does not pass for it', async () => {
    const s3 = { protocol: 's3', hello: { bucket: 'media' } } as const;
    const result = await probe(Number(new URL(server.url).port), s3);
    expect([result.outcome, result.detail]).toEqual([
      'reachable',
      'S3 answered: SignatureDoesNotMatch; credentials are required.',
    ]);
    const http = await opened(httpServer());
    expect(await probe(http.port, s3)).toMatchObject({
      outcome: 'failed',
      failedStep: 'protocol',
      detail: 'It answered HTTP 401, but not as S3 does.',
    });
  });

  it('says when a bucket does not exist', async () => {
    const missing = await opened(
      oddServer((socket) => {
        const body = '<Error><Code>NoSuchBucket</Code></Error>';
        socket.once('data', () =>
          socket.end(`HTTP/1.1 404 Not Found\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
        );
      }),
    );
    const result = await probe(missing.port, { protocol: 's3', hello: { bucket: 'gone' } });
    expect(result.detail).toBe('S3 answered: the bucket gone does not exist.');
  });
});

describe('MySQL (CON-121)', () => {
  const mysql = { protocol: 'mysql', tls: 'upgrade', ca: authority.ca } as const;

  it('greets, and TLS is begun where both want it', async () => {
    const server = await opened(mysqlDouble(authority.issue(host)));
    const result = await probe(server.port, mysql);
    expect([result.outcome, result.detail]).toEqual(['reachable', 'MySQL 8.4.3 answered.']);
    expect(stepsOf(result)).toEqual(['dns ok', 'address ok', 'tcp ok', 'protocol ok', 'tls ok']);
    const expired = await opened(mysqlDouble(authority.expired(host)));
    expect((await probe(expired.port, mysql)).certificate?.fault).toBe('expired');
  });

  it('fails without TLS unless the connection does not require it', async () => {
    const server = await opened(mysqlDouble());
    const strict = await probe(server.port, mysql);
    expect([strict.outcome, strict.failedStep]).toEqual(['failed', 'tls']);
    expect(strict.detail).toContain('offers no TLS');
    expect((await probe(server.port, { ...mysql, tlsMode: 'prefer' })).outcome).toBe('reachable');
  });

  it('quotes the reason of a server that refuses, and knows what is no MySQL', async () => {
    const refusing = await opened(
      oddServer((socket) => {
        const body = Buffer.concat([
          Buffer.from([0xff, 0x10, 0x04]),
          Buffer.from('#08004Too many connections\x1b[31m'),
        ]);
        socket.end(Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]));
      }),
    );
    const refused = await probe(refusing.port, mysql);
    expect(refused.detail).toBe('MySQL refused the connection: #08004Too many connections [31m (1040).');
    const http = await opened(oddServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    expect((await probe(http.port, mysql)).detail).toContain('does not speak MySQL');
  });
});

const started = await startPostgres();
const server: PostgresServer | undefined = 'missing' in started ? undefined : started;
afterAll(() => server?.stop());

describe.skipIf(server === undefined)('PostgreSQL, a real server (CON-121)', () => {
  const postgresql = {
    protocol: 'postgresql',
    tls: 'upgrade',
    ca: authority.ca,
    hello: { user: 'postgres', database: 'postgres' },
  } as const;
  const port = Number(new URL(server?.url ?? 'postgres://x:1/y').port);

  it('answers the startup, without TLS only where the connection does not require it', async () => {
    const strict = await probe(port, postgresql);
    expect([strict.outcome, strict.failedStep]).toEqual(['failed', 'tls']);
    expect(strict.detail).toContain('offers no TLS, and this connection requires it');
    for (const tlsMode of ['prefer', 'disable'] as const) {
      const result = await probe(port, { ...postgresql, tlsMode });
      expect([result.outcome, result.detail]).toEqual([
        'reachable',
        'PostgreSQL answered: no password is asked.',
      ]);
    }
  });

  it('quotes why it refuses the session', async () => {
    const result = await probe(port, {
      ...postgresql,
      tlsMode: 'disable',
      hello: { user: 'nobody', database: 'postgres' },
    });
    expect(result).toMatchObject({
      outcome: 'failed',
      failedStep: 'protocol',
      detail: 'PostgreSQL refused the session: role "nobody" does not exist (28000).',
    });
  });

  it('shows the certificate over TLS, valid and expired', async () => {
    const client = new Client({ connectionString: server?.url });
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const folder = rows[0]?.data_directory ?? '';
    const use = async ({ cert, key }: { cert: string; key: string }) => {
      for (const [name, text] of [
        ['server.crt', cert],
        ['server.key', key],
      ] as const) {
        writeFileSync(join(folder, name), text, { mode: 0o600 });
        const { uid, gid } = statSync(folder);
        chownSync(join(folder, name), uid, gid);
      }
      await client.query('alter system set ssl = on');
      await client.query('select pg_reload_conf()');
      // A reload is taken up between two statements of a later session.
      await expect
        .poll(async () => (await client.query<{ ssl: string }>('show ssl')).rows[0]?.ssl)
        .toBe('on');
    };
    await use(authority.issue(host));
    await expect
      .poll(async () => (await probe(port, postgresql)).outcome, { timeout: 5000 })
      .toBe('reachable');
    const valid = await probe(port, postgresql);
    expect(valid.certificate).toMatchObject({ subject: host, issuer: 'northgate test authority' });
    expect(valid.steps.find(({ step }) => step === 'tls')?.detail).toMatch(/^TLSv1\.3, certificate of db/);
    await use(authority.expired(host));
    await expect
      .poll(async () => (await probe(port, postgresql)).certificate?.fault, { timeout: 5000 })
      .toBe('expired');
    const lax = await probe(port, { ...postgresql, tlsMode: 'require' });
    expect(lax.outcome).toBe('reachable');
    expect(lax.certificate).toMatchObject({ fault: 'expired', verified: false });
    await client.end();
  });
});
