import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bucketStorage,
  folderStorage,
  type ObjectStorage,
  SealBroken,
  StorageUnavailable,
  sealedStore,
} from '../../../../src-main/backends/sealed/index.ts';
import { type S3Server, s3Credentials, startS3Server } from '../../../support/s3-server.ts';

// Object storage through an S3 client when configured, a local folder by default.

const key = Buffer.alloc(32, 7);
let folder: string;
let s3: S3Server;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sealed-'));
  s3 = await startS3Server();
});
afterEach(async () => {
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

const bucketPlace = (credentials = s3Credentials, bucket = 'media'): ObjectStorage =>
  bucketStorage({ endpoint: s3.url, bucket, region: 'eu-central-1', ...credentials });

const places: Record<string, () => ObjectStorage> = {
  'a folder': () => folderStorage(folder),
  'an object store': () => bucketPlace(),
};

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe.each(Object.entries(places))('sealed objects in %s', (_, placeOf) => {
  it('are put, read in ranges, listed, replaced and removed', async () => {
    const store = sealedStore(placeOf(), key);
    await store.check();
    const bytes = randomBytes(300_000);
    expect(await store.put('media/a', inChunks(bytes, 7777))).toBe(300_000);
    await store.put('media/b', Buffer.from('b'));
    await store.put('media/deep/c', Buffer.from('c'));
    await store.put('creatives/d', Buffer.alloc(0));
    expect(await store.get('media/a', 300_000)).toEqual(bytes);
    const object = await store.open('media/a');
    const part: Buffer[] = [];
    for await (const piece of object?.read(65_000, 200_001) ?? []) part.push(Buffer.from(piece));
    await object?.close();
    expect(Buffer.concat(part)).toEqual(bytes.subarray(65_000, 200_001));
    expect(await store.list('media/')).toEqual(['media/a', 'media/b', 'media/deep/c']);
    expect(await store.list('me')).toEqual(['media/a', 'media/b', 'media/deep/c']);
    expect(await store.list('')).toEqual(['creatives/d', 'media/a', 'media/b', 'media/deep/c']);
    expect(await store.list('nothing/')).toEqual([]);
    expect(await store.get('creatives/d', 1)).toEqual(Buffer.alloc(0));
    await store.put('media/b', Buffer.from('new'));
    expect(String(await store.get('media/b', 3))).toBe('new');
    await expect(store.get('media/a', 299_999)).rejects.toThrow('larger than 299999 bytes');
    await store.remove('media/a');
    await store.remove('media/a');
    expect(await store.open('media/a')).toBeUndefined();
  });

  it('of more than one part of an upload come back whole', { timeout: 60_000 }, async () => {
    const store = sealedStore(placeOf(), key);
    const bytes = randomBytes(17 * 1024 * 1024);
    await store.put('media/film', inChunks(bytes, 1_000_000));
    expect((await store.get('media/film', bytes.length))?.equals(bytes)).toBe(true);
    expect(s3.uploads.size).toBe(0);
  });

  it('leave nothing when their bytes break off, and keep what was there', async () => {
    const store = sealedStore(placeOf(), key);
    await store.put('media/kept', Buffer.from('kept'));
    const broken = async function* (length: number) {
      yield Buffer.alloc(length);
      throw new Error('the upload broke off');
    };
    for (const length of [10, 20 * 1024 * 1024]) {
      await expect(store.put('media/kept', broken(length))).rejects.toThrow('the upload broke off');
      await expect(store.put('media/new', broken(length))).rejects.toThrow('the upload broke off');
    }
    expect(String(await store.get('media/kept', 10))).toBe('kept');
    expect(await store.list('')).toEqual(['media/kept']);
    expect(s3.uploads.size).toBe(0);
    if (existsSync(join(folder, '.drafts'))) expect(readdirSync(join(folder, '.drafts'))).toEqual([]);
  });
});

describe('the folder', () => {
  it('keeps its files for this user alone', async () => {
    await sealedStore(folderStorage(folder), key).put('media/a', Buffer.from('a'));
    const file = join(folder, 'media', 'a.sealed');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'media')).mode & 0o777).toBe(0o700);
  });

  it('refuses a renamed, a swapped, a cut and a flipped file', async () => {
    const store = sealedStore(folderStorage(folder), key);
    await store.put('media/a', Buffer.from('a'.repeat(100)));
    await store.put('media/b', Buffer.from('b'.repeat(100)));
    const [a, b, c] = ['a', 'b', 'c'].map((name) => join(folder, 'media', `${name}.sealed`)) as [
      string,
      string,
      string,
    ];
    const kept = readFileSync(a);
    renameSync(b, c);
    await expect(store.open('media/c')).rejects.toThrow(SealBroken);
    renameSync(c, a);
    await expect(store.open('media/a')).rejects.toThrow(SealBroken);
    writeFileSync(a, kept.subarray(0, 100));
    await expect(store.open('media/a')).rejects.toThrow(SealBroken);
    kept[80] = (kept[80] ?? 0) ^ 4;
    writeFileSync(a, kept);
    await expect(store.open('media/a')).rejects.toThrow(SealBroken);
  });

  it('clears away drafts of writers that died a day ago, and only those', async () => {
    const place = folderStorage(folder);
    await place.check();
    const [old, fresh] = ['old', 'fresh'].map((name) => join(folder, '.drafts', name)) as [string, string];
    writeFileSync(old, 'x');
    writeFileSync(fresh, 'x');
    utimesSync(old, 1, 1);
    await place.check();
    expect(readdirSync(join(folder, '.drafts'))).toEqual(['fresh']);
  });

  it.skipIf(process.getuid?.() === 0)('says which folder cannot be used', async () => {
    chmodSync(folder, 0o500);
    await expect(folderStorage(folder).check()).rejects.toThrow(
      `The folder ${folder} cannot be used (EACCES)`,
    );
    chmodSync(folder, 0o700);
  });

  it('says so when a file stands in its place', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(folderStorage(file).check()).rejects.toThrow(StorageUnavailable);
    await expect(sealedStore(folderStorage(file), key).put('a', Buffer.alloc(1))).rejects.toThrow(
      StorageUnavailable,
    );
  });
});

