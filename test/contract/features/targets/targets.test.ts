import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Bundle, BundleProgress, Target } from '../../../../src-shared/api/targets.ts';
import { type FirstLook, firstLook } from '../../../../src-shared/api/troubleshoot.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { repoRoot } from '../../../support/repo-root.ts';
import { type TestConsole, type TestConsoleOptions, testConsole } from '../../../support/test-console.ts';

const folder = mkdtempSync(join(tmpdir(), 'targets-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const opened: TestConsole[] = [];
afterEach(async () => {
  for (const console of opened.splice(0)) await console.close();
});

// Not part of the project: `../shared/bundles`, or where BUNDLE_SAMPLES says.
const samples = resolve(repoRoot, process.env.BUNDLE_SAMPLES ?? '../shared/bundles', 'must-gather');
const [largeSample] = existsSync(samples)
  ? readdirSync(samples).flatMap((name) => (name.endsWith('.tar.gz') ? [join(samples, name)] : []))
  : [];

async function start({
  environment = {},
  ...options
}: TestConsoleOptions & { readonly environment?: Record<string, string> } = {}): Promise<TestConsole> {
  const console = await testConsole(environment, {
    cluster: objectCluster([namespace('platform')]),
    ...options,
  });
  opened.push(console);
  return console;
}

const namespace = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
  status: { phase: 'Active' },
});

/** A folder of objects, as `kubectl get -o json` writes them. */
function bundleFolder(...names: string[]): string {
  const place = mkdtempSync(join(folder, 'bundle-'));
  mkdirSync(join(place, 'objects'));
  writeFileSync(
    join(place, 'objects', 'namespaces.json'),
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: names.map(namespace) }),
  );
  return place;
}

async function get<T>(console: TestConsole, path: string, cookie?: string): Promise<T> {
  const answer = await fetch(`${console.url}${path}`, {
    headers: { cookie: cookie ?? (await console.cookie()) },
  });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}

