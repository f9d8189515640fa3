import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandboxCluster } from '../../../../src-main/sandbox/kubernetes/index.ts';
import { captureCluster, openBundle } from '../../../../src-main/sources/cluster/bundle/index.ts';
import { createContexts } from '../../../../src-main/sources/cluster/live/index.ts';
import { routeTable } from '../../../../src-shared/api/index.ts';
import type { Route } from '../../../../src-shared/api/route.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

// Every page of a cluster reads the same from a live target and from the bundle that was captured of it.

const folder = mkdtempSync(join(tmpdir(), 'live-and-bundle-'));
const closing: (() => unknown)[] = [];
let live: TestConsole;
let offline: TestConsole;

beforeAll(async () => {
  const sandbox = await startSandboxCluster({ still: true });
  closing.push(() => sandbox.close());
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, sandbox.kubeconfig);
  const contexts = createContexts({ files: () => [kubeconfig], loginShellPath: false, env: {} });
  const cluster = await contexts.open('sandbox', {
    writable: () => true,
    namespaces: () => [],
    now: Date.now,
  });
  closing.push(() => cluster.close());
  live = await testConsole({}, { cluster });
  closing.push(() => live.close());
  // A backend of the sandbox starts when it is first asked, which may take longer than a read or a capture waits.
  const health = async () => JSON.stringify((await read(live, '/api/control-planes')).body);
  while ((await health()).includes('not answered in time')) await sleep(200);
  const file = join(folder, 'capture.tar.gz');
  await captureCluster({
    cluster,
    version: '0.0.0-test',
    file,
    now: Date.now,
    onProgress: () => undefined,
    signal: AbortSignal.timeout(60_000),
  });
  const spool = mkdtempSync(join(folder, 'spool-'));
  const opened = await openBundle({
    path: file,
    spool,
    signal: AbortSignal.timeout(60_000),
    onProgress: () => undefined,
  });
  closing.push(() => opened.close());
  offline = await testConsole({}, { cluster: opened.cluster });
  closing.push(() => offline.close());
}, 120_000);

afterAll(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true });
});

/** What may differ: where it was read and when, and what belongs to this process or to the caller. */
const ownToTheRead = new Set([
  'source',
  'read_at',
  'asked_at',
  'process',
  'editable',
  'not_editable_because',
  // Of a schedule of every minute: it may turn between the two reads.
  'next_run',
]);
/** Goes on between the two reads: ages, and what the sandbox's engines have served. */
const growing = new Set([
  'cpu_core_hours',
  'memory_gib_hours',
  'days_left',
  'took_seconds',
  'units',
  'prompt',
  'generated',
]);

/** `value` for a comparison with `other`: a number that grows is taken for the other's when it is close to it. */
function comparable(value: unknown, other: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => comparable(item, Array.isArray(other) ? other[index] : undefined));
  if (typeof value !== 'object' || value === null) return value;
  const beside: Record<string, unknown> = typeof other === 'object' && other !== null ? { ...other } : {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !ownToTheRead.has(name))
      .map(([name, part]) => [
        name,
        growing.has(name) && isClose(part, beside[name]) ? beside[name] : comparable(part, beside[name]),
      ]),
  );
}

function isClose(a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= Math.max(60, Math.abs(b) / 100);
}

async function read(console: TestConsole, path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${console.url}${path}`, { headers: { cookie: await console.cookie() } });
  return { status: answer.status, body: await answer.json() };
}

const reads = (routeTable as readonly Route[]).filter(
  ({ id, method, path, answer }) =>
    method === 'GET' &&
    answer !== 'stream' &&
    !path.includes('{') &&
    (id.startsWith('cluster.') || id.startsWith('fleet.')),
);

describe('a bundle answers as the live target it was captured from', () => {
  it('is asked by every route of a cluster (RTE-008)', () => {
    expect(reads.length).toBeGreaterThanOrEqual(14);
  });

  for (const { path } of reads) {
    it(`GET ${path}`, async () => {
      const [fromLive, fromBundle] = [await read(live, path), await read(offline, path)];
      expect(fromLive.status).toBe(200);
      expect(fromLive.body).toMatchObject({ source: 'kubernetes' });
      expect(fromBundle.body).toMatchObject({ source: 'bundle' });
      expect(comparable(fromBundle.body, fromLive.body)).toEqual(comparable(fromLive.body, fromLive.body));
    });
  }

  it('GET /api/nodes/{name} and /api/namespaces/{name}, of each', async () => {
    for (const place of ['cluster-nodes:nodes', 'namespaces:namespaces']) {
      const [list, one] = place.split(':');
      const { body } = await read(live, `/api/${list}`);
      const { items } = body as { items: { name: string }[] };
      expect(items.length).toBeGreaterThan(3);
      for (const { name } of items) {
        const path = `/api/${one}/${name}`;
        const [fromLive, fromBundle] = [await read(live, path), await read(offline, path)];
        expect(comparable(fromBundle, fromLive), path).toEqual(comparable(fromLive, fromLive));
      }
    }
  });

  it('the log of a failing pod', async () => {
    const { body } = await read(live, '/api/namespaces');
    const { items } = body as { items: { name: string; failing_pods: { name: string; status: string }[] }[] };
    const failing = items.flatMap(({ name, failing_pods }) =>
      failing_pods
        .filter(({ status }) => status === 'CrashLoopBackOff')
        .map((pod) => ({ namespace: name, ...pod })),
    )[0];
    expect(failing).toBeDefined();
    const path = `/api/pods/${failing?.namespace}/${failing?.name}/logs`;
    const logs = await Promise.all(
      [live, offline].map(async (console) => {
        const answer = await fetch(`${console.url}${path}`, { headers: { cookie: await console.cookie() } });
        return answer.text();
      }),
    );
    expect(logs[0]).not.toBe('');
    expect(logs[1]).toBe(logs[0]);
  });
});
