import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvelopeKey, SealBroken, sealedStore } from '../../../../src-main/backends/sealed/index.ts';
import type { ObjectStorage } from '../../../../src-main/backends/sealed/storage.ts';
import { inputCount, inputCountText } from '../../../support/sweeps.ts';

// Sealed store: AES-256-GCM envelope, per-object data key, authenticated name; wrong key, flipped bit, renamed file:
// refused, never a partial plaintext.

/** A place whose bytes a test can reach. */
function memoryPlace(): ObjectStorage & { readonly files: Map<string, Buffer> } {
  const files = new Map<string, Buffer>();
  return {
    name: 'the memory of a test',
    files,
    check: async () => undefined,
    async write(object, pieces) {
      const chunks: Buffer[] = [];
      for await (const piece of pieces) chunks.push(Buffer.from(piece));
      files.set(object, Buffer.concat(chunks));
    },
    async open(object, headBytes) {
      const bytes = files.get(object);
      if (bytes === undefined) return undefined;
      return {
        size: bytes.length,
        head: bytes.subarray(0, headBytes),
        async *read(start, end, pieceBytes) {
          for (let at = start; at < end; at += pieceBytes)
            yield bytes.subarray(at, Math.min(at + pieceBytes, end));
        },
        close: async () => undefined,
      };
    },
    list: async (prefix) => [...files.keys()].filter((name) => name.startsWith(prefix)).sort(),
    remove: async (object) => void files.delete(object),
  };
}

const frame = 64 * 1024;
const sealedFrame = frame + 16;
const header = 68;
const name = 'media/one';

