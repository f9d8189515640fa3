import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readPort } from '../../../../src-main/backends/cockpit/index.ts';
import { folderStorage, sealedStore } from '../../../../src-main/backends/sealed/index.ts';
import { StartupRefused } from '../../../../src-main/backends/serving/index.ts';
import { AuthService } from '../../../../src-shared/gen/cockpit/v1/auth_pb.js';
import { EstateService } from '../../../../src-shared/gen/cockpit/v1/estate_pb.js';
import {
  adminEmail,
  adminPassword,
  adminToken,
  breakGlass,
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
  type TestCockpit,
  testCockpit,
} from '../../../support/cockpit.ts';
import { type S3Server, s3Credentials, startS3Server } from '../../../support/s3-server.ts';

// BCK-061 to BCK-073: each cause provoked for real, and on the running program once.

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

const caFolder = newFolder();
let store: S3Server;
beforeAll(async () => {
  store = await startS3Server({ buckets: ['appfs', 'sessions', 'replicas'], tls: true });
  // A program trusts it by its variable, this process by its default.
  writeFileSync(join(caFolder, 'store-ca.crt'), store.ca);
  setDefaultCACertificates([...getCACertificates('default'), store.ca]);
});
afterAll(() => store.close());

/** The environment of a backend whose appfs root is the object store. */
const onStore = (changes: Env = {}): Env =>
  cockpitEnv({
    NODE_EXTRA_CA_CERTS: join(caFolder, 'store-ca.crt'),
    APPFS_ROOT: undefined,
    OBJECTSTORE_ENDPOINT: store.url,
    OBJECTSTORE_BUCKET: 'appfs',
    OBJECTSTORE_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    OBJECTSTORE_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
    ...changes,
  });

type Cause = readonly [symptom: string, environment: () => Env | Promise<Env>, args?: readonly string[]];

/** Nothing of a refusal gives a secret away. */
function expectNoSecret(said: string): void {
  for (const secret of [envelopeKey, adminPassword, s3Credentials.secretAccessKey, 'of these tests only'])
    expect(said).not.toContain(secret);
}

/** Provokes a cause on the program, and other forms of it in this process: what the program makes of a refusal is the same for all. */
function provokes(first: Cause, ...others: readonly Cause[]): void {
  it(`ends with exit code 1 and the one line "${first[0]}…"`, async () => {
    const [symptom, environment, args] = first;
    const run = await runCockpit({ ...breakGlass, ...(await environment()) }, args);
    expect(run.log.map(({ msg }) => msg)).toEqual([expect.stringContaining(symptom)]);
    expect(run.log[0]?.msg.startsWith(symptom)).toBe(true);
    expect([run.code, run.stdout]).toEqual([1, '']);
    expectNoSecret(JSON.stringify(run.log));
  });
  refuses(...others);
}

/** Provokes causes in this process. */
function refuses(...causes: readonly Cause[]): void {
  for (const [index, [symptom, environment, args]] of causes.entries())
    it(`refuses with "${symptom}…" (form ${index + 1})`, async () => {
      const env = { ...breakGlass, ...(await environment()) };
      const role = args?.includes('--runner') === true ? 'runner' : 'control-plane';
      const start = async () => {
        readPort(env, role);
        return testCockpit(env, { role });
      };
      const refused = await start().then(
        (started) => started.close(),
        (error: unknown) => error,
      );
      const { message } = z.instanceof(StartupRefused).parse(refused);
      expect(message.slice(0, symptom.length)).toBe(symptom);
      expect(message).not.toContain('\n');
      expectNoSecret(message);
    });
}

const onReplica = (changes: Env = {}): Env =>
  onStore({ REPLICA_BUCKET: 'replicas', SQLITE_PATH: join(newFolder(), 'cockpit.db'), ...changes });

