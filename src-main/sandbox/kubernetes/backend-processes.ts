import { createHmac } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import type { BackendLog, Serving } from '../../backends/serving/index.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { writePrivateFile } from '../../base/private-file.ts';
import type { Endpoint } from '../listening.ts';
import type { BackendsOptions } from './backends.ts';
import { type MeshCa, meshLeaf } from './mesh-cas.ts';
import type { WorkloadSeed } from './seed-schema.ts';

type Parts = BackendsOptions & {
  /** The sandbox's own folder, made when it is first asked for. */
  readonly folder: () => Promise<string>;
  readonly runnerOf: (workload: WorkloadSeed) => Endpoint | undefined;
  /** The secrets of a namespace are derived from it, so that a control plane and its runner have the same ones. */
  readonly secret: Buffer;
};

const listen = { host: '127.0.0.1', port: 0 } as const;

/** A backend's start options, in addition to those the sandbox sets itself. */
export type Start = {
  /** Variables of its container that have a value of their own. */
  readonly env: Readonly<Record<string, string>>;
  /** Log of its container. */
  readonly log: BackendLog;
  /** Epoch ms: when it begins as far as its own clock says, which then is the sandbox's. */
  readonly began: number;
};

/** The campaign backend, in memory but for its media. Throws `StartupRefused` for an environment that it does not start with. */
export async function openCampaign(
  parts: Parts,
  workload: WorkloadSeed,
  { env, log }: Start,
): Promise<Serving> {
  const { readCampaignConfig, startCampaign } = await import('../../backends/campaign/index.ts');
  const home = await homeOf(parts, workload);
  const config = readCampaignConfig({
    ...secretsOf(parts, workload),
    INFERENCE_REMOTE_URL: addressOf(parts.inference),
    ...withoutLocations(env),
    CAMPAIGN_MEDIA_DIR: join(home, 'media'),
  });
  return startCampaign({ listen, config, now: parts.now, log });
}

/**
 * A control plane or a runner, with the mesh CA of its namespace. Throws `StartupRefused` for an environment that it does not start
 * with, and an Error when the seed has no mesh CA for its namespace.
 */
export async function openCockpit(
  parts: Parts,
  workload: WorkloadSeed,
  { env, log, began }: Start,
): Promise<Serving> {
  const { readCockpitConfig, readPort, startCockpit } = await import('../../backends/cockpit/index.ts');
  const { meshCas, now } = parts;
  const { namespace, backend, leaf_of } = workload;
  const runner = backend === 'runner' ? undefined : parts.runnerOf(workload);
  const environment = {
    ...secretsOf(parts, workload),
    INFERENCE_REMOTE_URL: addressOf(parts.inference),
    EMBEDDING_URL: addressOf(parts.inference),
    ...(runner === undefined ? {} : { MANAGED_RUNNER_ENDPOINT: addressOf(runner) }),
    ...withoutLocations(env),
    APPFS_ROOT: '/appfs',
  };
  const role = backend === 'runner' ? 'runner' : 'control-plane';
  // As the program does, which rejects a PORT that is none; here the system chooses.
  readPort(environment, role);
  // What is refused by its settings leaves nothing behind.
  const requested = readCockpitConfig(environment, role);
  const ca = caOf(meshCas, namespace);
  const home = await homeOf(parts, workload);
  const meshFolder = join(home, 'mesh', workload.name);
  // The Secret of the namespace, by the names under which backends read it (src-main/backends/mesh).
  writeAll(meshFolder, { 'ca.crt': ca.cert, 'ca.key': ca.key });
  mountLeaf(meshFolder, workload, ca);
  const appfs = join(home, 'appfs');
  await makeFolder(appfs);
  // Where on this machine its container has the two.
  const config = {
    ...requested,
    meshFolder,
    appfs: requested.appfs.kind === 'folder' ? { ...requested.appfs, folder: appfs } : requested.appfs,
  };
  let clock = (): number => began;
  const cockpit = await startCockpit({ listen, config, now: () => clock(), log });
  clock = now;
  // Rotated while it runs, by an issuer that is not the one it loaded.
  if (leaf_of !== undefined) mountLeaf(meshFolder, workload, caOf(meshCas, leaf_of));
  return cockpit;
}

/** Names of what a container has on its own disk, which is not that of this machine. */
const locations = new Set([
  'CAMPAIGN_MEDIA_DIR',
  'CAMPAIGN_WEB_DIR',
  'CAMPAIGN_WEB_DIR',
  'MESH_DIR',
  'APPFS_ROOT',
  'RAFT_DATA_DIR',
  'SQLITE_PATH',
  'ETCD_BINARY',
  'KUBERNETES_SERVICE_ACCOUNT_DIR',
]);

/** A container's variables but for those places; one that is refused anyway, a relative path, stays. */
function withoutLocations(env: Start['env']): Start['env'] {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => !locations.has(name) || (name === 'SQLITE_PATH' && !isAbsolute(value)),
    ),
  );
}

function caOf(meshCas: ReadonlyMap<string, MeshCa>, namespace: string): MeshCa {
  const ca = meshCas.get(namespace);
  if (ca === undefined) throw new Error(`the sandbox has no mesh CA in ${namespace}`);
  return ca;
}

/** Returns the folder that a namespace's workloads share for their data. */
async function homeOf({ folder }: Parts, { namespace }: WorkloadSeed): Promise<string> {
  const home = join(await folder(), namespace);
  await makeFolder(home);
  return home;
}

function secretsOf(
  parts: Parts,
  { namespace }: WorkloadSeed,
): Readonly<Record<'AUTH_JWT_SECRET' | 'PLATFORM_ENVELOPE_KEK' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD', string>> {
  const secret = (name: string): string =>
    createHmac('sha256', parts.secret).update(`${namespace}/${name}`).digest('base64');
  return {
    AUTH_JWT_SECRET: secret('session'),
    PLATFORM_ENVELOPE_KEK: secret('envelope'),
    ADMIN_EMAIL: 'operator@northgate.example',
    ADMIN_PASSWORD: secret('admin'),
  };
}

function addressOf({ host, port }: Endpoint): string {
  return `http://${host}:${port}`;
}

function mountLeaf(folder: string, workload: WorkloadSeed, ca: MeshCa): void {
  const leaf = meshLeaf(ca, workload);
  writeAll(folder, { 'tls.key': leaf.key, 'tls.crt': leaf.cert });
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writePrivateFile(join(folder, name), text);
}
