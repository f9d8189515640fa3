import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { actingTools } from '../../../src-main/features/tools/acting.ts';
import type { KubeObject } from '../../../src-main/kube-api/index.ts';
import { startTestCluster, type TestCluster } from '../../support/kube-api.ts';
import { liveCluster } from '../../support/live-cluster.ts';
import { mcpClient } from '../../support/mcp.ts';
import { program } from '../../support/program.ts';
import { repoRoot } from '../../support/repo-root.ts';
import { newFolder } from '../../support/started-console.ts';
import { testConsole } from '../../support/test-console.ts';
import { deployment, pod, waiting } from '../features/cluster/harness.ts';

type Settings = Readonly<
  Record<string, Readonly<Record<string, { command: string; args: string[] }>> | undefined>
>;

const folder = newFolder();
const secret = 'cGFzc3dvcmQtb2YtdGhlLXNob3A=';
const objects = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'worker-1' },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  },
  deployment({ name: 'web', namespace: 'shop', ready: 0 }),
  pod({
    name: 'web-1',
    namespace: 'shop',
    of: 'web',
    ...waiting('ImagePullBackOff', 'Back-off pulling image "registry.example/web:1"'),
  }),
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'db', namespace: 'shop' },
    data: { password: secret },
  },
];
const bundle = join(folder, 'objects.json');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
beforeAll(() => {
  writeFileSync(bundle, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
});

const opened = async (args: readonly string[], env: Record<string, string> = {}) => {
  const mcp = await mcpClient(args, { HOME: folder, ...env });
  closing.push(() => mcp.close());
  return mcp;
};

describe('operator-console mcp', () => {
  it('serves the reading tools of a bundle, and none that acts, without any cluster', async () => {
    const mcp = await opened([bundle]);
    const tools = await mcp.tools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['diagnose', 'why', 'nodes', 'pods', 'logs', 'gitops', 'brief']),
    );
    for (const { name } of actingTools) expect(names).not.toContain(name);
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
    const why = await mcp.call('why', { name: 'web' });
    expect(why.content[0]?.text).toMatch(/short of ready pods/);
    expect(why.structuredContent?.answer).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ cause: expect.any(String) })]),
    });
  });

  it('answers a call that cannot be answered with its reason, and goes on', async () => {
    const mcp = await opened([bundle]);
    expect(await mcp.call('why', { name: 'no-such-thing' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('nothing named no-such-thing') }],
    });
    expect(await mcp.call('node', {})).toMatchObject({ isError: true });
    expect((await mcp.call('nodes')).content[0]?.text).toContain('worker-1');
  });

  it('answers what the routes of a console answer', async () => {
    const cluster: TestCluster = await startTestCluster(objects as KubeObject[]);
    closing.push(() => cluster.close());
    const live = await liveCluster(cluster.kubeconfig);
    const console_ = await testConsole({}, { cluster: live });
    closing.push(
      () => live.close(),
      () => console_.close(),
    );
    const cookie = await console_.cookie();
    const mcp = await opened(['--target', 'test'], { CONSOLE_KUBECONFIG: cluster.kubeconfig });
    const routes = [
      ['nodes', {}, '/api/cluster-nodes'],
      ['node', { name: 'worker-1' }, '/api/nodes/worker-1'],
      ['namespaces', {}, '/api/namespaces'],
      ['namespace', { name: 'shop' }, '/api/namespaces/shop'],
      ['services', {}, '/api/services'],
      ['certificates', {}, '/api/security'],
      ['control_planes', {}, '/api/control-planes'],
      ['gitops', {}, '/api/gitops'],
      ['agents', {}, '/api/agents'],
      ['inference', {}, '/api/inference'],
    ] as const;
    for (const [tool, args, path] of routes) {
      const { structuredContent } = await mcp.call(tool, args);
      const { body } = await request(`${console_.url}${path}`, { headers: { cookie } });
      expect([path, withoutTime(structuredContent?.answer)]).toEqual([path, withoutTime(await body.json())]);
    }
  });

  it('never serves a kubeconfig, a token or a value of a Secret', async () => {
    const cluster: TestCluster = await startTestCluster(objects as KubeObject[]);
    closing.push(() => cluster.close());
    const token = cluster.users[0]?.token ?? 'none';
    expect(token.length).toBeGreaterThan(4);
    const mcp = await opened(['--target', 'test'], { CONSOLE_KUBECONFIG: cluster.kubeconfig });
    const said: string[] = [];
    for (const { name } of await mcp.tools())
      for (const args of [
        {},
        { name: 'db', kind: 'Secret', namespace: 'shop' },
        { name: 'db' },
        { q: 'db' },
        { pod: 'web-1' },
        { name: 'web' },
      ])
        said.push(JSON.stringify(await mcp.call(name, args)));
    const all = said.join('\n');
    expect(all.includes('kind: Secret')).toBe(true);
    for (const hidden of [secret, Buffer.from(secret, 'base64').toString(), token, 'current-context'])
      expect([hidden, all.includes(hidden)]).toEqual([hidden, false]);
  });

  it('is started as its page tells clients to', async () => {
    const page = readFileSync(join(repoRoot, 'docs/mcp.md'), 'utf8');
    const settings = [...page.matchAll(/```json\n(.*?)```/gs)].map(
      ([, text = '']) => JSON.parse(text) as Settings,
    );
    expect(settings).toHaveLength(2);
    const cluster = await startTestCluster(objects as KubeObject[]);
    closing.push(() => cluster.close());
    for (const { mcpServers, servers } of settings) {
      const entry = (mcpServers ?? servers)?.['operator-console'];
      expect(entry).toMatchObject({ command: 'operator-console', args: ['mcp', '--target', 'prod'] });
      const [, ...args] = (entry?.args ?? []).map((word) => (word === 'prod' ? 'test' : word));
      const mcp = await opened(args, { CONSOLE_KUBECONFIG: cluster.kubeconfig });
      expect((await mcp.call('nodes')).content[0]?.text).toContain('worker-1');
    }
  });

  it('asks for one thing to read, and ends when its client leaves', async () => {
    const { status, stderr } = spawnSync(process.execPath, [program, 'mcp'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder },
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining('Name one thing to read')]);
    const mcp = await mcpClient([bundle], { HOME: folder });
    const pid = mcp.pid() ?? 0;
    await mcp.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

/** An answer without the times at which it was read. */
function withoutTime(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === 'read_at' ? undefined : each)));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
