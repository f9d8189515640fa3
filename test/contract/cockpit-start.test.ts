import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderPlace, sealedStore } from '../../src-main/backends/sealed/index.ts';
import { AuthService } from '../../src-shared/gen/cockpit/v1/auth_pb.js';
import { EstateService } from '../../src-shared/gen/cockpit/v1/estate_pb.js';
import {
  adminEmail,
  adminPassword,
  cockpitClient,
  cockpitEnv,
  day,
  type Env,
  envelopeKey,
  meshCa,
  meshFiles,
  meshFolder,
  meshLeaf,
  mountMesh,
  newFolder,
  runCockpit,
  serveCockpit,
} from '../support/cockpit.ts';
import { type ObjectStore, startObjectStore } from '../support/cockpit-object-store.ts';

// spec/backends.md, "Startup and crash causes (cockpit backend)": each cause provoked on the running program.

const ca = meshCa();
const leaf = meshLeaf(ca);
const whole = meshFiles(ca, leaf);
const mesh = (changes: object): Env => ({
  MESH_DIR: mountMesh(
    newFolder(),
    Object.fromEntries(Object.entries({ ...whole, ...changes }).filter(([, text]) => text !== undefined)),
  ),
});
const noMesh = 'mesh identity unavailable, refusing to start: ';

let store: ObjectStore;
beforeAll(async () => {
  store = await startObjectStore(['appfs', 'replicas']);
  writeFileSync(join(caFolder, 'store-ca.crt'), store.ca);
});
afterAll(() => store.close());
const caFolder = newFolder();

/** The environment of a backend whose appfs root is the object store. */
const onStore = (changes: Env = {}): Env =>
  cockpitEnv({
    NODE_EXTRA_CA_CERTS: join(caFolder, 'store-ca.crt'),
    APPFS_ROOT: undefined,
    OBJECTSTORE_ENDPOINT: store.url,
    OBJECTSTORE_BUCKET: 'appfs',
    OBJECTSTORE_ACCESS_KEY_ID: store.credentials.accessKeyId,
    OBJECTSTORE_SECRET_ACCESS_KEY: store.credentials.secretAccessKey,
    ...changes,
  });

type Cause = readonly [symptom: string, environment: () => Env | Promise<Env>, args?: readonly string[]];

