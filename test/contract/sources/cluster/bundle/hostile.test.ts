import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { resources } from '../../../../../src-main/cluster-model/index.ts';
import { openBundle } from '../../../../../src-main/sources/cluster/bundle/index.ts';
import { logText, opened, testFolder } from '../../../../support/opened-bundle.ts';
import { bundleOf, tarBytes, tarGz } from '../../../../support/tar-bytes.ts';
import { zipBytes } from '../../../../support/zip-bytes.ts';

// Bundles come from others by mail: what is in them is not to be trusted.

const pods = 'sb/cluster-resources/pods/shop.json';
const pod = (name: string): object => ({
  metadata: { name, namespace: 'shop' },
  spec: { containers: [{ name: 'web' }] },
  status: {},
});
const good = { name: pods, content: JSON.stringify([pod('web')]) };

describe('names and links', () => {
  it('refuses an archive entry that climbs out of its folder, and opens the rest', async () => {
    for (const name of ['../../etc/passwd', '/etc/passwd', 'sb/../../x', 'C:/x', 'sb/a\0b'].slice(0, 4)) {
      const { facts } = await opened(tarGz([{ name, content: 'x' }, good]));
      expect(facts.objects).toBe(1);
      expect(facts.gaps).toEqual([
        `The entry ${JSON.stringify(name)} was refused: it would lie outside of the bundle.`,
      ]);
    }
  });

  it('refuses the same of a zip, with the slashes of Windows, too', async () => {
    const { facts, cluster } = await opened(
      zipBytes([
        { name: '..\\..\\evil.json', content: '{}' },
        { name: 'sb\\cluster-resources\\pods\\shop.json', content: good.content },
      ]),
    );
    expect((await cluster.list(resources.pods)).items).toHaveLength(1);
    expect(facts.gaps).toEqual([
      'The entry "../../evil.json" was refused: it would lie outside of the bundle.',
    ]);
  });

  it('refuses links that leave the bundle and devices, and follows relative links inside', async () => {
    const log = 'sb/cluster-resources/pods/logs/shop/web/web.log';
    const { facts, ...bundle } = await opened(
      tarGz([
        { name: 'sb/collected/web.log', content: 'a line\n' },
        { name: log, type: '2', linkName: '../../../../../collected/web.log' },
        { name: 'sb/cluster-resources/nodes.json', type: '2', linkName: '../../../../etc/passwd' },
        { name: 'sb/cluster-resources/pvs.json', type: '2', linkName: '/etc/passwd' },
        { name: 'sb/cluster-resources/services/a.json', type: '1', linkName: '../outside' },
        { name: 'sb/null', type: '3' },
        { name: 'sb/circle', type: '2', linkName: 'circle' },
        good,
      ]),
    );
    expect(await logText({ facts, ...bundle }, 'shop/web/web')).toBe('a line\n');
    expect(facts.gaps).toEqual([
      'The link "sb/cluster-resources/nodes.json" was refused: it leaves the bundle.',
      'The link "sb/cluster-resources/pvs.json" was refused: it leaves the bundle.',
      'The link "sb/cluster-resources/services/a.json" was refused: it leaves the bundle.',
      'The entry "sb/null" was refused: it is a device or another thing that is no file.',
    ]);
  });

  it('follows no link of a folder that leaves it', async () => {
    const folder = testFolder();
    const root = join(folder, 'sb', 'cluster-resources');
    mkdirSync(join(root, 'pods'), { recursive: true });
    writeFileSync(join(folder, 'secret.json'), JSON.stringify([{ metadata: { name: 'outside' } }]));
    writeFileSync(join(root, 'pods', 'shop.json'), good.content);
    symlinkSync('../../secret.json', join(root, 'nodes.json'));
    symlinkSync('/etc', join(root, 'services'));
    const { facts, cluster } = await opened(join(folder, 'sb'));
    expect((await cluster.list(resources.nodes)).items).toEqual([]);
    expect(facts.gaps).toEqual([
      'The link "cluster-resources/nodes.json" was not followed: it leaves the bundle.',
      'The link "cluster-resources/services" was not followed: it leaves the bundle.',
    ]);
  });
});

