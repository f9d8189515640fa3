import { globSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCampaignConfig, startCampaign } from '../../../../src-main/backends/campaign/index.ts';
import { readPort } from '../../../../src-main/backends/cockpit/index.ts';
import { folderStorage, sealedStore } from '../../../../src-main/backends/sealed/index.ts';
import { StartupRefused } from '../../../../src-main/backends/serving/index.ts';
import { diagnose, readCatalogue } from '../../../../src-main/features/troubleshoot/index.ts';
import type { PlatformPart } from '../../../../src-shared/api/symptoms.ts';
import {
  cockpitEnv,
  day,
  type Env,
  envelopeKey,
  meshCa,
  meshFiles,
  meshLeaf,
  mountMesh,
  newFolder,
  testCockpit,
} from '../../../support/cockpit.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { repoRoot } from '../../../support/repo-root.ts';
import { made } from './symptom-situations.ts';

// What the backends say, from their own code: a sentence that changes there is no longer found here.

const catalogue = readCatalogue();

/** Symptoms of a backend that crashes after it logged this. */
async function foundBy(message: string, part: PlatformPart): Promise<string[]> {
  const log = JSON.stringify({ level: 50, time: Date.now(), pid: 7, msg: message });
  const { objects, logs } = made({ from: 'the backend', log, part }, 'here');
  const { findings } = await diagnose(
    { id: 'here', cluster: objectCluster(objects, { logs }) },
    { catalogue, now: Date.now, signal: AbortSignal.timeout(30_000), onProgress: () => undefined },
  );
  return findings.flatMap(({ symptom, explains }) => [symptom, ...explains]);
}

/** The words a start in this process is refused with. */
async function refusal(start: () => Promise<{ close(): Promise<void> }>): Promise<string> {
  const refused = await start().then(
    (started) => started.close(),
    (error: unknown) => error,
  );
  return z.instanceof(StartupRefused).parse(refused).message;
}

const cockpit = (env: Env) => refusal(async () => testCockpit(env));
const runner = (env: Env) => refusal(async () => testCockpit(env, { role: 'runner' }));
const listen = { host: '127.0.0.1', port: 0 };
const campaign = (env: Readonly<Record<string, string>>, at = listen) =>
  refusal(async () => startCampaign({ listen: at, config: readCampaignConfig(env) }));

const ca = meshCa();
const whole = meshFiles(ca, meshLeaf(ca));
const mesh = (files: object): Env => ({
  MESH_DIR: mountMesh(
    newFolder(),
    Object.fromEntries(Object.entries({ ...whole, ...files }).filter(([, text]) => text !== undefined)),
  ),
});
const kek = { PLATFORM_ENVELOPE_KEK: envelopeKey };

async function withPortTaken<T>(then: (port: number) => Promise<T>): Promise<T> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Of a server that listens on an address.
  const { port } = server.address() as AddressInfo;
  return then(port).finally(() => new Promise((resolve) => server.close(resolve)));
}

