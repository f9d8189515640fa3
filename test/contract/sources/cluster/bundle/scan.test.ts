import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { LogScan, LogScanRequest } from '../../../../../src-main/sources/cluster/index.ts';
import { opened, testFolder } from '../../../../support/opened-bundle.ts';
import { type TarBytesEntry, tarBytes, tarGz } from '../../../../support/tar-bytes.ts';
import { zipBytes } from '../../../../support/zip-bytes.ts';

// All logs of a bundle are looked through in one pass over its file, by a thread of its own.

const pods: TarBytesEntry = {
  name: 'sb/cluster-resources/pods/shop.json',
  content: JSON.stringify([
    { metadata: { name: 'web', namespace: 'shop' }, spec: { containers: [{ name: 'web' }] }, status: {} },
  ]),
};
const log = 'sb/cluster-resources/pods/logs/shop/web/web.log';
const needle = 'refusing to serve: no session signing key';

async function scanned(
  bundle: Parameters<typeof opened>[0],
  ask: Partial<LogScanRequest> = {},
  options: Parameters<typeof opened>[1] = {},
): Promise<LogScan> {
  const { cluster } = await opened(bundle, options);
  if (cluster.scanLogs === undefined) throw new Error('a bundle scans its logs');
  return cluster.scanLogs({ literals: [needle], signal: AbortSignal.timeout(60_000), ...ask });
}

const lines = ({ logs }: LogScan) =>
  logs.flatMap(({ file, hits }) => hits.map(({ line, text }) => `${file}:${line} ${text}`));

describe('looking through the logs of a bundle', () => {
  it('says in which file and line, and whose log it is', async () => {
    const scan = await scanned(
      tarGz([
        pods,
        { name: log, content: `one\n${needle}\nthree\n` },
        { name: 'sb/notes.txt', content: needle },
      ]),
    );
    expect(lines(scan)).toEqual([`${log}:2 ${needle}`, `sb/notes.txt:1 ${needle}`]);
    expect(scan.logs.map(({ of }) => of)).toEqual([
      { namespace: 'shop', pod: 'web', container: 'web', run: 'current' },
      undefined,
    ]);
    expect(scan.logs[0]?.hits[0]).toMatchObject({ before: ['one'], after: ['three'], column: 0 });
  });

  it('finds the same in a folder, a .tar, a .tar.gz and a .zip', async () => {
    const entries = [pods, { name: log, content: `x\n${needle}\n` }];
    const folder = Object.fromEntries(entries.map(({ name, content }) => [name, content ?? '']));
    for (const bundle of [
      tarGz(entries),
      tarBytes(entries),
      zipBytes(entries.map(({ name, content }) => ({ name, content: content ?? '' }))),
      folder,
    ]) {
      const scan = await scanned(bundle);
      expect(lines(scan)).toEqual([`${log}:2 ${needle}`]);
    }
  });

  it('gives the log of a link to the container that the link names', async () => {
    const scan = await scanned(
      tarGz([
        pods,
        { name: 'sb/collected/web.log', content: `${needle}\n` },
        { name: log, type: '2', linkName: '../../../../../collected/web.log' },
      ]),
    );
    expect(scan.logs.map(({ of }) => of)).toEqual([
      { namespace: 'shop', pod: 'web', container: 'web', run: 'current' },
    ]);
  });

  it('tells the containers apart whose logs a cluster-info dump holds in one file', async () => {
    const section = (container: string, text: string) =>
      `==== START logs for container ${container} of pod shop/web ====\n${text}==== END logs for container ${container} of pod shop/web ====\n`;
    const scan = await scanned(
      tarGz([
        { name: 'dump/nodes.json', content: JSON.stringify({ kind: 'NodeList', items: [] }) },
        { name: 'dump/shop/pods.json', content: JSON.stringify({ kind: 'PodList', items: [] }) },
        {
          name: 'dump/shop/web/logs.txt',
          content: section('init', 'fine\n') + section('web', `bad\n${needle}\n`),
        },
      ]),
    );
    expect(scan.logs.map(({ of, hits }) => [of, hits.map(({ line }) => line)])).toEqual([
      [{ namespace: 'shop', pod: 'web', container: 'web', run: 'current' }, [6]],
    ]);
  });

  it('looks into the packed logs of a must-gather', async () => {
    const scan = await scanned(
      tarGz([
        {
          name: 'mg/namespaces/shop/shop.yaml',
          content: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n',
        },
        { name: 'mg/nodes/n1/n1_logs_kubelet.gz', content: gzipSync(`a\n${needle}\n`) },
        {
          name: 'mg/namespaces/shop/pods/web/web/web/logs/rotated/0.log.20241024-120000.gz',
          content: gzipSync(`${needle}\n`),
        },
      ]),
    );
    expect(scan.logs.map(({ of }) => of)).toEqual([
      { node: 'n1' },
      { namespace: 'shop', pod: 'web', container: 'web', run: 'rotated' },
    ]);
  });

  it('tells how far it is, and ends when it is cancelled', async () => {
    const many = tarBytes([pods, { name: log, content: Buffer.alloc(160_000_000, 'a line of a log\n') }]);
    const stop = new AbortController();
    const told: number[] = [];
    const scan = scanned(many, {
      signal: stop.signal,
      onProgress(read, total) {
        told.push(read / (total ?? 0));
        stop.abort();
      },
    });
    await expect(scan).rejects.toThrow('cancelled');
    expect(told[0]).toBeGreaterThan(0);
    expect(told[0]).toBeLessThanOrEqual(1);
  });
});