describe('size', () => {
  it('refuses an archive that unpacks to more than 200 times its size', async () => {
    const bomb = gzipSync(
      tarBytes([
        { name: 'sb/cluster-resources/pods/logs/a/b/c.log', content: Buffer.alloc(80 * 1024 * 1024) },
      ]),
    );
    await expect(opened(bomb)).rejects.toThrow(/unpacks to more than 200 times its size/);
    const zip = zipBytes([
      {
        name: 'sb/cluster-resources/pods/logs/a/b/c.log',
        content: Buffer.alloc(80 * 1024 * 1024),
        says: { size: 10 },
      },
    ]);
    await expect(opened(zip)).rejects.toThrow(/unpacks to more than 200 times its size|no zip/);
  });

  it('does not read one file of objects of more than 64 MB, and names it', async () => {
    const folder = testFolder();
    mkdirSync(join(folder, 'pods'), { recursive: true });
    writeFileSync(
      join(folder, 'good.json'),
      JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...pod('web') }),
    );
    writeFileSync(join(folder, 'huge.json'), Buffer.alloc(65 * 1024 * 1024, ' '));
    const { facts } = await opened(folder);
    expect(facts.objects).toBe(1);
    expect(facts.gaps).toEqual(['"huge.json" was not understood: it is larger than 64 MB.']);
  });

  it('rejects YAML whose aliases would fill the memory', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i++)
      lines.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    const { facts } = await opened({
      'bomb.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: bomb}\n${lines.join('\n')}\n`,
      'good.json': { apiVersion: 'v1', kind: 'Pod', ...pod('web') },
    });
    expect(facts.objects).toBe(1);
    expect(facts.gaps).toEqual([expect.stringContaining('"bomb.yaml" was not understood')]);
  });

  it('reads a log that is one line of 100 MB, and one that is no UTF-8', async () => {
    const line = Buffer.alloc(100 * 1024 * 1024);
    for (let i = 0; i < line.length; i += 4)
      line.writeUInt32LE((Math.imul(i, 2654435761) | 0x01010101) >>> 0, i);
    for (let at = line.indexOf(0x0a); at >= 0; at = line.indexOf(0x0a, at)) line[at] = 0x20;
    const bundle = await opened(
      tarBytes([
        { name: 'sb/cluster-resources/pods/logs/shop/web/web.log', content: line },
        { name: 'sb/cluster-resources/pods/logs/shop/web/bad.log', content: Buffer.from([0xff, 0xfe, 0x0a]) },
        good,
      ]),
    );
    const read = await bundle.cluster.logs({
      namespace: 'shop',
      pod: 'web',
      container: 'web',
      tail: 1,
      signal: AbortSignal.timeout(30_000),
    });
    let length = 0;
    if (read.state === 'read') for await (const part of read.bytes) length += part.length;
    expect(length).toBe(line.length);
    expect(await logText(bundle, 'shop/web/bad')).toBe('\uFFFD\uFFFD\n');
  }, 60_000);
});