// The programs run at the same time.
describe.concurrent('a backend that refuses to start', () => {
  describe('refusing to serve: no session signing key (BCK-043, BCK-061, BCK-062)', () => {
    const noKey = 'refusing to serve: no session signing key. Set AUTH_JWT_SECRET';
    provokes(
      [noKey, () => cockpitEnv({ AUTH_JWT_SECRET: undefined })],
      [noKey, () => cockpitEnv({ AUTH_JWT_SECRET: '  ' })],
      [
        'refusing to serve: no session signing key that is long enough',
        () => cockpitEnv({ AUTH_JWT_SECRET: 'short' }),
      ],
    );
  });

  describe('mesh identity unavailable, refusing to start (BCK-061, BCK-063)', () => {
    provokes(
      [
        `${noMesh}the CA expired `,
        () => {
          const expired = meshCa({ notBefore: Date.now() - 2 * day, notAfter: Date.now() - day });
          return cockpitEnv(mesh(meshFiles(expired, meshLeaf(expired))));
        },
      ],
      [`${noMesh}the CA is incomplete: ca.crt is missing`, () => cockpitEnv({ MESH_DIR: newFolder() })],
      [`${noMesh}the CA is incomplete: ca.key is missing`, () => cockpitEnv(mesh({ 'ca.key': undefined }))],
      [`${noMesh}the CA is incomplete: ca.crt is empty`, () => cockpitEnv(mesh({ 'ca.crt': '' }))],
      [
        `${noMesh}the CA is incomplete: ca.key is not the key`,
        () => cockpitEnv(mesh({ 'ca.key': meshCa().key })),
      ],
      [
        `${noMesh}the CA is not valid before `,
        () => cockpitEnv(mesh(meshFiles(meshCa({ notBefore: Date.now() + day }), leaf))),
      ],
      [
        `${noMesh}the certificate in ca.crt may not sign others`,
        () => cockpitEnv(mesh({ 'ca.crt': leaf.cert, 'ca.key': leaf.key })),
      ],
    );
  });

  describe('no inference endpoint configured (BCK-064)', () => {
    provokes(
      ['no inference endpoint configured', () => cockpitEnv({ INFERENCE_REMOTE_URL: undefined })],
      ['no inference endpoint configured', () => cockpitEnv({ INFERENCE_REMOTE_URL: '  ' })],
      ['no inference endpoint configured', () => cockpitEnv({ INFERENCE_REMOTE_URL: 'default=,summaries=' })],
      [
        'INFERENCE_REMOTE_URL must be an http(s) address',
        () => cockpitEnv({ INFERENCE_REMOTE_URL: 'model.example' }),
      ],
    );
  });

  describe('reads INFERENCE_REMOTE_URL alone, and no name of an earlier release (BCK-094)', () => {
    const names = ['INFERENCE_URL', 'INFERENCE_ENDPOINT', 'LLM_ENDPOINT', 'LLM_URL', 'MODEL_ENDPOINT'];
    const retired = Object.fromEntries(names.map((name) => [name, 'http://127.0.0.1:9']));
    refuses([
      'no inference endpoint configured',
      () => cockpitEnv({ INFERENCE_REMOTE_URL: undefined, ...retired }),
    ]);
  });

  describe('unknown embedding format (BCK-065)', () => {
    provokes([
      'unknown embedding format: EMBEDDING_FORMAT must be qwen3-embedding, nomic-v1.5 or raw.',
      () => cockpitEnv({ EMBEDDING_FORMAT: 'qwen3' }),
    ]);
  });

  describe('appfs root: at-rest key unavailable (BCK-061, BCK-066)', () => {
    provokes(
      ['appfs root: at-rest key unavailable', () => cockpitEnv({ PLATFORM_ENVELOPE_KEK: undefined })],
      ['appfs root: at-rest key unavailable', () => cockpitEnv({ PLATFORM_ENVELOPE_KEK: ' ' })],
    );
  });

  describe('envelope key not valid base64, or must be 32 bytes (BCK-067, BCK-092)', () => {
    const keyOf = (bytes: number) =>
      cockpitEnv({ PLATFORM_ENVELOPE_KEK: Buffer.alloc(bytes).toString('base64') });
    provokes(
      ['envelope key must be 32 bytes', () => keyOf(31)],
      ['envelope key must be 32 bytes', () => keyOf(33)],
      [
        'envelope key not valid base64',
        () => cockpitEnv({ PLATFORM_ENVELOPE_KEK: `${envelopeKey.slice(0, 40)}!?=` }),
      ],
      [
        'appfs root could not be mounted: the envelope key does not open what is sealed',
        async () => {
          const APPFS_ROOT = newFolder();
          await sealedStore(folderStorage(APPFS_ROOT), Buffer.alloc(32, 9)).check();
          return cockpitEnv({ APPFS_ROOT });
        },
      ],
    );
  });

  const noStore = 'appfs root could not be mounted, object store unavailable: ';
  describe('appfs root could not be mounted, object store unavailable (BCK-068)', () => {
    provokes(
      [noStore, () => onStore({ OBJECTSTORE_ACCESS_KEY_ID: 'another' })],
      [
        `${noStore}cleartext object-store traffic is refused`,
        () => onStore({ OBJECTSTORE_ENDPOINT: store.url.replace('https:', 'http:') }),
      ],
      [noStore, () => onStore({ OBJECTSTORE_ENDPOINT: 'https://localhost:9' })],
      [noStore, () => onStore({ OBJECTSTORE_BUCKET: 'nowhere' })],
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
    );
  });

  describe('an object store whose certificate nobody here trusts (BCK-068)', () => {
    provokes([noStore, () => onStore({ NODE_EXTRA_CA_CERTS: undefined })]);
  });

  describe('OBJECTSTORE_USE_SSL is set (BCK-069)', () => {
    provokes(
      [
        'OBJECTSTORE_USE_SSL is set: remove it and put the scheme in OBJECTSTORE_ENDPOINT',
        () => onStore({ OBJECTSTORE_USE_SSL: 'true' }),
      ],
      ['OBJECTSTORE_USE_SSL is set', () => cockpitEnv({ OBJECTSTORE_USE_SSL: '' })],
    );
  });

  // The lock that another pod holds, and damaged state, are in cockpit-raft.test.ts.
  describe('raft orchestrator failed to start with RAFT_NODE_ID set (BCK-070)', () => {
    provokes([
      'raft orchestrator failed to start with RAFT_NODE_ID set: etcd, the consensus engine, was not found',
      () => cockpitEnv({ RAFT_NODE_ID: 'cockpit-0', ETCD_BINARY: '/nowhere/etcd' }),
    ]);
  });

  describe('RUNNER_ENROLL_ADDR set but RUNNER_ENROLL_TOKEN empty (BCK-071)', () => {
    provokes([
      'RUNNER_ENROLL_ADDR set but RUNNER_ENROLL_TOKEN empty',
      () => cockpitEnv({ RUNNER_ENROLL_ADDR: 'https://cockpit.example', RUNNER_ENROLL_TOKEN: '' }),
      ['--runner', '--listen', '127.0.0.1:0'],
    ]);

    it('says, when both are set, that it enrolls nowhere, and keeps the token to itself', async () => {
      const env = { RUNNER_ENROLL_ADDR: 'https://cockpit.example', RUNNER_ENROLL_TOKEN: 'token-1' };
      const runner = await testCockpit(cockpitEnv(env), { role: 'runner' });
      await runner.close();
      const told = runner.messages().filter((line) => line.startsWith('RUNNER_ENROLL_ADDR is set, but'));
      expect(told).toEqual([expect.stringContaining('enrolls nowhere')]);
      expect(JSON.stringify(runner.log)).not.toContain('token-1');
    });
  });

  describe('SQLITE_PATH must be absolute (BCK-072)', () => {
    provokes(
      ['SQLITE_PATH must be absolute', () => cockpitEnv({ SQLITE_PATH: 'data/cockpit.db' })],
      [
        'SQLITE_PATH cannot be used: ',
        () => {
          const folder = join(newFolder(), 'cockpit.db');
          mkdirSync(folder);
          return cockpitEnv({ SQLITE_PATH: folder });
        },
      ],
    );
  });

  describe('PORT is not a port number (BCK-072)', () => {
    provokes(
      ['PORT is not a port number', () => cockpitEnv({ PORT: '65536' }), []],
      ['PORT is not a port number', () => cockpitEnv({ PORT: 'http' })],
      ['PORT is not a port number', () => cockpitEnv({ PORT: '0' })],
      ['PORT is not a port number', () => cockpitEnv({ PORT: '71 00' })],
    );
  });

  describe('replica restore failed (BCK-073)', () => {
    provokes(
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
    );
  });

  describe('other settings that cannot be used', () => {
    refuses(
      ['AUTH_GOOGLE_ONLY must be true or false', () => cockpitEnv({ AUTH_GOOGLE_ONLY: 'yes' })],
      ['OIDC_ISSUER is not secure', () => cockpitEnv({ OIDC_ISSUER: 'http://id.example' })],
      ['ADMIN_EMAIL is no email address', () => cockpitEnv({ ADMIN_EMAIL: 'admin' })],
      ['MODEL_EMBEDDING_DIM must be a whole number', () => cockpitEnv({ MODEL_EMBEDDING_DIM: '7.5' })],
      [
        'MANAGED_RUNNER_ENDPOINT holds a user or a password',
        () => cockpitEnv({ MANAGED_RUNNER_ENDPOINT: 'https://a:b@runner' }),
      ],
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
});

describe.concurrent('a backend whose settings hold', () => {
  it('serves, and ends with exit code 0 on SIGTERM', async () => {
    const running = await serveCockpit(cockpitEnv());
    expect((await fetch(`${running.url}/livez`)).status).toBe(200);
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    expect((await running.stop()).code).toBe(0);
  });

  it('keeps sessions on an object store at https://, sealed with PLATFORM_ENVELOPE_KEK', async () => {
    const running = await testCockpit(onStore({ ...breakGlass, OBJECTSTORE_BUCKET: 'sessions' }));
    const auth = cockpitClient(AuthService, running.url);
    const { session } = await auth.login({ email: adminEmail, password: adminPassword });
    const records = [...store.objects].filter(([key]) => key.startsWith('sessions/sessions/'));
    expect(records).toHaveLength(1);
    expect(records[0]?.[1].toString('latin1')).not.toContain(adminEmail);
    await cockpitClient(AuthService, running.url, session?.token).signOut({});
    expect([...store.objects.keys()].filter((key) => key.startsWith('sessions/sessions/'))).toEqual([]);
    await running.close();
  });

  it('restores the SQLite file from its replica when the file is gone, and only then', async () => {
    const env = onReplica({ COCKPIT_TENANT: 'rowan' });
    const file = env.SQLITE_PATH ?? '';
    const started = async (more: Env = {}) => {
      const cockpit = await testCockpit({ ...env, ...more });
      return { cockpit, token: more === breakGlass ? await adminToken(cockpit) : '' };
    };
    const first = await started(breakGlass);
    // The session is in the appfs root, which stays: it is good for the starts after it.
    const estate = ({ url }: TestCockpit) => cockpitClient(EstateService, url, first.token);
    const sources = async (cockpit: TestCockpit) =>
      (await estate(cockpit).listSources({})).sources.map(({ name }) => name);
    await estate(first.cockpit).connectSource({ name: 'map', url: 'https://data.example' });
    await first.cockpit.close();
    const replica = store.objects.get('replicas/replicas/rowan/control-plane');
    expect(replica?.toString('latin1')).not.toContain('SQLite format 3');
    for (const name of readdirSync(join(file, '..'))) rmSync(join(file, '..', name));

    const second = await started();
    expect(await sources(second.cockpit)).toEqual(['map']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.restoring`)).toBe(false);
    await second.cockpit.close();
    // The file is there: what is in the bucket is older, and not looked at.
    store.objects.set('replicas/replicas/rowan/control-plane', Buffer.from('damaged'));
    const third = await started();
    expect(await sources(third.cockpit)).toEqual(['map']);
    await third.cockpit.close();
  });

  it('runs as a runner with the same settings', async () => {
    const running = await serveCockpit(cockpitEnv({ MESH_DIR: meshFolder() }), ['--runner']);
    expect((await fetch(`${running.url}/auth/config`)).status).toBe(200);
    expect((await running.stop()).code).toBe(0);
  });
});
