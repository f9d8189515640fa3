import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  cockpitEnv,
  type Env,
  meshCa,
  meshFolder,
  newFolder,
  serveCockpit,
  startProgram,
  type TestCockpit,
  testCockpit,
} from '../../../support/cockpit.ts';
import { etcdMissing, freePort, peersText, threePeers } from '../../../support/raft-members.ts';

// BCK-016, BCK-070, BCK-086 and BCK-091: raft_consensus.

/** What a test calls its ends with: they run at the same time, so that each closes what it has opened. */
type Finish = (close: () => Promise<void>) => void;

const starter =
  (finish: Finish) =>
  async (env: Env, options: Parameters<typeof testCockpit>[1] = {}): Promise<TestCockpit> => {
    const cockpit = await testCockpit(cockpitEnv({ RAFT_NODE_ID: 'cockpit-0', ...env }), options);
    finish(cockpit.close);
    return cockpit;
  };

const raft = async (cockpit: TestCockpit) => {
  const answer = await fetch(`${cockpit.url}/readyz`);
  const { checks } = (await answer.json()) as { checks: { name: string; status: string; detail: string }[] };
  const check = checks.find(({ name }) => name === 'raft_consensus');
  return { code: answer.status, status: check?.status, detail: check?.detail ?? '' };
};
const until = (cockpit: TestCockpit, expected: object) =>
  vi.waitFor(async () => expect(await raft(cockpit)).toMatchObject(expected), {
    timeout: 20_000,
    interval: 200,
  });

async function killed(engine: ChildProcess): Promise<void> {
  if (engine.exitCode !== null || engine.signalCode !== null) return;
  const gone = new Promise((resolve) => engine.once('exit', resolve));
  engine.kill('SIGKILL');
  await gone;
}

/** etcd as another member runs it, without a cockpit. */
async function member(
  finish: Finish,
  id: string,
  folder: string,
  peers: ReadonlyMap<string, string>,
): Promise<ChildProcess> {
  const client = `http://127.0.0.1:${await freePort()}`;
  const own = peers.get(id) ?? '';
  const cluster = [...peers].map(([name, address]) => `${name}=${address}`).join(',');
  const engine = spawn(
    'etcd',
    [
      ...[
        '--name',
        id,
        '--data-dir',
        folder,
        '--listen-client-urls',
        client,
        '--advertise-client-urls',
        client,
      ],
      ...['--listen-peer-urls', own, '--initial-advertise-peer-urls', own, '--initial-cluster', cluster],
    ],
    { stdio: 'ignore' },
  );
  finish(() => killed(engine));
  return engine;
}

/** Folders of states that are kept in memory. */
const foldersIn = (root: string): string[] =>
  readdirSync(root).filter((name) => name.startsWith('cockpit-raft-'));

/** The child of a process whose command line matches, by its id. */
function childOf(parent: number, command: RegExp): number {
  const { stdout } = spawnSync('ps', ['--ppid', `${parent}`, '-o', 'pid=,args='], { encoding: 'utf8' });
  return Number.parseInt(stdout.split('\n').find((line) => command.test(line)) ?? '', 10);
}

/** Ends a process at once, and waits until it is gone. */
async function killProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await gone(pid);
}

const gone = (pid: number) =>
  vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 3000 });