async function sealedIn(place: ObjectStorage, bytes: Uint8Array, key = Buffer.alloc(32, 7)) {
  const store = sealedStore(place, key);
  await store.put(name, bytes);
  return store;
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

describe('a sealed object', () => {
  it.each([0, 1, 15, frame - 1, frame, frame + 1, 3 * frame, 3 * frame + 17])(
    'of %i bytes opens to the same bytes, whole and in every kind of range',
    async (size) => {
      const bytes = randomBytes(size);
      const store = await sealedIn(memoryPlace(), bytes);
      expect(await store.get(name, size)).toEqual(bytes);
      const object = await store.open(name);
      if (object === undefined) throw new Error('it is not there');
      expect(object.size).toBe(size);
      const edges = [0, 1, frame - 1, frame, frame + 1, 2 * frame, size - 1, size].filter(
        (edge) => edge >= 0 && edge <= size,
      );
      for (const start of edges)
        for (const end of edges)
          expect(await collect(object.read(start, end))).toEqual(bytes.subarray(start, Math.max(start, end)));
    },
  );

  it('holds no stretch of what was sealed, and another key each time', async () => {
    const place = memoryPlace();
    const bytes = Buffer.alloc(2 * frame, 'the same words again and again. ');
    const store = await sealedIn(place, bytes);
    const first = Buffer.from(place.files.get(name) ?? '');
    const firstVersion = (await store.open(name))?.version;
    await store.put(name, bytes);
    const second = place.files.get(name) ?? Buffer.alloc(0);
    expect(first.includes('the same words')).toBe(false);
    expect(second.subarray(header, header + 64)).not.toEqual(first.subarray(header, header + 64));
    expect((await store.open(name))?.version).not.toBe(firstVersion);
    expect(first.length).toBe(header + 2 * sealedFrame);
  });

  const tampered: Record<string, (bytes: Buffer) => Buffer> = {
    'a bit of its header is flipped': (bytes) => flipped(bytes, 10),
    'a bit of its wrapped key is flipped': (bytes) => flipped(bytes, 30),
    'a bit of its last frame is flipped': (bytes) => flipped(bytes, bytes.length - 1),
    'it is cut in its last frame': (bytes) => bytes.subarray(0, bytes.length - 1),
    'it is cut between two frames': (bytes) => bytes.subarray(0, header + 2 * sealedFrame),
    'it is cut to its header': (bytes) => bytes.subarray(0, header),
    'it is empty': () => Buffer.alloc(0),
    'bytes were added': (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]),
    'a frame was added': (bytes) =>
      Buffer.concat([bytes.subarray(0, header + 2 * sealedFrame), bytes.subarray(header)]),
  };
  it.each(Object.entries(tampered))('is refused at its opening when %s', async (_, tamper) => {
    const place = memoryPlace();
    const store = await sealedIn(place, randomBytes(2 * frame + 100));
    place.files.set(name, tamper(place.files.get(name) ?? Buffer.alloc(0)));
    await expect(store.open(name)).rejects.toThrow(SealBroken);
    await expect(store.get(name, 10 * frame)).rejects.toThrow('"media/one" does not open');
  });

  it.each([
    ['a bit of a middle frame is flipped', (bytes: Buffer) => flipped(bytes, header + sealedFrame + 5)],
    [
      'two frames changed places',
      (bytes: Buffer) =>
        Buffer.concat([
          bytes.subarray(0, header),
          bytes.subarray(header + sealedFrame, header + 2 * sealedFrame),
          bytes.subarray(header, header + sealedFrame),
          bytes.subarray(header + 2 * sealedFrame),
        ]),
    ],
  ])('gives out whole, verified frames only when %s', async (_, tamper) => {
    const place = memoryPlace();
    const bytes = randomBytes(2 * frame + 100);
    const store = await sealedIn(place, bytes);
    place.files.set(name, tamper(place.files.get(name) ?? Buffer.alloc(0)));
    const object = await store.open(name);
    let given = 0;
    await expect(async () => {
      for await (const piece of object?.read(0, bytes.length) ?? []) {
        expect(piece).toEqual(bytes.subarray(given, given + piece.length));
        given += piece.length;
      }
    }).rejects.toThrow(SealBroken);
    expect(given % frame).toBe(0);
    expect(given).toBeLessThan(bytes.length);
    await expect(store.get(name, bytes.length)).rejects.toThrow(SealBroken);
  });

  it('is refused under another name, with another key, and with the frames of another object', async () => {
    const place = memoryPlace();
    const store = await sealedIn(place, randomBytes(100));
    await store.put('media/two', randomBytes(100));
    const one = place.files.get(name) ?? Buffer.alloc(0);
    const two = place.files.get('media/two') ?? Buffer.alloc(0);
    place.files.set('media/renamed', one);
    await expect(store.open('media/renamed')).rejects.toThrow(SealBroken);
    place.files.set(name, Buffer.concat([one.subarray(0, header), two.subarray(header)]));
    await expect(store.open(name)).rejects.toThrow(SealBroken);
    place.files.set(name, one);
    await expect(sealedStore(place, Buffer.alloc(32, 8)).open(name)).rejects.toThrow(SealBroken);
    expect(await store.get(name, 100)).toHaveLength(100);
  });

  it('is refused by a key check at start with another key than what is there was sealed with', async () => {
    const place = memoryPlace();
    const store = await sealedIn(place, randomBytes(10));
    await store.check();
    await store.check();
    await expect(sealedStore(place, Buffer.alloc(32, 8)).check()).rejects.toThrow(
      'the envelope key does not open what is sealed in the memory of a test: set PLATFORM_ENVELOPE_KEK to the original, from escrow',
    );
    expect(await store.list('')).toEqual([name]);
  });

  it('is kept as it was when the bytes of the next one break off', async () => {
    const place = memoryPlace();
    const store = await sealedIn(place, Buffer.from('the first'));
    const broken = async function* () {
      yield Buffer.alloc(3 * frame);
      throw new Error('the upload broke off');
    };
    await expect(store.put(name, broken())).rejects.toThrow('the upload broke off');
    expect(String(await store.get(name, 100))).toBe('the first');
  });

  it('has a name that is a path below the store and nothing else', async () => {
    const store = sealedStore(memoryPlace(), Buffer.alloc(32));
    const names = [
      '',
      '/a',
      'a/',
      '../a',
      'a/../b',
      'a//b',
      '.a',
      'a.',
      'A',
      'a\\b',
      'a b',
      'a.sealed',
      'a\0',
    ];
    for (const bad of [...names, 'x'.repeat(101), Array.from({ length: 9 }, () => 'a').join('/')])
      await expect(store.put(bad, Buffer.alloc(1))).rejects.toThrow(RangeError);
  });

  it(`never opens to other bytes, whatever ${inputCountText} changes are made to it`, {
    timeout: 120_000,
  }, async () => {
    const place = memoryPlace();
    const bytes = randomBytes(300);
    const store = await sealedIn(place, bytes);
    const sealed = place.files.get(name) ?? Buffer.alloc(0);
    const change = fc.oneof(
      fc.uint8Array({ maxLength: 600 }).map((noise) => Buffer.from(noise)),
      fc
        .tuple(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }))
        .map(([at, bits]) => flipped(sealed, at, bits)),
      fc.nat(sealed.length - 1).map((length) => sealed.subarray(0, length)),
      fc
        .tuple(fc.nat(sealed.length), fc.uint8Array({ minLength: 1, maxLength: 50 }))
        .map(([at, more]) => Buffer.concat([sealed.subarray(0, at), more, sealed.subarray(at)])),
      fc
        .tuple(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 60 }))
        .map(([at, length]) => Buffer.concat([sealed.subarray(0, at), sealed.subarray(at + length)])),
    );
    await fc.assert(
      fc.asyncProperty(change, async (changed) => {
        if (changed.equals(sealed)) return;
        place.files.set(name, changed);
        await expect(store.get(name, 10_000)).rejects.toThrow(SealBroken);
      }),
      { numRuns: inputCount },
    );
  });
});

describe('PLATFORM_ENVELOPE_KEK (BCK-067, BCK-092)', () => {
  const key = randomBytes(32);
  it('is the base64 of 32 bytes, with or without padding', () => {
    expect(readEnvelopeKey(key.toString('base64'))).toEqual(key);
    expect(readEnvelopeKey(` ${key.toString('base64').replace(/=+$/, '')}\n`)).toEqual(key);
  });

  it.each([
    ['', /^envelope key not valid base64/],
    ['not base64!', /^envelope key not valid base64/],
    [`${key.toString('hex').slice(0, 63)}*`, /^envelope key not valid base64/],
    [key.subarray(1).toString('base64'), /^envelope key must be 32 bytes: PLATFORM_ENVELOPE_KEK holds 31/],
    [Buffer.alloc(33).toString('base64'), /^envelope key must be 32 bytes/],
    [key.toString('hex'), /^envelope key must be 32 bytes/],
  ])('is refused as %j', (value, message) => {
    expect(() => readEnvelopeKey(value)).toThrow(message);
    expect(() => readEnvelopeKey(value)).toThrow('never generate a new one over existing data');
  });
});

function flipped(bytes: Buffer, at: number, bits = 1): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ bits;
  return copy;
}
