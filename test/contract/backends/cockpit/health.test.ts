import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Code, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { readPort } from '../../../../src-main/backends/cockpit/index.ts';
import { openMeshIdentity } from '../../../../src-main/backends/mesh/index.ts';
import { silentLog } from '../../../../src-main/backends/serving/index.ts';
import { ModelService } from '../../../../src-shared/gen/cockpit/v1/model_pb.js';
import {
  cockpitEnv,
  day,
  failureOf,
  meshCa,
  meshFiles,
  meshFolder,
  meshLeaf,
  mountMesh,
  newFolder,
  type TestCockpit,
  testCockpit,
  validNow,
} from '../../../support/cockpit.ts';

// BCK-008 to BCK-017 and BCK-031 to BCK-033: the health endpoints.

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const started = async (...args: Parameters<typeof testCockpit>): Promise<TestCockpit> => {
  const cockpit = await testCockpit(...args);
  open.push(cockpit);
  return cockpit;
};

type Ready = {
  status: string;
  checks: { name: string; status: string; detail: string; expires_at?: string }[];
};
const ready = async (cockpit: TestCockpit): Promise<Ready & { code: number }> => {
  const answer = await fetch(`${cockpit.url}/readyz`);
  return { code: answer.status, ...((await answer.json()) as Ready) };
};