/** A refusal to start, of which part, and what it must be found as. */
const refusals: readonly (readonly [id: string, part: PlatformPart, said: () => Promise<string>])[] = [
  ['no-session-signing-key', 'cockpit', () => cockpit(cockpitEnv({ AUTH_JWT_SECRET: ' ' }))],
  ['no-session-signing-key', 'cockpit', () => cockpit(cockpitEnv({ AUTH_JWT_SECRET: 'short' }))],
  ['mesh-identity-unavailable', 'cockpit', () => cockpit(cockpitEnv(mesh({ 'ca.key': meshCa().key })))],
  ['mesh-ca-incomplete-at-start', 'cockpit', () => cockpit(cockpitEnv(mesh({ 'ca.key': undefined })))],
  [
    'mesh-ca-expired-at-start',
    'cockpit',
    () => {
      const expired = meshCa({ notBefore: Date.now() - 2 * day, notAfter: Date.now() - day });
      return cockpit(cockpitEnv(mesh(meshFiles(expired, meshLeaf(expired)))));
    },
  ],
  ['no-inference-endpoint', 'cockpit', () => cockpit(cockpitEnv({ INFERENCE_REMOTE_URL: undefined }))],
  ['unknown-embedding-format', 'cockpit', () => cockpit(cockpitEnv({ EMBEDDING_FORMAT: 'qwen3' }))],
  ['envelope-key-unresolved', 'cockpit', () => cockpit(cockpitEnv({ PLATFORM_ENVELOPE_KEK: ' ' }))],
  ['envelope-key-malformed', 'cockpit', () => cockpit(cockpitEnv({ PLATFORM_ENVELOPE_KEK: 'no base64!' }))],
  ['envelope-key-malformed', 'campaign', () => campaign({ PLATFORM_ENVELOPE_KEK: 'AAAA' })],
  [
    'envelope-key-not-the-original',
    'cockpit',
    async () => {
      const APPFS_ROOT = newFolder();
      await sealedStore(folderStorage(APPFS_ROOT), Buffer.alloc(32, 9)).check();
      return cockpit(cockpitEnv({ APPFS_ROOT }));
    },
  ],
  ['appfs-not-mounted', 'cockpit', () => cockpit({ ...cockpitEnv(), APPFS_ROOT: undefined })],
  [
    'object-store-unavailable',
    'cockpit',
    () =>
      cockpit({
        ...cockpitEnv(),
        APPFS_ROOT: undefined,
        OBJECTSTORE_ENDPOINT: 'https://localhost:9',
        OBJECTSTORE_BUCKET: 'appfs',
        OBJECTSTORE_ACCESS_KEY_ID: 'an id',
        OBJECTSTORE_SECRET_ACCESS_KEY: 'a secret of this test only',
      }),
  ],
  [
    'object-store-cleartext',
    'campaign',
    () =>
      campaign({
        ...kek,
        OBJECTSTORE_ENDPOINT: 'http://objects.example',
        OBJECTSTORE_BUCKET: 'media',
        OBJECTSTORE_ACCESS_KEY_ID: 'an id',
        OBJECTSTORE_SECRET_ACCESS_KEY: 'a secret of this test only',
      }),
  ],
  ['object-store-use-ssl-set', 'cockpit', () => cockpit(cockpitEnv({ OBJECTSTORE_USE_SSL: 'true' }))],
  [
    'raft-state-not-opened',
    'cockpit',
    () => cockpit(cockpitEnv({ RAFT_NODE_ID: 'cockpit-0', ETCD_BINARY: '/nowhere/etcd' })),
  ],
  [
    'runner-enroll-token-empty',
    'runner',
    () => runner(cockpitEnv({ RUNNER_ENROLL_ADDR: 'https://cockpit.example', RUNNER_ENROLL_TOKEN: '' })),
  ],
  ['sqlite-path-not-absolute', 'cockpit', () => cockpit(cockpitEnv({ SQLITE_PATH: 'data/cockpit.db' }))],
  ['store-file-unusable', 'cockpit', () => cockpit(cockpitEnv({ SQLITE_PATH: newFolder() }))],
  [
    'port-not-a-number',
    'cockpit',
    () =>
      refusal(async () => {
        readPort({ PORT: 'http' }, 'control-plane');
        return testCockpit();
      }),
  ],
  [
    'replica-restore-failed',
    'cockpit',
    () => cockpit(cockpitEnv({ REPLICA_BUCKET: 'replicas', SQLITE_PATH: join(newFolder(), 'cockpit.db') })),
  ],
  ['cockpit-setting-refused', 'cockpit', () => cockpit(cockpitEnv({ AUTH_GOOGLE_ONLY: 'yes' }))],
  ['cockpit-setting-refused', 'cockpit', () => cockpit(cockpitEnv({ OIDC_ISSUER: 'http://id.example' }))],
  ['cockpit-setting-refused', 'cockpit', () => cockpit(cockpitEnv({ ADMIN_EMAIL: 'admin' }))],
  ['cockpit-setting-refused', 'cockpit', () => cockpit(cockpitEnv({ MODEL_EMBEDDING_DIM: '7.5' }))],
  [
    'cockpit-setting-refused',
    'cockpit',
    () => cockpit(cockpitEnv({ MANAGED_RUNNER_ENDPOINT: 'runner:7102' })),
  ],
  [
    'cockpit-setting-refused',
    'cockpit',
    () => cockpit(cockpitEnv({ MANAGED_RUNNER_ENDPOINT: 'https://a:b@runner.example' })),
  ],
  [
    'cockpit-port-taken',
    'cockpit',
    () =>
      withPortTaken((port) =>
        refusal(() => testCockpit(cockpitEnv(), { listen: { host: '127.0.0.1', port } })),
      ),
  ],
  [
    'campaign-port-taken',
    'campaign',
    () => withPortTaken((port) => campaign({}, { host: '127.0.0.1', port })),
  ],
  ['campaign-web-app-missing', 'campaign', () => campaign({ CAMPAIGN_WEB_DIR: newFolder() })],
  [
    'campaign-store-silent',
    'campaign',
    () =>
      campaign({
        ...kek,
        CAMPAIGN_STORE: 'postgres://u:p@127.0.0.1:1/d',
        AUTH_JWT_SECRET: 'x'.repeat(32),
        CAMPAIGN_MEDIA_DIR: newFolder(),
      }),
  ],
  [
    'campaign-envelope-key-unset',
    'campaign',
    () => campaign({ CAMPAIGN_STORE: join(newFolder(), 'new.db') }),
  ],
  ['campaign-setting-refused', 'campaign', () => campaign({ CAMPAIGN_STORE: 'mysql://u:p@h/d' })],
  ['campaign-setting-refused', 'campaign', () => campaign({ CAMPAIGN_PUBLIC_BASE_URL: 'campaign.example' })],
  ['campaign-setting-refused', 'campaign', () => campaign({ CALLING_AGENT_URL: 'https://u:p@h.example' })],
  ['campaign-setting-refused', 'campaign', () => campaign({ SPEECH_TO_TEXT_MODEL: 'whisper' })],
  ['campaign-setting-refused', 'campaign', () => campaign({ OIDC_ISSUER: 'https://issuer.example' })],
  ['campaign-setting-refused', 'campaign', () => campaign({ AUTH_ALLOWED_EMAILS: 'jon' })],
  ['campaign-setting-refused', 'campaign', () => campaign({ AUTH_JWT_SECRET: 'short' })],
  ['campaign-setting-refused', 'campaign', () => campaign({ ADMIN_EMAIL: 'admin@example.com' })],
];

