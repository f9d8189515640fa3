import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ProbeResult,
  type ProbeTarget,
  probeService,
} from '../../../../src-main/sources/service-probe/index.ts';
import { type MariadbServer, mariadbMissing, startMariadb } from '../../../support/mariadb-server.ts';
import { testAuthority } from '../../../support/odd-servers.ts';
import { probeNetwork } from '../../../support/probe-network.ts';
import { startRealS3 } from '../../../support/real-s3-server.ts';

const address = '20.30.40.50';
const host = 'db.northgate.example';
const authority = testAuthority();

/** Probes a server on loopback as if it were a public one. */
const probe = async (port: number, given: Partial<ProbeTarget>): Promise<ProbeResult> =>
  probeService(
    {
      host,
      port,
      tls: 'upgrade',
      tlsMode: 'verify-full',
      ca: authority.ca,
      protocol: 'mysql',
      hello: {},
      ...given,
    },
    {
      network: probeNetwork({ names: { [host]: [address] }, ports: { [address]: port } }),
      rules: { privateNetworks: [], forbidden: [] },
      signal: new AbortController().signal,
      recordDial: (_address, dial) => dial(),
      recordRefusal: async () => undefined,
    },
  );

/** The fewest clients that MariaDB lets itself be limited to. */
const leastConnections = 10;

const missing = mariadbMissing();

describe.skipIf(missing !== undefined)(
  `MariaDB, a real server (CON-121)${missing === undefined ? '' : `: ${missing}`}`,
  () => {
    const servers: Record<string, MariadbServer> = {};
    beforeAll(async () => {
      const [plain, valid, expired] = await Promise.all([
        startMariadb({ maxConnections: leastConnections }),
        startMariadb({ certificate: authority.issue(host) }),
        startMariadb({ certificate: authority.expired(host) }),
      ]);
      Object.assign(servers, { plain, valid, expired });
    }, 90_000);
    afterAll(async () => {
      for (const server of Object.values(servers)) await server.stop();
    });
    const portOf = (name: string): number => servers[name]?.port ?? 0;

    it('greets by its own name and version, and TLS is begun', async () => {
      const result = await probe(portOf('valid'), {});
      expect(result.outcome).toBe('reachable');
      expect(result.detail).toMatch(/^MariaDB 1\d\.\d+\.\d+ answered\.$/);
      expect(result.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
        'dns ok',
        'address ok',
        'tcp ok',
        'protocol ok',
        'tls ok',
      ]);
      expect(result.certificate).toMatchObject({ subject: host, verified: true });
    });

    it('offers no TLS: only a connection that does not require it reaches it', async () => {
      const strict = await probe(portOf('plain'), {});
      expect([strict.outcome, strict.failedStep]).toEqual(['failed', 'tls']);
      expect(strict.detail).toContain('offers no TLS, and this connection requires it');
      await expect
        .poll(async () => (await probe(portOf('plain'), { tlsMode: 'prefer' })).outcome)
        .toBe('reachable');
    });

    it('has an expired certificate, or one of an authority that is not known: the step and the reason are told', async () => {
      const old = await probe(portOf('expired'), {});
      expect(old).toMatchObject({ outcome: 'failed', failedStep: 'tls', certificate: { fault: 'expired' } });
      expect(old.detail).toMatch(/expired on \d{4}-\d\d-\d\d/);
      const foreign = await probe(portOf('valid'), { ca: undefined });
      expect(foreign).toMatchObject({ failedStep: 'tls', certificate: { fault: 'untrusted' } });
    });

    it('is full: its own words are quoted', async () => {
      // One more is kept free for an administrator.
      const held = Array.from({ length: leastConnections + 1 }, () =>
        connect({ host: '127.0.0.1', port: portOf('plain') }),
      );
      try {
        await Promise.all(held.map((socket) => once(socket, 'data')));
        const full = await probe(portOf('plain'), { tlsMode: 'disable' });
        expect([full.outcome, full.failedStep]).toEqual(['failed', 'protocol']);
        expect(full.detail).toMatch(/Too many connections/);
      } finally {
        for (const socket of held) socket.destroy();
      }
    });
  },
);

const s3 = await startRealS3();
const noS3 = 'missing' in s3 ? s3.missing : undefined;

describe.skipIf(noS3 !== undefined)(
  `S3, a real server (CON-121)${noS3 === undefined ? '' : `: ${noS3}`}`,
  () => {
    afterAll(async () => {
      if ('stop' in s3) await s3.stop();
    });
    const port = 'port' in s3 ? s3.port : 0;
    const bucket = 'bucket' in s3 ? s3.bucket : '';
    const plain = { protocol: 's3', tls: 'none', tlsMode: 'disable', ca: undefined } as const;

    it('answers for its bucket as S3 does, without any credential', async () => {
      const result = await probe(port, { ...plain, hello: { bucket } });
      expect([result.outcome, result.failedStep]).toEqual(['reachable', undefined]);
      expect(result.detail).toMatch(/^S3 answered: /);
    });

    it('says when there is no such bucket, or refuses to tell', async () => {
      const { detail } = await probe(port, { ...plain, hello: { bucket: 'no-such-bucket-of-this-test' } });
      expect(detail).toMatch(/does not exist\.$|AccessDenied; credentials are required\.$/);
    });
  },
);