const causes: Readonly<Record<string, readonly Cause[]>> = {
  'refusing to serve: no session signing key (AUTH_JWT_SECRET unset)': [
    [
      'refusing to serve: no session signing key. Set AUTH_JWT_SECRET',
      () => cockpitEnv({ AUTH_JWT_SECRET: undefined }),
    ],
    [
      'refusing to serve: no session signing key. Set AUTH_JWT_SECRET',
      () => cockpitEnv({ AUTH_JWT_SECRET: '  ' }),
    ],
    [
      'refusing to serve: no session signing key that is long enough',
      () => cockpitEnv({ AUTH_JWT_SECRET: 'short' }),
    ],
  ],
  'mesh identity unavailable, refusing to start (CA missing, incomplete or expired)': [
    [`${noMesh}the CA is incomplete: ca.crt is missing`, () => cockpitEnv({ MESH_DIR: newFolder() })],
    [`${noMesh}the CA is incomplete: ca.key is missing`, () => cockpitEnv(mesh({ 'ca.key': undefined }))],
    [`${noMesh}the CA is incomplete: ca.crt is empty`, () => cockpitEnv(mesh({ 'ca.crt': '' }))],
    [
      `${noMesh}the CA is incomplete: ca.key is not the key`,
      () => cockpitEnv(mesh({ 'ca.key': meshCa().key })),
    ],
    [
      `${noMesh}the CA expired `,
      () => {
        const expired = meshCa({ notBefore: Date.now() - 2 * day, notAfter: Date.now() - day });
        return cockpitEnv(mesh(meshFiles(expired, meshLeaf(expired))));
      },
    ],
    [
      `${noMesh}the CA is not valid before `,
      () => cockpitEnv(mesh(meshFiles(meshCa({ notBefore: Date.now() + day }), leaf))),
    ],
    [
      `${noMesh}the certificate in ca.crt may not sign others`,
      () => cockpitEnv(mesh({ 'ca.crt': leaf.cert, 'ca.key': leaf.key })),
    ],
  ],
  'no inference endpoint configured (INFERENCE_REMOTE_URL unset or blank)': [
    ['no inference endpoint configured', () => cockpitEnv({ INFERENCE_REMOTE_URL: undefined })],
    ['no inference endpoint configured', () => cockpitEnv({ INFERENCE_REMOTE_URL: '  ' })],
    ['no inference endpoint configured', () => cockpitEnv({ INFERENCE_REMOTE_URL: 'default=,summaries=' })],
    // Versioning 1: names of earlier releases are no longer read.
    [
      'no inference endpoint configured',
      () =>
        cockpitEnv({ INFERENCE_REMOTE_URL: undefined, INFERENCE_URL: 'http://a', LLM_ENDPOINT: 'http://a' }),
    ],
    ['INFERENCE_REMOTE_URL is no address', () => cockpitEnv({ INFERENCE_REMOTE_URL: 'model.example' })],
  ],
  'other settings that cannot be used': [
    ['AUTH_GOOGLE_ONLY must be true or false', () => cockpitEnv({ AUTH_GOOGLE_ONLY: 'yes' })],
    ['OIDC_ISSUER is not secure', () => cockpitEnv({ OIDC_ISSUER: 'http://id.example' })],
    ['ADMIN_EMAIL is no email address', () => cockpitEnv({ ADMIN_EMAIL: 'admin' })],
    ['MODEL_EMBEDDING_DIM must be a whole number', () => cockpitEnv({ MODEL_EMBEDDING_DIM: '7.5' })],
    [
      'MANAGED_RUNNER_ENDPOINT is no address',
      () => cockpitEnv({ MANAGED_RUNNER_ENDPOINT: 'https://a:b@runner' }),
    ],
  ],
  'unknown embedding format (EMBEDDING_FORMAT must be qwen3-embedding, nomic-v1.5 or raw)': [
    [
      'unknown embedding format: EMBEDDING_FORMAT must be qwen3-embedding, nomic-v1.5 or raw.',
      () => cockpitEnv({ EMBEDDING_FORMAT: 'qwen3' }),
    ],
  ],
  'appfs root: at-rest key unavailable (PLATFORM_ENVELOPE_KEK did not resolve)': [
    ['appfs root: at-rest key unavailable', () => cockpitEnv({ PLATFORM_ENVELOPE_KEK: undefined })],
    ['appfs root: at-rest key unavailable', () => cockpitEnv({ PLATFORM_ENVELOPE_KEK: ' ' })],
  ],
  'envelope key not valid base64, or must be 32 bytes (key malformed)': [
    [
      'envelope key not valid base64',
      () => cockpitEnv({ PLATFORM_ENVELOPE_KEK: `${envelopeKey.slice(0, 40)}!?=` }),
    ],
    [
      'envelope key must be 32 bytes',
      () => cockpitEnv({ PLATFORM_ENVELOPE_KEK: Buffer.alloc(31).toString('base64') }),
    ],
    [
      'envelope key must be 32 bytes',
      () => cockpitEnv({ PLATFORM_ENVELOPE_KEK: Buffer.alloc(33).toString('base64') }),
    ],
    [
      'appfs root could not be mounted: the envelope key does not open what is sealed',
      async () => {
        const APPFS_ROOT = newFolder();
        await sealedStore(folderPlace(APPFS_ROOT), Buffer.alloc(32, 9)).check();
        return cockpitEnv({ APPFS_ROOT });
      },
    ],
  ],
  'appfs root could not be mounted, object store unavailable (unreachable, wrong credentials, cleartext)': [
    [
      'appfs root could not be mounted, object store unavailable: cleartext object-store traffic is refused',
      () => onStore({ OBJECTSTORE_ENDPOINT: store.url.replace('https:', 'http:') }),
    ],
    [
      'appfs root could not be mounted, object store unavailable: ',
      () => onStore({ OBJECTSTORE_ENDPOINT: 'https://localhost:9' }),
    ],
    [
      'appfs root could not be mounted, object store unavailable: ',
      () => onStore({ OBJECTSTORE_ACCESS_KEY_ID: 'another' }),
    ],
    [
      'appfs root could not be mounted, object store unavailable: ',
      () => onStore({ OBJECTSTORE_BUCKET: 'nowhere' }),
    ],
    // A certificate nobody here trusts.
    [
      'appfs root could not be mounted, object store unavailable: ',
      () => onStore({ NODE_EXTRA_CA_CERTS: undefined }),
    ],
    [
      'appfs root could not be mounted: neither OBJECTSTORE_ENDPOINT nor APPFS_ROOT',
      () => onStore({ OBJECTSTORE_ENDPOINT: undefined }),
    ],
    [
      'appfs root could not be mounted: ',
      () => {
        const APPFS_ROOT = join(newFolder(), 'file');
        writeFileSync(APPFS_ROOT, '');
        return cockpitEnv({ APPFS_ROOT });
      },
    ],
  ],
  'OBJECTSTORE_USE_SSL is set': [
    [
      'OBJECTSTORE_USE_SSL is set: remove it and put the scheme in OBJECTSTORE_ENDPOINT',
      () => onStore({ OBJECTSTORE_USE_SSL: 'true' }),
    ],
    ['OBJECTSTORE_USE_SSL is set', () => cockpitEnv({ OBJECTSTORE_USE_SSL: '' })],
  ],
  'raft orchestrator failed to start with RAFT_NODE_ID set (the held lock: cockpit-raft.test.ts)': [
    [
      'raft orchestrator failed to start with RAFT_NODE_ID set: etcd, the consensus engine, was not found',
      () => cockpitEnv({ RAFT_NODE_ID: 'cockpit-0', ETCD_BINARY: '/nowhere/etcd' }),
    ],
  ],
  'RUNNER_ENROLL_ADDR set but RUNNER_ENROLL_TOKEN empty': [
    [
      'RUNNER_ENROLL_ADDR set but RUNNER_ENROLL_TOKEN empty',
      () => cockpitEnv({ RUNNER_ENROLL_ADDR: 'https://cockpit.example', RUNNER_ENROLL_TOKEN: '' }),
      ['--runner', '--listen', '127.0.0.1:0'],
    ],
  ],
  'SQLITE_PATH must be absolute, or PORT is not a port number': [
    ['SQLITE_PATH must be absolute', () => cockpitEnv({ SQLITE_PATH: 'data/cockpit.db' })],
    ['PORT is not a port number', () => cockpitEnv({ PORT: 'http' }), []],
    ['PORT is not a port number', () => cockpitEnv({ PORT: '0' }), []],
    ['PORT is not a port number', () => cockpitEnv({ PORT: '65536' }), []],
    ['PORT is not a port number', () => cockpitEnv({ PORT: '71 00' }), ['--listen', '127.0.0.1:0']],
    [
      'SQLITE_PATH cannot be used: ',
      () => {
        const folder = join(newFolder(), 'cockpit.db');
        mkdirSync(folder);
        return cockpitEnv({ SQLITE_PATH: folder });
      },
    ],
  ],
  'replica restore failed (the replica exists but could not be restored)': [
    [
      'replica restore failed: ',
      () => {
        store.objects.set('replicas/replicas/damaged/control-plane', Buffer.from('not sealed at all'));
        return onReplica({ COCKPIT_TENANT: 'damaged' });
      },
    ],
    ['replica restore failed: ', () => onReplica({ REPLICA_BUCKET: 'nowhere' })],
    [
      'replica restore failed: REPLICA_BUCKET is set without OBJECTSTORE_ENDPOINT',
      () => cockpitEnv({ REPLICA_BUCKET: 'replicas', SQLITE_PATH: join(newFolder(), 'cockpit.db') }),
    ],
    [
      'replica restore failed: REPLICA_BUCKET is set without SQLITE_PATH',
      () => onStore({ REPLICA_BUCKET: 'replicas' }),
    ],
  ],
};

