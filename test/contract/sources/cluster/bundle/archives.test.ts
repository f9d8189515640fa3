import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { resources } from '../../../../../src-main/cluster-model/index.ts';
import { logText, opened, testFolder } from '../../../../support/opened-bundle.ts';
import { tarBytes, tarGz } from '../../../../support/tar-bytes.ts';
import { zipBytes } from '../../../../support/zip-bytes.ts';

// Archives as different programs write them, and as no honest one does.

const pod = (name: string): object => ({
  metadata: { name, namespace: 'shop' },
  spec: { containers: [{ name: 'web' }] },
  status: {},
});
const pods = JSON.stringify([pod('web')]);
const podsFile = 'sb/cluster-resources/pods/shop.json';
const logFile = (container: string): string => `sb/cluster-resources/pods/logs/shop/web/${container}.log`;

/** Bytes that shrink to about a twentieth, as logs do. */
function likeALog(length: number): Buffer {
  const lines: Buffer[] = [];
  for (let i = 0, size = 0; size < length; i++) {
    const line = Buffer.from(
      `${createHash('sha256').update(String(i)).digest('hex').slice(0, 6)} ${'GET /ready 200 '.repeat(8)}\n`,
    );
    lines.push(line);
    size += line.length;
  }
  return Buffer.concat(lines).subarray(0, length);
}

