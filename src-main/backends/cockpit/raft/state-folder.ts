import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '../../../base/error-message.ts';
import { makeFolder } from '../../../base/make-folder.ts';
import type { BackendLog } from '../../serving/index.ts';
import { endLeftEngines } from './left-engine.ts';
import { isGone, processIdentity } from './process-identity.ts';
import { refused } from './raft-config.ts';

/** File systems that are memory: tmpfs and ramfs (statfs(2)). */
const memoryTypes = [0x01021994, 0x858458f6];
/** Room etcd takes at its start: two log segments of 64 MB, made whole, and its database. */
const leastMemory = 192 * 1024 * 1024;

/**
 * Makes the folder of RAFT_DATA_DIR usable: it is there, can be written, and no engine that was left holds its lock. Throws
 * `StartupRefused`.
 */
export async function openDataFolder(folder: string, log: BackendLog): Promise<void> {
  const probe = join(folder, `.cockpit-${randomUUID()}`);
  try {
    await makeFolder(folder);
    await (await open(probe, 'wx', 0o600)).close();
    await rm(probe);
  } catch (error) {
    throw refused(`RAFT_DATA_DIR cannot be made or written (${errorMessage(error)})`, error);
  }
  await endLeftEngines(folder, log);
}

/**
 * Makes a folder in memory for a state that ends with the process (BCK-086), and removes those of processes that are gone. Throws
 * `StartupRefused` where no file system in memory has room. Only Linux has one that anybody may use: elsewhere it is a temporary folder.
 */
export async function makeMemoryFolder(log: BackendLog): Promise<string> {
  const root = await memoryRoot();
  // Ids of processes mean something within their namespace only, and containers of a pod may share /dev/shm.
  const prefix = `cockpit-raft-${pidNamespace()}-`;
  for (const name of readdirSync(root).filter((each) => each.startsWith(prefix))) {
    const [, starter] = /^(\d+-\d+)-/.exec(name.slice(prefix.length)) ?? [];
    if (starter === undefined || !isGone(starter)) continue;
    await endLeftEngines(join(root, name), log);
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
  }
  return mkdtempSync(join(root, `${prefix}${processIdentity()}-`));
}

async function memoryRoot(): Promise<string> {
  if (process.platform !== 'linux') return tmpdir();
  for (const folder of ['/dev/shm', tmpdir()]) {
    const system = await statfs(folder).catch(() => undefined);
    if (
      system !== undefined &&
      memoryTypes.includes(system.type) &&
      system.bavail * system.bsize >= leastMemory
    )
      return folder;
  }
  throw refused(
    `RAFT_DATA_DIR is not set, and /dev/shm, where the state would be in memory only, has less than ${leastMemory / 1024 / 1024} MB free: set RAFT_DATA_DIR, or make /dev/shm larger`,
  );
}

function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