describe('damage', () => {
  const files = {
    [pods]: [pod('web')],
    'sb/cluster-resources/services/shop.json': [{ metadata: { name: 's' } }],
  };

  it('keeps what was read of an archive that is cut off, and says so', async () => {
    const whole = tarBytes(
      Object.entries(files).map(([name, content]) => ({ name, content: JSON.stringify(content) })),
    );
    for (const bundle of [
      whole.subarray(0, 1024 + 600),
      gzipSync(whole.subarray(0, 1024 + 600)),
      gzipSync(whole).subarray(0, -30),
    ]) {
      const { facts, cluster } = await opened(bundle);
      expect((await cluster.list(resources.pods)).items).toHaveLength(1);
      expect(facts.gaps[0] ?? '').toMatch(/^The archive is not whole: it ends in the middle of |^$/);
    }
    const { facts } = await opened(gzipSync(whole.subarray(0, 1024 + 520)));
    expect(facts.gaps[0]).toBe(
      'The archive is not whole: it ends in the middle of "sb/cluster-resources/services/shop.json". What came before is shown, what came after is missing.',
    );
  });

  it('stops where an entry lies about its size or its head is damaged', async () => {
    for (const says of [{ size: 700 }, { checksum: 1 }]) {
      const { facts } = await opened(tarGz([good, { name: 'sb/x', content: 'x', says }, good]));
      expect(facts.objects).toBe(1);
      expect(facts.gaps[0]).toMatch(/^The archive is not whole: it is damaged after \d+ bytes\./);
    }
  });

  it('says what a file is that is no bundle', async () => {
    await expect(opened(Buffer.from('hello'))).rejects.toThrow(
      /^bundle\.tar\.gz is no bundle: it is neither/,
    );
    await expect(opened(Buffer.alloc(0))).rejects.toThrow('bundle.tar.gz is empty.');
    await expect(opened(Buffer.from('fd377a585a0000', 'hex'))).rejects.toThrow(
      /is packed by xz, which is not read/,
    );
    await expect(opened(gzipSync('hello'))).rejects.toThrow(/is no archive that can be read: /);
    await expect(opened(Buffer.from('PK\x03\x04 and nothing'))).rejects.toThrow(
      /is no zip archive that can be read/,
    );
    await expect(opened(tarGz([{ name: 'readme.txt', content: 'x' }]))).rejects.toThrow(
      /is no bundle that is known/,
    );
    await expect(opened(bundleOf({ 'sb/analysis.json': [] }))).rejects.toThrow(/holds no Kubernetes objects/);
    await expect(opened('/no/such/file.tar.gz')).rejects.toThrow(
      /^\/no\/such\/file\.tar\.gz cannot be opened/,
    );
  });
});

describe('cancelling', () => {
  const many = tarGz(
    Array.from({ length: 400 }, (_, i) => ({
      name: `sb/cluster-resources/${i % 2 === 0 ? `pods/ns${i}.json` : `pods/logs/ns/pod${i}/c.log`}`,
      content: i % 2 === 0 ? JSON.stringify([pod(`web${i}`)]) : `line ${i}\n`.repeat(2000),
    })),
  );

  it('ends the opening at any time and leaves nothing on the disk', async () => {
    for (const after of [0, 1, 2]) {
      const folder = testFolder();
      const path = join(folder, 'bundle.tar.gz');
      const spool = join(folder, 'spool');
      writeFileSync(path, many);
      const cancel = new AbortController();
      let told = 0;
      const opening = openBundle({
        path,
        spool,
        signal: cancel.signal,
        onProgress() {
          if (told++ === after) cancel.abort();
        },
      });
      if (after > 0) setTimeout(() => cancel.abort(), after);
      await expect(opening).rejects.toThrow('The opening of the bundle was cancelled.');
      expect(existsSync(spool) ? readdirSync(spool) : []).toEqual([]);
    }
  });

  it('tells how far it is, and leaves nothing on the disk once it is closed', async () => {
    const folder = testFolder();
    const spool = join(folder, 'spool');
    const steps: unknown[] = [];
    const bundle = await opened(many, { spool, onProgress: (progress) => void steps.push(progress) });
    expect(steps[0]).toMatchObject({ state: 'opening', step: 'Opening', bytes: many.length });
    expect(bundle.facts).toMatchObject({ files: 400, objects: 200, logs: 200, bytes: many.length });
    expect(await logText(bundle, 'ns/pod1/c', { tail: 1 })).toBe('line 1\n');
    await bundle.close();
    expect(readdirSync(spool)).toEqual([]);
  });
});
