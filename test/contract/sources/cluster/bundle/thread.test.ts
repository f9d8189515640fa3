import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resources } from '../../../../../src-main/cluster-model/index.ts';
import { BundleError, openBundle } from '../../../../../src-main/sources/cluster/bundle/index.ts';
import { logText, opened, testFolder } from '../../../../support/opened-bundle.ts';
import { bundleOf, tarGz } from '../../../../support/tar-bytes.ts';

// A bundle lives in a thread of its own: what is in it must neither hold the program nor end it.

const pod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', managedFields: [{ manager: 'kubectl-edit', operation: 'Update' }] },
  spec: { containers: [{ name: 'web' }] },
  status: {},
});
const files = {
  'sb/cluster-resources/pods/shop.json': { kind: 'PodList', apiVersion: 'v1', items: [pod('web')] },
  'sb/cluster-resources/pods/logs/shop/web/web.log': 'a line\n',
};

/** Files that are open in this process, by name; empty where the system does not tell. */
function openFiles(): readonly string[] {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(join(folder, fd))];
    } catch {
      return [];
    }
  });
}

describe('memory', () => {
  it('refuses a bundle that needs more of it than it may take, and the program goes on', async () => {
    const items = `[${'{},'.repeat(4_000_000)}{}]`;
    const opening = opened(bundleOf({ ...files, 'sb/cluster-resources/nodes.json': items }), { memory: 48 });
    await expect(opening).rejects.toThrow(BundleError);
    await expect(opening).rejects.toThrow(
      'bundle.tar.gz needs more than the 48 MB of memory that one bundle may take: unpack it, remove what is not needed, and open the folder.',
    );
    expect((await opened(bundleOf(files))).facts.objects).toBe(1);
  });
});

describe('an end', () => {
  it('closes every file, whether the bundle was open or was being opened', async () => {
    const folder = testFolder();
    const path = join(folder, 'bundle.tar.gz');
    const spool = join(folder, 'spool');
    writeFileSync(
      path,
      tarGz(
        Array.from({ length: 300 }, (_, i) => ({
          name: `sb/cluster-resources/pods/logs/ns/pod${i}/c.log`,
          content: `line ${i}\n`.repeat(2000),
        })),
      ),
    );
    const bundle = await opened(path, { spool });
    await bundle.close();
    const cancel = new AbortController();
    const opening = openBundle({ path, spool, signal: cancel.signal, onProgress: () => cancel.abort() });
    await expect(opening).rejects.toThrow('The opening of the bundle was cancelled.');
    expect(openFiles().filter((name) => name.startsWith(folder))).toEqual([]);
    expect(readdirSync(spool)).toEqual([]);
  });

  it('is told by every answer after it', async () => {
    const bundle = await opened(bundleOf(files));
    const { cluster } = bundle;
    await bundle.close();
    const reason = 'bundle.tar.gz was closed.';
    expect(await cluster.list(resources.pods)).toMatchObject({
      state: 'unavailable',
      items: [],
      gaps: [reason],
    });
    expect(await cluster.get(resources.pods, 'web', 'shop')).toEqual({ state: 'unread', reason });
    expect(await logText(bundle, 'shop/web/web')).toBe(`unread: ${reason}`);
    expect(await cluster.httpGet('/livez', AbortSignal.timeout(1000))).toEqual({ state: 'unread', reason });
    expect(cluster.status()).toEqual({ state: 'unreachable', detail: reason });
  });
});

describe('a log', () => {
  it('ends when its reader goes, and others can be read meanwhile', async () => {
    const bundle = await opened(
      bundleOf({ ...files, 'sb/cluster-resources/pods/logs/shop/web/long.log': 'x'.repeat(5_000_000) }),
    );
    const reader = new AbortController();
    const read = await bundle.cluster.logs({
      namespace: 'shop',
      pod: 'web',
      container: 'long',
      signal: reader.signal,
    });
    if (read.state !== 'read') throw new Error(read.reason);
    let bytes = 0;
    for await (const piece of read.bytes) {
      bytes += piece.length;
      if (bytes === piece.length) expect(await logText(bundle, 'shop/web/web')).toBe('a line\n');
      reader.abort();
    }
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(5_000_000);
  });
});

describe('an object', () => {
  it('is answered in full with who set its fields, which lists leave out', async () => {
    for (const bundle of [await opened(bundleOf(files)), await opened({ 'pods.yaml': `${yamlPods}` })]) {
      expect(await bundle.cluster.get(resources.pods, 'web', 'shop')).toMatchObject({
        state: 'read',
        object: { kind: 'Pod', metadata: { managedFields: [{ manager: 'kubectl-edit' }] } },
      });
      const [item] = (await bundle.cluster.list(resources.pods)).items;
      expect(item?.metadata).not.toHaveProperty('managedFields');
    }
  });
});

const yamlPods = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata:
    managedFields:
    - manager: kubectl-edit
      operation: Update
    name: web
    namespace: shop
  spec:
    containers:
    - name: web
  status: {}
`;

describe('a single file', () => {
  const list = JSON.stringify({ kind: 'List', apiVersion: 'v1', items: [pod('web')] }, null, 4);

  it('of kubectl get is a bundle, whatever it is called', async () => {
    for (const [name, text] of [
      ['pods.json', list],
      ['pods.yaml', yamlPods],
      ['upload', yamlPods],
      ['upload', `# taken by hand\n---\n${yamlPods}`],
    ] as const) {
      const { facts, cluster } = await opened(Buffer.from(text), { name });
      expect(facts).toMatchObject({ layout: 'objects', files: 1, objects: 1 });
      expect(await cluster.list(resources.pods)).toMatchObject({ state: 'partly', items: [{}] });
      expect(await cluster.list(resources.nodes)).toMatchObject({ state: 'not_collected', items: [] });
    }
  });

  it('of several commands is read to its end, and says where that is no object any more', async () => {
    const nodes = JSON.stringify({
      kind: 'NodeList',
      apiVersion: 'v1',
      items: [{ metadata: { name: 'n1' } }],
    });
    const both = await opened(Buffer.from(`${list}\n${nodes}\n`), { name: 'all.json' });
    expect((await both.cluster.list(resources.nodes)).items).toHaveLength(1);
    expect(both.facts).toMatchObject({ objects: 2, gaps: [] });
    const log = '==== START logs for container web of pod shop/web ====\nx\n';
    const dump = await opened(Buffer.from(`${list}\n${log}`), { name: 'dump.txt' });
    expect(dump.facts.gaps).toEqual([
      `"dump.txt.json" was not understood: what follows at byte ${list.length + 1} is a log, as kubectl cluster-info dump writes it without a folder: take the dump anew with --output-directory, and open that folder.`,
    ]);
  });

  it('of anything else is refused with what is accepted', async () => {
    await expect(opened(Buffer.from('level=info msg="{}"\n'), { name: 'app.log' })).rejects.toThrow(
      'app.log is no bundle: it is neither a folder, a .tar.gz, a .tar, a .zip, nor output of kubectl get -o json or -o yaml.',
    );
  });
});

describe('answers of HTTP collectors', () => {
  it('are said not to be read, since they do not name what they asked', async () => {
    const { facts } = await opened(
      bundleOf({
        ...files,
        'sb/health/backend.json': { response: { status: 200, body: 'ok', headers: {} } },
        'sb/dns/debug.json': { query: 'x' },
      }),
    );
    expect(facts.gaps).toEqual([
      'The answer of an HTTP collector in "health/backend.json" was not read: it does not say which address was asked.',
    ]);
  });
});