describe('a backend that refuses to start', () => {
  it.each(refusals)('says what is found as %s, of a %s', async (id, part, said) => {
    const message = await said();
    expect(await foundBy(message, part), message).toContain(id);
  });

  it('is found as no other refusal that is not meant', async () => {
    const said = await cockpit(cockpitEnv({ EMBEDDING_FORMAT: 'qwen3' }));
    const found = await foundBy(said, 'cockpit');
    const others = refusals.map(([id]) => id).filter((id) => id !== 'unknown-embedding-format');
    expect(found.filter((id) => others.includes(id))).toEqual([]);
  });
});

/** A backend that serves, and what it says of a setting or answers. */
describe('a backend that serves', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['campaign-web-app-unset', '/nothing', {}],
    ['podcast-base-url-unset', '/podcast/feed.xml', {}],
  ])('answers what is found as %s', async (id, path, env) => {
    const serving = await startCampaign({ listen, config: readCampaignConfig(env) });
    const answer = await fetch(`${serving.url}${path}`).finally(() => serving.close());
    expect(await foundBy(await answer.text(), 'campaign')).toContain(id);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['campaign-nobody-can-sign-in', {}],
    ['campaign-open-to-everyone', { OIDC_ISSUER: 'https://issuer.example', OIDC_CLIENT_ID: 'console' }],
  ])('warns of what is found as %s', async (id, env) => {
    const warnings: string[] = [];
    const keep = (_: object, message: string): void => void warnings.push(message);
    const serving = await startCampaign({
      listen,
      config: readCampaignConfig(env),
      log: { info: keep, warn: keep, error: keep },
    });
    await serving.close();
    const found = await Promise.all(warnings.map((message) => foundBy(message, 'campaign')));
    expect(found.flat()).toContain(id);
  });

  it('says at its start what is found as embedding-url-unset and break-glass-admin-not-seeded', async () => {
    const running = await testCockpit(cockpitEnv({ ADMIN_EMAIL: undefined }));
    const said = running.messages();
    await running.close();
    const found = await Promise.all(said.map((message) => foundBy(message, 'cockpit')));
    expect(found.flat()).toEqual(
      expect.arrayContaining(['embedding-url-unset', 'break-glass-admin-not-seeded']),
    );
  });
});

describe('what the catalogue looks for in logs of the backends', () => {
  const sources = globSync('src-main/{backends,id-token}/**/*.ts', { cwd: repoRoot })
    .map((file) => readFileSync(join(repoRoot, file), 'utf8').toLowerCase())
    .join('\n');
  /** Put together of parts when they are said, so that they stand nowhere in one piece: provoked here or in the backends' own tests. */
  const composed = new Set([
    'voice-service-failed',
    'schedule-failed',
    'embedding-vector-all-zero',
    'embedding-vector-empty',
    ...refusals.map(([id]) => id),
    'campaign-web-app-unset',
    'podcast-base-url-unset',
  ]);

  it('stands in their code', () => {
    const gone = catalogue
      .filter(({ id, reference }) => reference.startsWith('BCK-') && !composed.has(id))
      .flatMap(({ id, look_for }) =>
        look_for.flatMap((clause) =>
          'log' in clause && !sources.includes(clause.log.literal.toLowerCase())
            ? [`${id}: ${clause.log.literal}`]
            : [],
        ),
      );
    expect(gone).toEqual([]);
  });
});