describe('the object store', () => {
  it.each(['http://storage.example.com', 'http://10.0.0.1:9000', 'ftp://127.0.0.1', 'storage', ''])(
    'is refused at %j: cleartext traffic (BCK-068)',
    (endpoint) => {
      expect(() => bucketStorage({ endpoint, bucket: 'media', region: 'eu', ...s3Credentials })).toThrow(
        /^cleartext object-store traffic is refused: OBJECTSTORE_ENDPOINT must be .* https:\/\//,
      );
    },
  );

  it('that is unreachable, does not know the credentials or has no such bucket says so, without them', async () => {
    const wrong = { accessKeyId: 'test-key', secretAccessKey: 'another-secret' };
    for (const place of [bucketPlace(wrong), bucketPlace(s3Credentials, 'other')]) {
      const failure = await place.check().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StorageUnavailable);
      expect(String(failure)).toMatch(/The bucket \w+ at 127\.0\.0\.1:\d+ does not serve/);
      expect(String(failure)).not.toMatch(/test-key|secret/);
    }
    const closed = bucketPlace();
    await s3.close();
    await expect(closed.check()).rejects.toThrow(/ECONNREFUSED/);
    s3 = await startS3Server();
  });

  it('that fails in the middle of an upload leaves neither object nor parts', {
    timeout: 60_000,
  }, async () => {
    const store = sealedStore(bucketPlace(), key);
    s3.fail = (line) => (line.includes('partNumber=2') ? 500 : undefined);
    await expect(store.put('media/a', Buffer.alloc(20 * 1024 * 1024))).rejects.toThrow(StorageUnavailable);
    expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);
  });

  it('whose object is replaced while it is read gives out no bytes of the other one', async () => {
    const store = sealedStore(bucketPlace(), key);
    const bytes = randomBytes(300_000);
    await store.put('media/a', bytes);
    const object = await store.open('media/a');
    await store.put('media/a', randomBytes(300_000));
    const given: Buffer[] = [];
    await expect(async () => {
      for await (const piece of object?.read(0, bytes.length) ?? []) given.push(Buffer.from(piece));
    }).rejects.toThrow(StorageUnavailable);
    expect(Buffer.concat(given).equals(bytes.subarray(0, Buffer.concat(given).length))).toBe(true);
  });

  it('answers a short object with one request', async () => {
    const store = sealedStore(bucketPlace(), key);
    await store.put('sessions/one', Buffer.from('{}'));
    s3.requests.length = 0;
    expect(String(await store.get('sessions/one', 100))).toBe('{}');
    expect(s3.requests).toHaveLength(1);
  });
});