describe('a hostile bundle', () => {
  it('writes nothing anywhere, whatever the names are', async () => {
    const folder = testFolder();
    const path = join(folder, 'bundle.tar.gz');
    writeFileSync(
      path,
      tarGz([pods, { name: '../../evil.log', content: needle }, { name: '/etc/evil.log', content: needle }]),
    );
    const scan = await scanned(path, {}, { spool: join(folder, 'spool') });
    expect(lines(scan)).toEqual([]);
    expect(scan.gaps).toEqual([
      'The entry "../../evil.log" was refused: it would lie outside of the bundle.',
      'The entry "/etc/evil.log" was refused: it would lie outside of the bundle.',
    ]);
    expect(readdirSync(folder)).toEqual(['bundle.tar.gz']);
  });

  it('keeps what it found before the place where the archive was cut off', async () => {
    const whole = tarBytes([
      pods,
      { name: log, content: `${needle}\n` },
      { name: 'sb/b.log', content: 'x'.repeat(9000) },
    ]);
    const scan = await scanned(whole.subarray(0, whole.length - 8000));
    expect(lines(scan)).toEqual([`${log}:1 ${needle}`]);
    expect(scan.gaps.join()).toMatch(/The archive is not whole: it ends in the middle of "sb\/b.log"/);
  });

  it('keeps what it found when a packed log in it is damaged, and goes on with the next file', async () => {
    const packed = gzipSync(Buffer.alloc(3_000_000, 'noise '));
    packed.fill(0xff, packed.length / 2, packed.length / 2 + 64);
    const scan = await scanned(
      tarGz([pods, { name: 'sb/a.log.gz', content: packed }, { name: log, content: `${needle}\n` }]),
    );
    expect(lines(scan)).toEqual([`${log}:1 ${needle}`]);
    expect(scan.gaps.join()).toMatch(/"sb\/a.log.gz" was looked through only in part: it cannot be unpacked/);
  });

  it('stops in a packed log that unpacks to more than 1 GB, and goes on with the next file', async () => {
    // Gzip members after one another are one text.
    const member = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });
    const bomb = Buffer.concat(new Array<Buffer>(17).fill(member));
    const scan = await scanned(
      tarBytes([pods, { name: 'sb/a.log.gz', content: bomb }, { name: log, content: `${needle}\n` }]),
    );
    expect(lines(scan)).toEqual([`${log}:1 ${needle}`]);
    expect(scan.gaps.join()).toMatch(
      /"sb\/a.log.gz" was looked through only in part: it unpacks to more than 1 GB/,
    );
  });

  it('reads a line of 100 MB, ten million lines, and bytes that are no text', async () => {
    const long = Buffer.alloc(100_000_000, 'x');
    long.write(needle, 70_000_000);
    const short = Buffer.alloc(20_000_000, 'x\n');
    const binary = Buffer.concat([
      Buffer.alloc(1000, 0xff),
      Buffer.from(`\n${needle}\n`),
      Buffer.alloc(1000, 0xc3),
    ]);
    const scan = await scanned(
      tarBytes([
        pods,
        { name: 'sb/long.log', content: long },
        { name: 'sb/short.log', content: Buffer.concat([short, Buffer.from(`${needle}\n`)]) },
        { name: 'sb/binary.log', content: binary },
      ]),
    );
    expect(scan.logs.map(({ file, hits }) => [file, hits[0]?.line, hits[0]?.text.includes(needle)])).toEqual([
      ['sb/long.log', 1, true],
      ['sb/short.log', 10_000_001, true],
      ['sb/binary.log', 2, true],
    ]);
  });

  it('gives so many lines of one kind at most, and counts the others', async () => {
    const text = `${needle}\n`.repeat(1000);
    const files = Array.from({ length: 30 }, (_, i) => ({ name: `sb/${i}.log`, content: text }));
    const { logs } = await scanned(tarGz([pods, ...files]));
    // Of a log the first and the last; of those after many others two.
    expect(logs.map(({ hits }) => hits.length)).toEqual([
      ...Array.from({ length: 5 }, () => 101),
      ...Array.from({ length: 25 }, () => 2),
    ]);
    expect(logs.at(-1)?.hits.map(({ line }) => line)).toEqual([1, 1000]);
    expect(logs[0]?.counts).toEqual([1000]);
  });
});