describe.skipIf(etcdMissing !== '')(`a member of the consensus${etcdMissing}`, () => {
  // Alone: it counts the folders of them all.
  it('passes with a leader; without RAFT_DATA_DIR its state is in memory, and gone with it (BCK-012, BCK-086)', async ({
    onTestFinished,
  }) => {
    const started = starter(onTestFinished);
    const before = [foldersIn(tmpdir()), foldersIn('/dev/shm')];
    const cockpit = await started({});
    await until(cockpit, { code: 200, status: 'pass', detail: expect.stringMatching(/follows the leader/) });
    expect(foldersIn(tmpdir())).toEqual(before[0]);
    expect(foldersIn('/dev/shm')).toHaveLength((before[1]?.length ?? 0) + 1);
    await cockpit.close();
    expect([foldersIn(tmpdir()), foldersIn('/dev/shm')]).toEqual(before);
  });

  it('killed at once takes its engine and its memory along (BCK-086)', async () => {
    const before = foldersIn('/dev/shm');
    const cockpit = await serveCockpit(cockpitEnv({ RAFT_NODE_ID: 'cockpit-0' }));
    const engine = childOf(cockpit.pid, /\d etcd /);
    expect(process.kill(engine, 0)).toBe(true);
    await killProcess(cockpit.pid);
    await gone(engine);
    await vi.waitFor(() => expect(foldersIn('/dev/shm')).toEqual(before), { timeout: 3000 });
  }, 30_000);

  it('opens the state of one that was killed, whose engine was left with the lock (BCK-070)', async ({
    onTestFinished,
  }) => {
    const RAFT_DATA_DIR = newFolder();
    const killed = await serveCockpit(cockpitEnv({ RAFT_NODE_ID: 'cockpit-0', RAFT_DATA_DIR }));
    const engine = childOf(killed.pid, /\d etcd /);
    // As when both are killed: then nobody is there to end the engine.
    await killProcess(childOf(killed.pid, /cockpit-engine-watch/));
    await killProcess(killed.pid);
    expect(process.kill(engine, 0)).toBe(true);
    const next = await starter(onTestFinished)({ RAFT_DATA_DIR }, { raftStartMs: 8000 });
    await until(next, { status: 'pass' });
    expect(next.messages()).toContain(
      'a raft engine that outlived its cockpit is ended, so that its state can be opened',
    );
    await gone(engine);
  }, 30_000);

  it.concurrent('opens its state again at RAFT_DATA_DIR', async ({ onTestFinished }) => {
    const started = starter(onTestFinished);
    const RAFT_DATA_DIR = join(newFolder(), 'raft');
    const first = await started({ RAFT_DATA_DIR });
    await until(first, { status: 'pass' });
    const { detail } = await raft(first);
    await first.close();
    const second = await started({ RAFT_DATA_DIR });
    await until(second, { status: 'pass', detail });
  });

  it.concurrent('of three of which two are killed: passes for 30 s without a leader, then fails, and passes with a leader again (BCK-013, BCK-016, BCK-091)', async ({
    onTestFinished,
  }) => {
    const started = starter(onTestFinished);
    const peers = await threePeers();
    const folders = new Map([...peers.keys()].map((id) => [id, newFolder()]));
    const others = ['cockpit-1', 'cockpit-2'];
    const run = (id: string) => member(onTestFinished, id, folders.get(id) ?? '', peers);
    const running = await Promise.all(others.map(run));
    let ahead = 0;
    const cockpit = await started(
      { RAFT_PEERS: peersText(peers), RAFT_DATA_DIR: folders.get('cockpit-0') },
      { now: () => Date.now() + ahead },
    );
    await until(cockpit, { code: 200, status: 'pass', detail: expect.stringMatching(/follows the leader/) });
    for (const engine of running) await killed(engine);
    await until(cockpit, {
      code: 200,
      status: 'pass',
      detail: expect.stringMatching(/has had no leader for \d+ s, within the grace period of 30 s/),
    });
    ahead += 31_000;
    expect(await raft(cockpit)).toMatchObject({
      code: 503,
      status: 'fail',
      detail: expect.stringMatching(/has had no leader for 3\d s, longer than the grace period of 30 s/),
    });
    expect((await fetch(`${cockpit.url}/livez`)).status).toBe(200);
    await run('cockpit-1');
    await until(cockpit, { code: 200, status: 'pass', detail: expect.stringMatching(/follows the leader/) });
  }, 60_000);

  it.concurrent('fails when the raft loop does not answer a status query, and passes once it does (BCK-016)', async ({
    onTestFinished,
  }) => {
    const started = starter(onTestFinished);
    const cockpit = await started({});
    await until(cockpit, { status: 'pass' });
    const pid = cockpit.enginePid() ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      await until(cockpit, {
        code: 503,
        status: 'fail',
        detail: 'The raft engine did not answer a status query within 2 s.',
      });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await until(cockpit, { code: 200, status: 'pass' });
  });

  it.concurrent('fails while its engine is gone, and starts it again', async ({ onTestFinished }) => {
    const started = starter(onTestFinished);
    const cockpit = await started({ RAFT_DATA_DIR: newFolder() });
    await until(cockpit, { status: 'pass' });
    process.kill(cockpit.enginePid() ?? 0, 'SIGKILL');
    await until(cockpit, { code: 503, status: 'fail' });
    expect(cockpit.messages()).toContain('the raft engine ended and is started again');
    await until(cockpit, { code: 200, status: 'pass' });
  });

  it.concurrent('talks to members at https:// addresses with the mesh identity, and to no member of another mesh', async ({
    onTestFinished,
  }) => {
    const started = starter(onTestFinished);
    const ca = meshCa();
    const ids = ['cockpit-0', 'cockpit-1'];
    const peers = new Map<string, string>();
    for (const id of ids) peers.set(id, `https://localhost:${await freePort()}`);
    const of = (id: string, authority = ca) => ({
      RAFT_NODE_ID: id,
      RAFT_PEERS: peersText(peers),
      MESH_DIR: meshFolder(authority),
    });
    const first = await started(of('cockpit-0'));
    const stranger = await started(of('cockpit-1', meshCa()));
    expect(await raft(first)).toMatchObject({ status: 'fail' });
    await stranger.close();
    await started(of('cockpit-1'));
    await until(first, { code: 200, status: 'pass', detail: expect.stringMatching(/follows the leader/) });
  }, 60_000);

  it.concurrent('refuses to start while another process holds the lock of its state, and leaves nothing running (BCK-070)', async ({
    onTestFinished,
  }) => {
    const started = starter(onTestFinished);
    const folder = newFolder();
    const holder = await started({ RAFT_DATA_DIR: folder });
    await until(holder, { status: 'pass' });
    await expect(started({ RAFT_DATA_DIR: folder }, { raftStartMs: 12_000 })).rejects.toMatchObject({
      name: 'StartupRefused',
      message: `raft orchestrator failed to start with RAFT_NODE_ID set: another process, often the previous pod, holds the lock of the consensus state in ${folder}. Unset RAFT_NODE_ID if this pod is not meant to vote.`,
    });
    await until(holder, { status: 'pass' });
    await holder.close();
    // Nobody holds it now, the refused one least of all.
    await until(await started({ RAFT_DATA_DIR: folder }), { status: 'pass' });
  }, 60_000);

  it.concurrent('that is told to end while it waits for that lock takes its engine along', async ({
    onTestFinished,
  }) => {
    const started = starter(onTestFinished);
    const folder = newFolder();
    const holder = await started({ RAFT_DATA_DIR: folder });
    const engine = join(newFolder(), 'engine');
    const id = `${engine}.pid`;
    // What it reports goes nowhere: it would otherwise end by itself when nobody reads that.
    writeFileSync(
      engine,
      `#!/bin/sh\necho $$ > ${id}.new\nmv ${id}.new ${id}\nexec etcd "$@" 2> /dev/null\n`,
      {
        mode: 0o755,
      },
    );
    const waiting = startProgram(
      cockpitEnv({ RAFT_NODE_ID: 'cockpit-0', RAFT_DATA_DIR: folder, ETCD_BINARY: engine }),
      ['--listen', '127.0.0.1:0'],
    );
    await vi.waitFor(() => expect(existsSync(id)).toBe(true), { timeout: 20_000, interval: 50 });
    waiting.child.kill('SIGTERM');
    expect(await waiting.ended).toMatchObject({ code: 1, stdout: '' });
    const pid = Number(readFileSync(id, 'utf8'));
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 3000 });
    await holder.close();
    await until(await started({ RAFT_DATA_DIR: folder }, { raftStartMs: 5000 }), { status: 'pass' });
  });

  it.concurrent('refuses to start on a state that is damaged (BCK-070)', async ({ onTestFinished }) => {
    const started = starter(onTestFinished);
    const RAFT_DATA_DIR = newFolder();
    const before = await started({ RAFT_DATA_DIR });
    await until(before, { status: 'pass' });
    await before.close();
    const logs = join(RAFT_DATA_DIR, 'member', 'wal');
    for (const name of readdirSync(logs)) writeFileSync(join(logs, name), 'not what etcd wrote');
    await expect(started({ RAFT_DATA_DIR })).rejects.toThrow(
      /^raft orchestrator failed to start with RAFT_NODE_ID set: etcd ended with /,
    );
  });
});