const onReplica = (changes: Env = {}): Env =>
  onStore({ REPLICA_BUCKET: 'replicas', SQLITE_PATH: join(newFolder(), 'cockpit.db'), ...changes });

describe.each(Object.entries(causes))('%s', (_, rows) => {
  it.each(rows.map(([symptom, environment, args]) => ({ symptom, environment, args })))(
    'ends with exit code 1 and the one line "$symptom…" (Startup and crash causes)',
    async ({ symptom, environment, args }) => {
      const run = await runCockpit(await environment(), args);
      expect(run.log.map(({ msg }) => msg)).toEqual([expect.stringContaining(symptom)]);
      expect(run.log[0]?.msg.startsWith(symptom)).toBe(true);
      expect([run.code, run.stdout]).toEqual([1, '']);
      const said = JSON.stringify(run.log);
      for (const secret of [
        envelopeKey,
        adminPassword,
        store.credentials.secretAccessKey,
        'of these tests only',
      ])
        expect(said).not.toContain(secret);
    },
  );
});

it('refuses a port that another program has, and releases what it had opened', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const run = await runCockpit(cockpitEnv({ PORT: String(port) }), []);
  await new Promise((resolve) => server.close(resolve));
  expect(run.code).toBe(1);
  // The log has what it was told before, and last why it ended.
  expect(run.log.at(-1)?.msg).toMatch(
    /^the port cannot be had: 127\.0\.0\.1:\d+ is in use by another program\./,
  );
});

