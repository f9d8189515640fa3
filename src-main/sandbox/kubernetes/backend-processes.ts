import { createHmac } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Serving } from '../../backends/serving/index.ts';
import { writePrivateFile } from '../../private-file.ts';
import type { Place } from '../listening.ts';
import type { BackendsOptions } from './backends.ts';
import { type MeshCa, meshLeaf } from './mesh-cas.ts';
import type { WorkloadSeed } from './seed-schema.ts';

type Parts = BackendsOptions & {
  /** The sandbox's own folder, made when it is first asked for. */
  readonly folder: () => Promise<string>;
  readonly runnerOf: (workload: WorkloadSeed) => Place | undefined;
  /** The secrets of a namespace are derived from it, so that a control plane and its runner have the same ones. */
  readonly secret: Buffer;
};

const listen = { host: '127.0.0.1', port: 0 } as const;

/** The campaign backend, in memory but for its media. */
export async function openCampaign(parts: Parts, workload: WorkloadSeed): Promise<Serving> {
  const { readCampaignConfig, startCampaign } = await import('../../backends/campaign/index.ts');
  const home = await homeOf(parts, workload);
  const config = readCampaignConfig({
    CAMPAIGN_MEDIA_DIR: join(home, 'media'),
    ...secretsOf(parts, workload),
    INFERENCE_REMOTE_URL: addressOf(parts.inference),
  });
  return startCampaign({ listen, config, now: parts.now, log: parts.logOf(workload) });
}

/**
 * A control plane or a runner, with the mesh CA of its namespace. It began when its pods did, as far as its own clock says: a CA that
 * ended since was still good then. Throws when the seed has no mesh CA for its namespace.
 */
export async function openCockpit(parts: Parts, workload: WorkloadSeed): Promise<Serving> {
  const { readCockpitConfig, startCockpit } = await import('../../backends/cockpit/index.ts');
  const { meshCas, start, now, logOf } = parts;
  const { namespace, age, backend, leaf_of } = workload;
  const ca = caOf(meshCas, namespace);
  const home = await homeOf(parts, workload);
  const mesh = join(home, 'mesh', workload.name);
  // The Secret of the namespace, by the names under which backends read it (src-main/backends/mesh).
  writeAll(mesh, { 'ca.crt': ca.cert, 'ca.key': ca.key });
  mountLeaf(mesh, workload, ca);
  const appfs = join(home, 'appfs');
  await mkdir(appfs, { recursive: true, mode: 0o700 });
  const runner = backend === 'runner' ? undefined : parts.runnerOf(workload);
  const config = readCockpitConfig(
    {
      MESH_DIR: mesh,
      APPFS_ROOT: appfs,
      ...secretsOf(parts, workload),
      INFERENCE_REMOTE_URL: addressOf(parts.inference),
      EMBEDDING_URL: addressOf(parts.inference),
      ...(runner === undefined ? {} : { MANAGED_RUNNER_ENDPOINT: addressOf(runner) }),
    },
    backend === 'runner' ? 'runner' : 'control-plane',
  );
  let clock = (): number => start - age;
  const cockpit = await startCockpit({ listen, config, now: () => clock(), log: logOf(workload) });
  clock = now;
  // Rotated while it runs, by an issuer that is not the one it loaded.
  if (leaf_of !== undefined) mountLeaf(mesh, workload, caOf(meshCas, leaf_of));
  return cockpit;
}

function caOf(meshCas: ReadonlyMap<string, MeshCa>, namespace: string): MeshCa {
  const ca = meshCas.get(namespace);
  if (ca === undefined) throw new Error(`the sandbox has no mesh CA in ${namespace}`);
  return ca;
}

/** What the workloads of a namespace keep, and share. */
async function homeOf({ folder }: Parts, { namespace }: WorkloadSeed): Promise<string> {
  const home = join(await folder(), namespace);
  await mkdir(home, { recursive: true, mode: 0o700 });
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

function addressOf({ host, port }: Place): string {
  return `http://${host}:${port}`;
}

function mountLeaf(folder: string, workload: WorkloadSeed, ca: MeshCa): void {
  const leaf = meshLeaf(ca, workload);
  writeAll(folder, { 'tls.key': leaf.key, 'tls.crt': leaf.cert });
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writePrivateFile(join(folder, name), text);
}