it.each([
  [
    'an engine that is not there',
    { ETCD_BINARY: '/nowhere/etcd' },
    'etcd, the consensus engine, was not found',
  ],
  ['an id that is none', { RAFT_NODE_ID: 'a b' }, 'RAFT_NODE_ID must be'],
  [
    'a folder that cannot be made, at once',
    { RAFT_DATA_DIR: '/proc/x' },
    String.raw`RAFT_DATA_DIR cannot be made or written \(ENOENT`,
  ],
  [
    'a folder that cannot be written',
    { RAFT_DATA_DIR: '/proc/fs' },
    'RAFT_DATA_DIR cannot be made or written',
  ],
  ['a folder that is not absolute', { RAFT_DATA_DIR: 'raft' }, 'RAFT_DATA_DIR must be absolute'],
  ['peers that are none', { RAFT_PEERS: 'cockpit-0' }, 'RAFT_PEERS must be pairs'],
  ['peers without itself', { RAFT_PEERS: 'cockpit-1=https://b:7380' }, 'RAFT_PEERS does not name cockpit-0'],
  [
    'peers in cleartext',
    { RAFT_PEERS: 'cockpit-0=http://127.0.0.1:7380,cockpit-1=http://b.example:7380' },
    'the address of cockpit-1 in RAFT_PEERS must begin with https://',
  ],
])('"raft orchestrator failed to start" for %s (BCK-070)', async (_, env, why) => {
  await expect(testCockpit(cockpitEnv({ RAFT_NODE_ID: 'cockpit-0', ...env }))).rejects.toMatchObject({
    name: 'StartupRefused',
    message: expect.stringMatching(`^raft orchestrator failed to start with RAFT_NODE_ID set: ${why}`),
  });
});