describe.each(['control-plane', 'runner'] as const)('the health endpoints of a %s', (role) => {
  it('/livez is always 200 with status alive, without a session (BCK-008, BCK-031)', async () => {
    const cockpit = await started(cockpitEnv(), { role });
    const answer = await fetch(`${cockpit.url}/livez`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'alive' }]);
    expect((await fetch(`${cockpit.url}/livez`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${cockpit.url}/livez`, { method: 'POST' })).status).toBe(405);
  });

  it('/readyz is 200 ready with one entry per check, and reports the CA expiry date (BCK-009, BCK-011, BCK-012, BCK-015, BCK-032)', async () => {
    const notAfter = Math.floor((Date.now() + 90 * day) / 1000) * 1000;
    const ca = meshCa({ notAfter });
    const { code, status, checks } = await ready(
      await started(cockpitEnv({ MESH_DIR: meshFolder(ca) }), { role }),
    );
    const end = new Date(notAfter).toISOString();
    expect([code, status]).toEqual([200, 'ready']);
    expect(checks).toEqual([
      { name: 'mesh_identity', status: 'pass', detail: `CA expires ${end}.`, expires_at: end },
      { name: 'raft_consensus', status: 'skipped', detail: expect.any(String) },
    ]);
  });

  it('/auth/config answers without a session (BCK-033)', async () => {
    const cockpit = await started(cockpitEnv(), { role });
    const answer = await fetch(`${cockpit.url}/auth/config`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { google_client_id: '', password_auth: true, issuer: '', sso: false },
    ]);
  });
});

it('/auth/config names what the sign-in page needs (BCK-044, BCK-047)', async () => {
  const cockpit = await started(
    cockpitEnv({
      OIDC_ISSUER: 'https://id.example',
      OIDC_CLIENT_ID: 'cockpit',
      AUTH_ALLOWED_EMAILS: 'a@example.com',
      AUTH_GOOGLE_ONLY: 'true',
    }),
  );
  const answer = await fetch(`${cockpit.url}/auth/config`);
  expect(await answer.json()).toEqual({
    google_client_id: 'cockpit',
    password_auth: false,
    issuer: 'https://id.example',
    sso: true,
  });
});

it('answers gRPC beside these endpoints, and has no other plain route (BCK-001)', async () => {
  const { url } = await started();
  for (const path of ['/', '/health', '/sources', '/metrics'])
    expect((await fetch(`${url}${path}`)).status).toBe(404);
  const transport = createGrpcTransport({ baseUrl: url });
  expect((await failureOf(createClient(ModelService, transport).getGrounding({}))).code).toBe(
    Code.Unauthenticated,
  );
});

it('hands gRPC-Web content types to gRPC before any of these endpoints (BCK-002)', async () => {
  const { url } = await started();
  for (const path of ['/livez', '/readyz', '/auth/config']) {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web+proto' },
      body: new Uint8Array(5),
    });
    expect([answer.status, answer.headers.get('grpc-status')]).toEqual([200, '12']);
  }
});

it('skips raft_consensus on a runner, even with RAFT_NODE_ID (BCK-017)', async () => {
  const cockpit = await started(cockpitEnv({ RAFT_NODE_ID: 'cockpit-0' }), { role: 'runner' });
  expect((await ready(cockpit)).checks[1]).toEqual({
    name: 'raft_consensus',
    status: 'skipped',
    detail: 'A runner is no member of the consensus.',
  });
});

describe('mesh_identity fails, /readyz is 503 not_ready and the pod stays alive (BCK-013, BCK-014, BCK-052)', () => {
  const ca = meshCa();
  const other = meshCa();
  const leaf = meshLeaf(ca);
  const cases = {
    'a leaf that is missing': [
      { 'tls.crt': undefined, 'tls.key': undefined },
      'The mesh leaf is unhealthy: tls.crt is missing',
    ],
    'a leaf without its key': [{ 'tls.key': undefined }, 'The mesh leaf is unhealthy: tls.key is missing'],
    'a leaf that is empty': [{ 'tls.crt': '' }, 'The mesh leaf is unhealthy: tls.crt is empty'],
    'a leaf that is no certificate': [
      { 'tls.crt': 'hello' },
      'The mesh leaf is unhealthy: tls.crt holds no certificate',
    ],
    'a key that is none': [
      { 'tls.key': 'hello' },
      'The mesh leaf is unhealthy: tls.key holds no private key',
    ],
    'the key of another leaf': [
      { 'tls.key': meshLeaf(ca).key },
      'The mesh leaf is unhealthy: tls.key is not the key of the certificate in tls.crt',
    ],
    'a leaf that has expired': [
      pair(meshLeaf(ca, { notBefore: Date.now() - 2 * day, notAfter: Date.now() - day })),
      'The mesh leaf expired ',
    ],
    'a leaf that is not valid yet': [
      pair(meshLeaf(ca, { notBefore: Date.now() + day, notAfter: Date.now() + 2 * day })),
      'The mesh leaf is not valid before ',
    ],
    'a leaf of another CA of the same name': [
      pair(meshLeaf(other)),
      'The mesh leaf does not chain to the CA that was loaded at start',
    ],
    'a CA certificate as leaf': [
      pair(meshLeaf(ca, { isCa: true })),
      'The mesh leaf is a CA certificate, which no member may present',
    ],
    'a leaf over an intermediate that may not sign': [
      overLeaf(leaf),
      'The mesh leaf does not chain to the CA that was loaded at start',
    ],
  } as const satisfies Record<string, readonly [object, string]>;

  function pair({ cert, key }: { cert: string; key: string }) {
    return { 'tls.crt': cert, 'tls.key': key };
  }
  function overLeaf(between: { cert: string; key: string }) {
    const last = meshLeaf({ ...between, name: 'cockpit-0' }, { name: 'cockpit-1' });
    return { 'tls.crt': `${last.cert}\n${between.cert}`, 'tls.key': last.key };
  }

  it.each(Object.entries(cases))('for %s', async (_, [changes, detail]) => {
    const files = Object.fromEntries(
      Object.entries({ ...meshFiles(ca, leaf), ...changes }).filter(([, text]) => text !== undefined),
    );
    const cockpit = await started(cockpitEnv({ MESH_DIR: mountMesh(newFolder(), files) }));
    const { code, status, checks } = await ready(cockpit);
    expect([code, status, checks[0]?.status]).toEqual([503, 'not_ready', 'fail']);
    expect(checks[0]?.detail).toContain(detail);
    // The date is reported all the same, and liveness checks nothing of this.
    expect(checks[0]?.detail).toContain('CA expires 20');
    expect((await fetch(`${cockpit.url}/livez`)).status).toBe(200);
  });

  it('until the leaf on disk is rotated, by a swap of the mounted folder or in place (BCK-015)', async () => {
    const expired = meshLeaf(ca, { notBefore: Date.now() - 2 * day, notAfter: Date.now() - day });
    const folder = mountMesh(newFolder(), meshFiles(ca, expired));
    const cockpit = await started(cockpitEnv({ MESH_DIR: folder }));
    expect((await ready(cockpit)).code).toBe(503);
    mountMesh(folder, meshFiles(ca, leaf));
    expect((await ready(cockpit)).code).toBe(200);
    expect(cockpit.messages()).toContain('the mesh leaf was rotated');
    const next = meshLeaf(ca);
    writeFileSync(join(folder, 'tls.key'), next.key);
    writeFileSync(join(folder, 'tls.crt'), next.cert);
    expect((await ready(cockpit)).code).toBe(200);
  });

  it('when the leaf comes from a CA that was redistributed after the start', async () => {
    const folder = mountMesh(newFolder(), meshFiles(ca, leaf));
    const cockpit = await started(cockpitEnv({ MESH_DIR: folder }));
    mountMesh(folder, meshFiles(other, meshLeaf(other)));
    const { code, checks } = await ready(cockpit);
    expect(code).toBe(503);
    expect(checks[0]?.detail).toContain('When the CA was redistributed since, restart to load it.');
  });

  it('when the CA expires while it runs, which a restart does not fix', async () => {
    const short = meshCa(validNow(2));
    let now = Date.now();
    const cockpit = await started(cockpitEnv({ MESH_DIR: meshFolder(short) }), { now: () => now });
    expect((await ready(cockpit)).code).toBe(200);
    now += 3 * day;
    const { code, checks } = await ready(cockpit);
    expect(code).toBe(503);
    expect(checks[0]?.detail).toMatch(/^The mesh CA expired .*a restart does not fix it\.$/);
  });

  it('accepts a leaf over an intermediate CA in its file', async () => {
    const name = 'mesh-intermediate';
    const between = { name, ...meshLeaf(ca, { name, isCa: true }) };
    const last = meshLeaf(between);
    const files = { ...meshFiles(ca, last), 'tls.crt': `${last.cert}\n${between.cert}` };
    const cockpit = await started(cockpitEnv({ MESH_DIR: mountMesh(newFolder(), files) }));
    expect((await ready(cockpit)).code).toBe(200);
  });

  // What issueCertificate does not make: usages of a key, as another tool's CA may set them.
  it.skipIf(!existsSync('/usr/bin/openssl')).each([
    ['digitalSignature', 'serverAuth,clientAuth', 200, 'CA expires'],
    ['keyEncipherment', 'serverAuth,clientAuth', 503, 'key usage without digitalSignature'],
    ['digitalSignature', 'codeSigning', 503, 'extended key usage without serverAuth and clientAuth'],
    ['digitalSignature', 'serverAuth', 503, 'extended key usage without serverAuth and clientAuth'],
  ])('judges the key usage %s with %s (openssl)', async (keyUsage, extendedKeyUsage, code, detail) => {
    const folder = mountMesh(newFolder(), meshFiles(ca, leaf));
    const work = newFolder();
    const at = (name: string) => join(work, name);
    writeFileSync(at('ca.crt'), ca.cert);
    writeFileSync(at('ca.key'), ca.key);
    writeFileSync(at('ext'), `keyUsage=critical,${keyUsage}\nextendedKeyUsage=${extendedKeyUsage}\n`);
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=leaf',
      '-keyout',
      at('key'),
      '-out',
      at('csr'),
    );
    openssl(
      ...['x509', '-req', '-in', at('csr'), '-CA', at('ca.crt'), '-CAkey', at('ca.key'), '-CAcreateserial'],
      ...['-days', '1', '-extfile', at('ext'), '-out', at('crt')],
    );
    mountMesh(folder, {
      ...meshFiles(ca, leaf),
      'tls.crt': readFileSync(at('crt'), 'utf8'),
      'tls.key': readFileSync(at('key'), 'utf8'),
    });
    const answer = await ready(await started(cockpitEnv({ MESH_DIR: folder })));
    expect(answer.code).toBe(code);
    expect(answer.checks[0]?.detail).toContain(detail);
  });
});

it('judges any bytes in the place of a leaf in words: 300 changed certificates', async () => {
  const ca = meshCa();
  const leaf = meshLeaf(ca);
  const der = new X509Certificate(leaf.cert).raw;
  // Ten folders at a time: a certificate without its key is looked at twice, with a pause between.
  const places = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const folder = mountMesh(newFolder(), meshFiles(ca, leaf));
      return { folder, mesh: await openMeshIdentity({ folder, now: Date.now, log: silentLog }) };
    }),
  );
  const change = fc.tuple(fc.nat(der.length - 1), fc.nat(255));
  const changed = fc.array(change, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(changed, { minLength: 10, maxLength: 10 }), async (all) => {
      await Promise.all(
        places.map(async ({ folder, mesh }, index) => {
          const bytes = Buffer.from(der);
          for (const [at, byte] of all[index] ?? []) bytes[at] = byte;
          const pem = `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
          writeFileSync(join(folder, 'tls.crt'), pem);
          const { ok, detail } = await mesh.health();
          // A change that is none leaves a good leaf.
          expect(ok).toBe(bytes.equals(der));
          expect(detail).toContain('CA expires');
        }),
      );
    }),
    { numRuns: 30 },
  );
});

it.each([
  ['control-plane', 7100],
  ['runner', 7102],
] as const)('the port of a %s is %i unless PORT says another (BCK-003, BCK-093)', (role, port) => {
  expect(readPort({}, role)).toBe(port);
  expect(readPort({ PORT: ' 8443 ' }, role)).toBe(8443);
});