async function post(console: TestConsole, path: string, body: object, cookie?: string): Promise<Response> {
  return fetch(`${console.url}${path}`, {
    method: 'POST',
    headers: { cookie: cookie ?? (await console.cookie()), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** What is known early of a bundle, told to the end. */
async function lookAt(console: TestConsole, bundle: Bundle): Promise<FirstLook> {
  const events = await fetch(`${console.url}/api/troubleshoot/bundles/${bundle.id}`, {
    headers: { cookie: await console.cookie() },
  });
  expect(events.headers.get('content-type')).toContain('text/event-stream');
  const last = (await events.text()).trim().split('\n\n').at(-1) ?? '';
  return firstLook.parse(JSON.parse(last.slice(last.indexOf('data: ') + 6)));
}

/** Opens a bundle and reads its progress to the end. */
async function open(console: TestConsole, path: string): Promise<{ bundle: Bundle; last: BundleProgress }> {
  const answer = await post(console, '/api/bundles', { path });
  expect(answer.status).toBe(200);
  const bundle = (await answer.json()) as Bundle;
  const events = await fetch(`${console.url}/api/bundles/${bundle.id}/progress`, {
    headers: { cookie: await console.cookie() },
  });
  const last = (await events.text()).trim().split('\n\n').at(-1) ?? '';
  return { bundle, last: JSON.parse(last.slice(last.indexOf('data: ') + 6)) as BundleProgress };
}

type List = { items: Target[]; chosen?: string };
type Namespaces = { items: { name: string }[]; source: string; target?: string };

describe('targets', () => {
  it('lists the contexts and chooses the one kubectl would (RTE-027)', async () => {
    const console = await start();
    const { items, chosen } = await get<List>(console, '/api/targets');
    expect(items).toMatchObject([{ id: 'test', kind: 'context', address: 'test.invalid', writable: false }]);
    expect(chosen).toBe('test');
  });

  it('a choice is the person’s own: somebody else still reads the default', async () => {
    const console = await start();
    const { bundle } = await open(console, bundleFolder('willow'));
    await post(console, '/api/targets/select', { target: bundle.target });
    expect((await get<List>(console, '/api/targets')).chosen).toBe(bundle.target);
    const other = await console.cookieOf('grace@northgate.example');
    expect((await get<List>(console, '/api/targets', other)).chosen).toBe('test');
  });

  it('a target that does not exist is 404, to choose and to read (RTE-008)', async () => {
    const console = await start();
    expect((await post(console, '/api/targets/select', { target: 'elsewhere' })).status).toBe(404);
    const answer = await fetch(`${console.url}/api/namespaces?target=bundle:feed`, {
      headers: { cookie: await console.cookie() },
    });
    expect(answer.status).toBe(404);
  });

  it('with no cluster at all every read says so and what to do', async () => {
    const console = await testConsole();
    opened.push(console);
    const answer = await get<{ source: string; complete: boolean; unmeasured: string[]; items: unknown[] }>(
      console,
      '/api/namespaces',
    );
    expect(answer).toMatchObject({ source: 'unavailable', complete: false, items: [] });
    expect(answer.unmeasured).toContain(
      'No cluster is attached: connect one from a kubeconfig, or open a bundle.',
    );
  });
});

describe('bundles', () => {
  it('one that is opened is a target like any other, until it is closed (RTE-009, RTE-028)', async () => {
    const console = await start();
    const { bundle, last } = await open(console, bundleFolder('willow', 'birch'));
    expect(last).toMatchObject({ state: 'open' });
    const read = await get<Namespaces>(console, `/api/namespaces?target=${bundle.target}`);
    expect(read).toMatchObject({ source: 'bundle', target: bundle.target });
    expect(read.items.map(({ name }) => name).sort()).toEqual(['birch', 'willow']);

    const closed = await fetch(`${console.url}/api/bundles/${bundle.id}`, {
      method: 'DELETE',
      headers: { cookie: await console.cookie() },
    });
    expect(await closed.json()).toEqual({ closed: true });
    expect((await get<List>(console, '/api/targets')).items).toHaveLength(1);
  });

  it('is closed by who opened it or a session admin, by nobody else, and only they are offered it', async () => {
    const admin = 'ada@northgate.example';
    const console = await start({ environment: { CONSOLE_SESSION_ADMINS: admin } });
    const [own, other, admins] = await Promise.all(
      ['grace@northgate.example', 'sven@northgate.example', admin].map((email) => console.cookieOf(email)),
    );
    const upload = async () => {
      const answer = await fetch(`${console.url}/api/bundles?name=estate.json`, {
        method: 'POST',
        headers: { cookie: own ?? '', 'content-type': 'application/octet-stream' },
        body: JSON.stringify(namespace('willow')),
      });
      return (await answer.json()) as Bundle;
    };
    const close = async (id: string, cookie = '') =>
      (await fetch(`${console.url}/api/bundles/${id}`, { method: 'DELETE', headers: { cookie } })).status;
    const offered = async (id: string, cookie: string | undefined) => {
      const [{ items }, bundles] = await Promise.all([
        get<List>(console, '/api/targets', cookie),
        get<{ items: Bundle[] }>(console, '/api/bundles', cookie),
      ]);
      const target = items.find((item) => item.id === `bundle:${id}`);
      const bundle = bundles.items.find((item) => item.id === id);
      expect(bundle?.closable).toBe(target?.closable);
      expect(JSON.stringify([items, bundles])).not.toContain('grace@');
      return target?.closable;
    };
    const [first, second] = [await upload(), await upload()];
    expect(await offered(first.id, own)).toBe(true);
    expect(await offered(first.id, other)).toBe(false);
    expect(await offered(first.id, admins)).toBe(true);
    expect(await close(first.id, other)).toBe(403);
    expect(await offered(first.id, own)).toBe(true);
    expect(await close(first.id, own)).toBe(200);
    expect(await close(second.id, admins)).toBe(200);
    expect(await close(second.id, own)).toBe(404);
    const audit = await get<{ items: { actor: string; action: string; outcome: string }[] }>(
      console,
      '/api/audit',
      admins,
    );
    expect(audit.items.map(({ actor, action, outcome }) => [actor.split('@')[0], action, outcome])).toEqual([
      ['grace', 'bundles.close', 'failure'],
      ['ada', 'bundles.close', 'success'],
      ['grace', 'bundles.close', 'success'],
      ['sven', 'bundles.close', 'refused'],
      ['grace', 'bundles.open', 'success'],
      ['grace', 'bundles.open', 'success'],
    ]);
  });

  it('what is no bundle ends as failed, with a sentence, and the console goes on', async () => {
    const console = await start();
    const file = join(folder, 'letter.txt');
    writeFileSync(file, 'Dear operator');
    const { last, bundle } = await open(console, file);
    expect(last).toMatchObject({ state: 'failed', detail: expect.stringMatching(/\w+.*\./) });
    const { items } = await get<List>(console, '/api/targets');
    expect(items.find(({ id }) => id === bundle.target)).toMatchObject({ state: 'broken' });
  });

  it('tells what the logs of a bundle say by themselves, once and to the end', async () => {
    const console = await start();
    const place = bundleFolder('willow');
    const log = join(place, 'sb/cluster-resources/pods/logs/willow/api-1');
    mkdirSync(log, { recursive: true });
    writeFileSync(join(log, 'api.log'), 'starting\nrefusing to serve: no session signing key\n');
    const answer = await post(console, '/api/bundles', { path: place });
    const bundle = (await answer.json()) as Bundle;
    const [first, again] = [await lookAt(console, bundle), await lookAt(console, bundle)];
    expect(again).toEqual(first);
    expect(first).toMatchObject({
      ended: true,
      findings: [
        {
          objects: [{ kind: 'Pod', namespace: 'willow', name: 'api-1' }],
          evidence: [{ text: 'refusing to serve: no session signing key', line: 2 }],
        },
      ],
    });
    const gone = await fetch(`${console.url}/api/troubleshoot/bundles/abcd1234`, {
      headers: { cookie: await console.cookie() },
    });
    expect(gone.status).toBe(404);
  });

  it('tells of the first pods that are not well, and of none that the rest may explain', async () => {
    const console = await start();
    const place = bundleFolder('willow');
    const pod = (
      name: string,
      owner: string | undefined,
      status: object,
      created = '2026-05-01T10:00:00Z',
    ) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'willow',
        uid: name,
        creationTimestamp: created,
        labels: { 'pod-template-hash': '5d9' },
        ownerReferences:
          owner === undefined
            ? []
            : [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, controller: true }],
      },
      spec: { nodeName: 'n1', containers: [{ name: 'app', image: 'app:1' }] },
      status,
    });
    const running = (state: object, lastState?: object) => ({
      phase: 'Running',
      startTime: '2026-05-01T10:00:00Z',
      conditions: [{ type: 'Initialized', status: 'True' }],
      containerStatuses: [{ name: 'app', ready: false, restartCount: 3, image: 'app:1', state, lastState }],
    });
    const ended = { exitCode: 1, reason: 'Error', finishedAt: '2026-05-01T10:30:00Z' };
    const items = [
      pod(
        'api-5d9-a',
        'api-5d9',
        running({ waiting: { reason: 'CrashLoopBackOff' } }, { terminated: ended }),
      ),
      pod('job-a', undefined, { phase: 'Failed', reason: 'DeadlineExceeded', containerStatuses: [] }),
      // What its workload may have replaced, what may have ended with its node, and what is only starting.
      pod('web-5d9-a', 'web-5d9', { phase: 'Failed', containerStatuses: [] }),
      pod(
        'db-5d9-a',
        'db-5d9',
        running({ running: { startedAt: '2026-05-01T10:31:00Z' } }, { terminated: ended }),
      ),
      pod('new-5d9-a', 'new-5d9', { phase: 'Pending', containerStatuses: [] }, '2026-05-01T10:31:00Z'),
    ];
    writeFileSync(
      join(place, 'objects', 'pods.json'),
      JSON.stringify({ apiVersion: 'v1', kind: 'PodList', items }),
    );
    const { bundle } = await open(console, place);
    const { findings, ended: isOver } = await lookAt(console, bundle);
    expect(isOver).toBe(true);
    expect(findings.map(({ symptom, objects: [of] }) => `${symptom} ${of?.kind} ${of?.name}`)).toEqual([
      'crash-exit-1 Deployment api',
      'pod-failed Pod job-a',
    ]);
  });

  it.skipIf(largeSample === undefined)('tells of a large bundle before it is open', async () => {
    const console = await start();
    const answer = await post(console, '/api/bundles', { path: largeSample });
    const bundle = (await answer.json()) as Bundle;
    const events = await fetch(`${console.url}/api/troubleshoot/bundles/${bundle.id}`, {
      headers: { cookie: await console.cookie() },
    });
    for await (const text of events.body?.pipeThrough(new TextDecoderStream()) ?? [])
      if (text.includes('pod-failed')) break;
    const { items } = await get<List>(console, '/api/targets');
    expect(items.find(({ id }) => id === bundle.target)).toMatchObject({ state: 'opening' });
  });

  it('an upload is opened, and its file is gone once the bundle is closed', async () => {
    const console = await start();
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [namespace('willow')] });
    const answer = await fetch(`${console.url}/api/bundles?name=estate.json`, {
      method: 'POST',
      headers: { cookie: await console.cookie(), 'content-type': 'application/octet-stream' },
      body,
    });
    expect(answer.status).toBe(200);
    expect((await answer.json()) as Bundle).toMatchObject({ name: 'estate.json', state: 'opening' });
  });

  it('a path is refused to who is not at the machine of the console', async () => {
    const console = await start();
    const stranger = await console.cookieOf('grace@northgate.example');
    const answer = await post(console, '/api/bundles', { path: bundleFolder('willow') }, stranger);
    expect(answer.status).toBe(403);
    expect(((await answer.json()) as { error: string }).error).toMatch(/upload the file instead/);
  });

  it('a page on another origin cannot have a file opened', async () => {
    const console = await start();
    const answer = await fetch(`${console.url}/api/bundles`, {
      method: 'POST',
      headers: {
        cookie: await console.cookie(),
        origin: 'https://evil.example',
        'content-type': 'application/octet-stream',
      },
      body: 'x',
    });
    expect(answer.status).toBe(403);
  });
});