describe('a backend whose settings hold', () => {
  it('serves, and ends with exit code 0 on SIGTERM', async () => {
    const running = await serveCockpit(cockpitEnv());
    expect((await fetch(`${running.url}/livez`)).status).toBe(200);
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    expect((await running.stop()).code).toBe(0);
  });

  it('keeps sessions on an object store at https://, sealed with PLATFORM_ENVELOPE_KEK', async () => {
    const running = await serveCockpit(onStore());
    const auth = cockpitClient(AuthService, running.url);
    const { session } = await auth.login({ email: adminEmail, password: adminPassword });
    const records = [...store.objects].filter(([key]) => key.startsWith('appfs/sessions/'));
    expect(records).toHaveLength(1);
    expect(records[0]?.[1].toString('latin1')).not.toContain(adminEmail);
    await cockpitClient(AuthService, running.url, session?.token).signOut({});
    expect([...store.objects.keys()].filter((key) => key.startsWith('appfs/sessions/'))).toEqual([]);
    expect((await running.stop()).code).toBe(0);
  });

  it('restores the SQLite file from its replica when the file is gone, and only then', async () => {
    const env = onReplica({ COCKPIT_TENANT: 'rowan' });
    const file = env.SQLITE_PATH ?? '';
    const sources = async (url: string, connect?: string) => {
      const { session } = await cockpitClient(AuthService, url).login({
        email: adminEmail,
        password: adminPassword,
      });
      const estate = cockpitClient(EstateService, url, session?.token);
      if (connect !== undefined) await estate.connectSource({ name: connect, url: 'https://data.example' });
      return (await estate.listSources({})).sources.map(({ name }) => name);
    };
    const first = await serveCockpit(env);
    expect(await sources(first.url, 'map')).toEqual(['map']);
    await first.stop();
    const replica = store.objects.get('replicas/replicas/rowan/control-plane');
    expect(replica?.toString('latin1')).not.toContain('SQLite format 3');
    for (const name of readdirSync(join(file, '..'))) rmSync(join(file, '..', name));

    const second = await serveCockpit(env);
    expect(await sources(second.url)).toEqual(['map']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.restoring`)).toBe(false);
    await second.stop();
    // The file is there: what is in the bucket is older, and not looked at.
    store.objects.set('replicas/replicas/rowan/control-plane', Buffer.from('damaged'));
    const third = await serveCockpit(env);
    expect(await sources(third.url)).toEqual(['map']);
    await third.stop();
  });

  it('runs as a runner with the same settings', async () => {
    const running = await serveCockpit(cockpitEnv({ MESH_DIR: meshFolder() }), ['--runner']);
    expect((await fetch(`${running.url}/auth/config`)).status).toBe(200);
    expect((await running.stop()).code).toBe(0);
  });
});