/** A record of a pax header: its own length stands in front. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length += 1;
  return `${length} ${key}=${value}\n`;
}

describe('names that are longer than a head of an archive holds', () => {
  const long = `sb/cluster-resources/pods/logs/shop/web/${'a'.repeat(140)}.log`;

  it('reads a pax path, also one that is not ASCII, and a GNU long name', async () => {
    const pax = `sb/cluster-resources/pods/logs/shop/web/${'ä'.repeat(70)}.log`;
    const bundle = await opened(
      tarGz([
        { name: 'PaxHeaders/x', type: 'x', content: paxRecord('path', pax) },
        { name: 'cut', content: 'from pax\n' },
        { name: '././@LongLink', type: 'L', content: `${long}\0` },
        { name: 'cut', content: 'from GNU\n' },
        { name: podsFile, content: pods },
      ]),
    );
    expect(await logText(bundle, `shop/web/${'ä'.repeat(70)}`)).toBe('from pax\n');
    expect(await logText(bundle, `shop/web/${'a'.repeat(140)}`)).toBe('from GNU\n');
    expect(bundle.facts.gaps).toEqual([]);
  });

  it('refuses such a name that climbs out of its folder', async () => {
    const climbing = `${'../'.repeat(50)}etc/passwd`;
    for (const head of [
      { name: 'PaxHeaders/x', type: 'x', content: paxRecord('path', climbing) },
      { name: '././@LongLink', type: 'L', content: `${climbing}\0` },
    ]) {
      const { facts } = await opened(
        tarGz([head, { name: 'cut', content: 'x' }, { name: podsFile, content: pods }]),
      );
      expect(facts.gaps).toEqual([
        `The entry ${JSON.stringify(climbing)} was refused: it would lie outside of the bundle.`,
      ]);
      expect(facts.objects).toBe(1);
    }
  });

  it('takes no name that is larger than any name', async () => {
    await expect(
      opened(tarGz([{ name: '././@LongLink', type: 'L', content: Buffer.alloc(2 * 1024 * 1024, 'a') }])),
    ).rejects.toThrow('the head of one of its entries is larger than any name');
  });
});

describe('links', () => {
  it('follows a hard link, which names its file from the root of the archive', async () => {
    const bundle = await opened(
      tarGz([
        { name: 'sb/collected.log', content: 'a line\n' },
        { name: logFile('web'), type: '1', linkName: 'sb/collected.log' },
        { name: podsFile, content: pods },
      ]),
    );
    expect(await logText(bundle, 'shop/web/web')).toBe('a line\n');
  });

  it('follows a symbolic link of a zip inside of it, and refuses one that leaves it', async () => {
    const link = { says: { mode: 0o120777 } };
    const bundle = await opened(
      zipBytes([
        { name: 'sb/collected.log', content: 'a line\n' },
        { name: logFile('web'), content: '../../../../../collected.log', ...link },
        { name: logFile('evil'), content: '../../../../../../../etc/passwd', ...link },
        { name: logFile('root'), content: '/etc/passwd', ...link },
        { name: 'sb/pipe', content: '', says: { mode: 0o010644 } },
        { name: podsFile, content: pods },
      ]),
    );
    expect(await logText(bundle, 'shop/web/web')).toBe('a line\n');
    for (const container of ['evil', 'root'])
      expect(await logText(bundle, `shop/web/${container}`)).toMatch(/^missing: /);
    expect(bundle.facts.gaps).toEqual([
      `The link "${logFile('evil')}" was refused: it leaves the bundle.`,
      `The link "${logFile('root')}" was refused: it leaves the bundle.`,
      'The entry "sb/pipe" was refused: it is a device or another thing that is no file.',
    ]);
  });
});

describe('names that differ in capitals only', () => {
  it('are two files, whatever the disk makes of capitals', async () => {
    const entries = [
      { name: logFile('web'), content: 'small\n' },
      { name: logFile('WEB'), content: 'capitals\n' },
      { name: podsFile, content: pods },
    ];
    for (const archive of [tarGz(entries), zipBytes(entries)]) {
      const bundle = await opened(archive);
      expect(await logText(bundle, 'shop/web/web')).toBe('small\n');
      expect(await logText(bundle, 'shop/web/WEB')).toBe('capitals\n');
    }
  });
});

describe('sizes', () => {
  it('refuses a zip whose thousand entries are the same bytes, each unpacked anew', async () => {
    const content = likeALog(1024 * 1024);
    const first = { name: logFile('c0'), content };
    const others = Array.from({ length: 1000 }, (_, i) => ({
      name: logFile(`c${i + 1}`),
      content,
      says: { placeOf: 0 },
    }));
    await expect(opened(zipBytes([first, ...others]))).rejects.toThrow(
      /unpacks to more than 200 times its size/,
    );
  });

  it('counts what a zip entry really unpacks to, not what its directory says', async () => {
    const bundle = await opened(
      zipBytes([
        { name: podsFile, content: pods },
        {
          name: 'sb/cluster-resources/services/shop.json',
          content: '[{"metadata":{"name":"s"},"spec":{}}]',
          says: { size: 1 },
        },
      ]),
    );
    expect((await bundle.cluster.list(resources.services)).items).toHaveLength(1);
    expect((await bundle.cluster.list(resources.pods)).items).toHaveLength(1);
  });

  it('keeps what came before the place where a gzip file ends, and says that it is not whole', async () => {
    const whole = gzipSync(
      tarBytes([
        { name: podsFile, content: pods },
        { name: logFile('web'), content: likeALog(300_000) },
        { name: 'sb/cluster-resources/services/shop.json', content: '[]' },
      ]),
    );
    const bundle = await opened(whole.subarray(0, Math.floor(whole.length / 2)));
    expect((await bundle.cluster.list(resources.pods)).items).toHaveLength(1);
    expect(bundle.facts.gaps).toEqual([
      `The archive is not whole: it ends in the middle of "${logFile('web')}". What came before is shown, what came after is missing.`,
      `The log "${logFile('web')}" is not whole: it ends in the middle of "${logFile('web')}".`,
    ]);
    expect((await logText(bundle, 'shop/web/web')).length).toBeGreaterThan(1000);
  });
});

describe('what is written', () => {
  it('is nothing outside of the folder that was given, and nothing of an object', async () => {
    const folder = testFolder();
    const spool = join(folder, 'spool');
    const file = join(folder, 'bundle.tar.gz');
    writeFileSync(
      file,
      tarGz([
        { name: '../escaped.log', content: 'x' },
        { name: '/tmp/bundle-test-escaped.log', content: 'x' },
        { name: logFile('web'), content: 'a line\n' },
        { name: podsFile, content: pods },
      ]),
    );
    const bundle = await opened(file, { spool });
    expect(await logText(bundle, 'shop/web/web')).toBe('a line\n');
    expect(readdirSync(folder).sort()).toEqual(['bundle.tar.gz', 'spool']);
    expect(existsSync('/tmp/bundle-test-escaped.log')).toBe(false);
    await bundle.close();
    expect(readdirSync(spool)).toEqual([]);
  });
});
