import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateRawSync } from 'node:zlib';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CodeHost, noCodeHost } from '../../../../src-main/sources/code-host/index.ts';
import { ConsoleError } from '../../../../src-shared/errors.ts';
import { job, repository, run, startCodeHost, world } from '../../../support/code-host.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';
import { type ZipEntry, zipBytes } from '../../../support/zip-bytes.ts';

const mega = 1024 * 1024;
const usualTemporary = tmpdir();

let temporary: string;
const closers: (() => void | Promise<void>)[] = [];
beforeEach(() => {
  temporary = mkdtempSync(join(usualTemporary, 'run-logs-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

type Log = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/** A code host whose only log archive is this. */
function withArchive(archive: () => AsyncIterable<Uint8Array>): CodeHost {
  return { ...noCodeHost, runLogs: async () => archive() };
}

async function opened(
  codeHost: CodeHost,
): Promise<{ console_: TestConsole; address: string; cookie: string }> {
  const console_ = await testConsole({}, { codeHost });
  closers.push(() => console_.close());
  const address = `${console_.url}/api/agent-runs/logs?repo=harbour&run_id=8123`;
  return { console_, address, cookie: await console_.cookie() };
}

/** What is answered of a source that is away (CON-009). */
const unavailable = (reason: RegExp) => ({
  source: 'unavailable',
  complete: false,
  read_at: expect.any(String),
  unmeasured: [expect.stringMatching(reason)],
});

async function logOf(codeHost: CodeHost): Promise<Log> {
  const { address, cookie } = await opened(codeHost);
  const { statusCode, headers, body } = await request(address, { headers: { cookie } });
  return { status: statusCode, headers, text: await body.text() };
}

/** What the console answers for an archive of these bytes, which come in pieces as from a network. */
function logIn(bytes: Buffer): Promise<Log> {
  return logOf(
    withArchive(async function* () {
      for (let at = 0; at < bytes.length; at += 70_000) yield bytes.subarray(at, at + 70_000);
    }),
  );
}
const logWith = (...entries: ZipEntry[]): Promise<Log> => logIn(zipBytes(entries));

/** Spool files that this process holds, by their place under the temporary folder; their names are gone already. */
function heldSpools(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(join('/proc/self/fd', fd));
      return file.startsWith(temporary) ? file : [];
    } catch {
      // The one that listed them is closed by now.
      return [];
    }
  });
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes that something still holds. Buffers are let go a turn after what held them. */
async function inUse(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const canSeeFiles = existsSync('/proc/self/fd');

describe("a run's log", () => {
  it('is its jobs in the order of their numbers, each under its name, and not its steps a second time (CON-099)', async () => {
    const { status, headers, text } = await logWith(
      { name: '10_deploy.txt', content: 'tenth\n' },
      { name: 'build/1_Set up job.txt', content: 'a step\n' },
      { name: '2_test.txt', content: 'second, without an end of its line' },
      { name: '0_build.txt', content: '\ufefffirst\n' },
    );
    expect([status, text]).toEqual([
      200,
      '==> 0_build.txt <==\nfirst\n==> 2_test.txt <==\nsecond, without an end of its line\n==> 10_deploy.txt <==\ntenth\n',
    ]);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('is its steps where the archive has no whole jobs', async () => {
    const { text } = await logWith(
      { name: 'test/1_Set up job.txt', content: 'c\n' },
      { name: 'build/', stored: true },
      { name: 'build/10_Push.txt', content: 'b\n', stored: true },
      { name: 'build/2_Compile.txt', content: 'a\n' },
      { name: 'build/system.txt', content: 's\n' },
      { name: 'build/core.dump', content: 'not text\n' },
    );
    expect(text.split('\n').filter((line) => line !== '')).toEqual([
      '==> build/2_Compile.txt <==',
      'a',
      '==> build/10_Push.txt <==',
      'b',
      '==> build/system.txt <==',
      's',
      '==> test/1_Set up job.txt <==',
      'c',
    ]);
  });

  it('says so when the archive holds none', async () => {
    expect((await logWith()).text).toBe('[The archive holds no log.]\n');
  });

  it('keeps tabs, colours and the bell that ends a title, drops other control characters, and shows bytes that are no text', async () => {
    const content = Buffer.concat([
      Buffer.from('a\0b\x07c\td\x1b[31mred\x1b[0m\r\n'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('\u009b2J end €'),
      // Cut in the middle of a character.
      Buffer.from('€').subarray(0, 2),
    ]);
    const { text } = await logWith({ name: '0_build.txt', content });
    expect(text).toBe('==> 0_build.txt <==\nab\x07c\td\x1b[31mred\x1b[0m\n\uFFFD\uFFFD2J end €\uFFFD');
  });

  it('holds a character whole that comes in two pieces', async () => {
    const content = `${'x'.repeat(64 * 1024 - 1)}€ and on`;
    expect((await logWith({ name: '0_build.txt', content })).text).toBe(`==> 0_build.txt <==\n${content}`);
  });

  it('of a run at the code host is what its jobs wrote', async () => {
    const sha = 'a'.repeat(40);
    const failed = run({
      id: 8123,
      sha,
      conclusion: 'failure',
      jobs: [
        job({ id: 1, name: 'build' }),
        job({
          id: 2,
          name: 'test',
          conclusion: 'failure',
          log: { lines: 30_000, failure: ['Expected 3, got 4'] },
        }),
      ],
    });
    const harbour = repository({ name: 'harbour', runs: [failed, run({ id: 9, sha, logs: 'expired' })] });
    const { codeHost, sandbox, close } = await startCodeHost({ world: world([harbour]) });
    closers.push(close);
    const { address, cookie } = await opened(codeHost);
    const whole = await (await request(address, { headers: { cookie } })).body.text();
    expect(whole.match(/^==> .* <==$/gm)).toEqual(['==> 0_build.txt <==', '==> 1_test.txt <==']);
    expect(whole).toContain('Expected 3, got 4');
    expect(whole.split('\n').length).toBeGreaterThan(30_000);

    const expired = await request(address.replace('8123', '9'), { headers: { cookie } });
    expect([expired.statusCode, await expired.body.json()]).toEqual([
      404,
      { error: expect.stringMatching(/no longer has a log/), request_id: expect.any(String) },
    ]);
    sandbox.fault({ kind: 'error', status: 502, path: '/logs' });
    const away = await request(address, { headers: { cookie } });
    expect(away.headers['content-type']).toMatch(/^application\/json/);
    expect([away.statusCode, await away.body.json()]).toEqual([200, unavailable(/not read/)]);
  });
});

describe('a log archive is refused before anything of it is answered (RTE-022)', () => {
  const text = 'a line of the log\n';
  const big = Buffer.alloc(20 * mega);

  const refusals: readonly (readonly [what: string, bytes: () => Buffer, words: RegExp])[] = [
    ['that is no zip', () => Buffer.from('<html>Sign in</html>'), /no zip that can be read/],
    ['of no bytes', () => Buffer.alloc(0), /no zip that can be read/],
    [
      'that is cut short',
      () => zipBytes([{ name: '0_build.txt', content: text.repeat(500), stored: true }]).subarray(0, 6000),
      /no zip that can be read/,
    ],
    ...[
      '../evil.txt',
      'build/../../evil.txt',
      '/etc/passwd',
      'C:/evil.txt',
      'C:evil.txt',
      '..\\evil.txt',
      'build\\1.txt',
    ].map(
      (name) =>
        [
          `whose entry is named ${JSON.stringify(name)}`,
          () =>
            zipBytes([
              { name: '0_build.txt', content: text },
              { name, content: text },
            ]),
          /would lie outside of its folder/,
        ] as const,
    ),
    [
      'whose entry is encrypted',
      () => zipBytes([{ name: '0_build.txt', content: text, says: { flags: 0x0801 } }]),
      /"0_build.txt" is encrypted/,
    ],
    [
      'whose entry is encrypted strongly',
      () => zipBytes([{ name: '0_build.txt', content: text, says: { flags: 0x0841 } }]),
      /encrypt/,
    ],
    [
      'whose entry is packed as nobody packs logs',
      () => zipBytes([{ name: '0_build.txt', content: text, says: { method: 12 } }]),
      /packed in a way that is not read \(12\)/,
    ],
    [
      'of 10,001 entries',
      () => zipBytes(Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}_job.txt`, stored: true }))),
      /10,001 entries/,
    ],
    [
      'that is a bomb: zeros, packed a thousand times smaller',
      () => zipBytes([{ name: '0_build.txt', content: big }]),
      /more than 1,000 times its size/,
    ],
    [
      'whose entries say they have more than 1 GB together',
      () =>
        zipBytes(
          Array.from({ length: 120 }, (_, i) => ({
            name: `${i}_job.txt`,
            content: text,
            says: { size: 9 * mega },
          })),
        ),
      /more than 1 GB/,
    ],
    [
      'whose entries share their bytes',
      () =>
        zipBytes([
          { name: '0_build.txt', content: text },
          { name: '1_test.txt', content: text, says: { placeOf: 0 } },
        ]),
      /share the same bytes/,
    ],
    [
      'whose entry reaches into the next one',
      () =>
        zipBytes([
          { name: '0_build.txt', content: text, says: { packedSize: 60 } },
          { name: '1_test.txt', content: text.repeat(40), stored: true },
        ]),
      /share the same bytes/,
    ],
    [
      'whose stored entry lies about its length',
      () => zipBytes([{ name: '0_build.txt', content: text, stored: true, says: { size: 5 } }]),
      /no zip that can be read/,
    ],
    [
      'whose entry reaches beyond its end',
      () => zipBytes([{ name: '0_build.txt', content: text, says: { packedSize: 4000 } }]),
      /no zip that can be read/,
    ],
    [
      'whose directory has fewer entries than its end says',
      () => zipBytes([{ name: '0_build.txt', content: text }], { entryCount: 3 }),
      /no zip that can be read/,
    ],
  ];

  for (const [what, bytes, words] of refusals) {
    it(`one ${what}`, async () => {
      const { status, headers, text: answer } = await logIn(bytes());
      expect([status, headers['content-type']]).toEqual([422, 'application/json; charset=utf-8']);
      const { error } = JSON.parse(answer) as { error: string };
      expect(error).toMatch(words);
      expect(error).toContain('run 8123 in harbour');
      expect(readdirSync(temporary)).toEqual([]);
      if (canSeeFiles) expect(heldSpools()).toEqual([]);
    });
  }

  it('one of more than 100 MB, of which no more is fetched', async () => {
    let fetched = 0;
    const block = Buffer.alloc(mega);
    const { status, text: answer } = await logOf(
      withArchive(async function* () {
        for (; fetched < 1000; fetched += 1) yield block;
      }),
    );
    expect([status, answer]).toEqual([422, expect.stringContaining('larger than 100 MB')]);
    expect(fetched).toBe(100);
  });
});

describe('a log that turns out to be wrong while it is read ends with a line that says so', () => {
  const lines = Array.from({ length: 9000 }, (_, i) => `line ${i} ${Math.sin(i)}\n`).join('');
  const lastLine = (text: string): string | undefined => text.trimEnd().split('\n').at(-1);
  const next = { name: '1_test.txt', content: 'never shown\n' };

  it('when an entry inflates beyond what it says, and nothing beyond that is shown', async () => {
    const { status, text } = await logWith(
      { name: '0_build.txt', content: lines, says: { size: 100_000 } },
      next,
    );
    expect(status).toBe(200);
    expect(lastLine(text)).toMatch(/^\[The log ends here: 0_build.txt holds more than the archive says/);
    expect(text).toContain(lines.slice(0, 100_000));
    expect(text).not.toContain(lines.slice(100_000, 100_100));
    expect(text).not.toContain('never shown');
  });

  it('when a bomb says it is small', async () => {
    const { text } = await logWith({
      name: '0_build.txt',
      content: 'x'.repeat(30 * mega),
      says: { size: 1000 },
    });
    expect(text.length).toBeLessThan(2000);
    expect(lastLine(text)).toMatch(/holds more than the archive says/);
  });

  it('when an entry is shorter than it says', async () => {
    const { text } = await logWith({ name: '0_build.txt', content: lines, says: { size: 400_000 } }, next);
    expect(text).toContain(lines);
    expect(lastLine(text)).toMatch(/is shorter than the archive says/);
    expect(text).not.toContain('never shown');
  });

  it('when the bytes of an entry are damaged', async () => {
    const whole = deflateRawSync(Buffer.from(lines));
    const packed = whole.subarray(0, whole.length / 2);
    const { text } = await logWith({ name: '0_build.txt', content: lines, packed }, next);
    expect(text).toContain('line 100 ');
    expect(lastLine(text)).toBe('[The log ends here: 0_build.txt is damaged from here on.]');
    expect(text).not.toContain('never shown');
  });
});

describe('a long log', () => {
  /** About 60 MB of text in an archive of a few hundred kB, which is the ratio of a real log that repeats itself. */
  const line = `${'2026-11-21T09:00:00.0000000Z compiling the berth planner, part '.padEnd(1023, '.')}\n`;
  const half = Array.from({ length: 30 * 1024 }, (_, i) => line.replace('part ', `part ${i} `)).join('');
  const archive = zipBytes([
    { name: '0_build.txt', content: half },
    { name: '1_test.txt', content: half },
  ]);
  const size = Math.ceil((2 * half.length) / mega);
  const codeHost = withArchive(() => Readable.from([archive]));

  it('is cut at 50 MB, and its last line says of how much (RTE-022)', async () => {
    const { text } = await logOf(codeHost);
    const end = text.lastIndexOf('[');
    expect(text.slice(end)).toBe(`[The log goes on: 50 MB of ${size} MB are shown.]\n`);
    expect(Buffer.byteLength(text.slice(0, end))).toBeLessThanOrEqual(50 * mega + 1);
    expect(Buffer.byteLength(text.slice(0, end))).toBeGreaterThan(50 * mega - 4);
  });

  it('is inflated as it is read, not into memory', async () => {
    const { address, cookie } = await opened(codeHost);
    const before = await inUse();
    let most = before;
    const { body } = await request(address, { headers: { cookie } });
    let length = 0;
    for await (const piece of body) {
      // Every 5 MB or so.
      if (Math.floor(length / (5 * mega)) !== Math.floor((length + piece.length) / (5 * mega)))
        most = Math.max(most, await inUse());
      length += piece.length;
    }
    expect(length).toBeGreaterThan(50 * mega);
    // Server and reader share this process: a few pieces on their way, whatever the length of the text.
    expect(most - before).toBeLessThan(10 * mega);
  });

  it.skipIf(!canSeeFiles)('leaves nothing behind when its reader leaves in the middle', async () => {
    const { address, cookie } = await opened(codeHost);
    const leaving = new AbortController();
    const { body } = await request(address, { headers: { cookie }, signal: leaving.signal });
    const reading = body[Symbol.asyncIterator]();
    await reading.next();
    // While it is read, it is on the disk under no name.
    expect(readdirSync(temporary)).toEqual([]);
    expect(heldSpools()).toHaveLength(1);
    leaving.abort();
    await reading.next().catch(() => undefined);
    await vi.waitFor(() => expect(heldSpools()).toEqual([]), { timeout: 10_000 });
  });

  it.skipIf(!canSeeFiles)('leaves nothing behind when the console closes in the middle', async () => {
    const { console_, address, cookie } = await opened(codeHost);
    const { body } = await request(address, { headers: { cookie } });
    const reading = body[Symbol.asyncIterator]();
    await reading.next();
    expect(heldSpools()).toHaveLength(1);
    closers.length = 0;
    const rest = (async () => {
      for (let next = await reading.next(); next.done !== true; next = await reading.next());
    })().catch(() => undefined);
    await console_.close();
    await rest;
    expect(heldSpools()).toEqual([]);
  });
});

describe('an archive on its way', () => {
  const archive = zipBytes([{ name: '0_build.txt', content: 'done\n' }]);

  it.skipIf(!canSeeFiles)('is put by where only this user can read it', async () => {
    const modes: number[] = [];
    await logOf(
      withArchive(async function* () {
        yield archive.subarray(0, 10);
        for (const fd of readdirSync('/proc/self/fd')) {
          const held = heldSpools();
          const path = join('/proc/self/fd', fd);
          try {
            if (held.includes(readlinkSync(path))) modes.push(statSync(path).mode & 0o777);
          } catch {
            // Closed since it was listed.
          }
        }
        yield archive.subarray(10);
      }),
    );
    expect(modes).toEqual([0o600]);
  });

  it.skipIf(!canSeeFiles)('that breaks off is told, and leaves nothing behind', async () => {
    const { status, text } = await logOf(
      withArchive(async function* () {
        yield archive.subarray(0, 10);
        throw new Error('socket hang up');
      }),
    );
    expect([status, JSON.parse(text)]).toEqual([200, unavailable(/broke off on the way/)]);
    expect([readdirSync(temporary), heldSpools()]).toEqual([[], []]);
  });

  it.skipIf(!canSeeFiles)('is not waited for when its reader leaves, and leaves nothing behind', async () => {
    let given = (): void => undefined;
    const coming = new Promise<void>((resolve) => {
      given = resolve;
    });
    let signal: AbortSignal | undefined;
    const { address, cookie } = await opened({
      ...noCodeHost,
      async runLogs(_repo, _runId, leaving) {
        signal = leaving;
        return (async function* () {
          yield archive.subarray(0, 10);
          given();
          await new Promise((_, reject) => leaving.addEventListener('abort', () => reject(leaving.reason)));
        })();
      },
    });
    const leaving = new AbortController();
    const asked = request(address, { headers: { cookie }, signal: leaving.signal });
    asked.catch(() => undefined);
    await coming;
    expect(heldSpools()).toHaveLength(1);
    leaving.abort();
    await vi.waitFor(() => expect(heldSpools()).toEqual([]), { timeout: 10_000 });
    expect(signal?.aborted).toBe(true);
  });

  it('that finds no room is told with what to do', async () => {
    vi.stubEnv('TMPDIR', join(temporary, 'not-there'));
    const { status, text } = await logOf(withArchive(() => Readable.from([archive])));
    expect([status, text]).toEqual([503, expect.stringMatching(/temporary folder .* \(ENOENT\)/)]);
  });

  it('is one of two at a time, and the third is answered when one of them has been read', async () => {
    const doors: (() => void)[] = [];
    let begun = 0;
    const { address, cookie } = await opened(
      withArchive(async function* () {
        begun += 1;
        await new Promise<void>((resolve) => {
          doors.push(resolve);
        });
        yield archive;
      }),
    );
    const ask = async (): Promise<number> => {
      const { statusCode, body } = await request(address, { headers: { cookie } });
      await body.dump();
      return statusCode;
    };
    const asked = [ask(), ask(), ask()];
    await vi.waitFor(() => expect(begun).toBe(2), { timeout: 10_000 });
    doors.shift()?.();
    expect(await Promise.race(asked)).toBe(200);
    await vi.waitFor(() => expect(begun).toBe(3), { timeout: 10_000 });
    for (const open of doors) open();
    expect(await Promise.all(asked)).toEqual([200, 200, 200]);
  });

  for (const [kind, error] of [
    ['NotFound', new ConsoleError('NotFound', 'The code host has no log of this run any more.')],
    ['Unavailable', new ConsoleError('Unavailable', 'The log was not read: the hourly quota is used up.')],
  ] as const) {
    it(`that the code host does not give is told in its words (${kind}; CON-009, CON-099)`, async () => {
      const { status, text } = await logOf({
        ...noCodeHost,
        async runLogs() {
          throw error;
        },
      });
      expect([status, JSON.parse(text)]).toEqual(
        kind === 'NotFound'
          ? [404, { error: error.message, request_id: expect.any(String) }]
          : [200, unavailable(/^The log was not read: the hourly quota is used up\.$/)],
      );
    });
  }

  it('is not asked for without a code host, and the variable to set is named', async () => {
    const { status, text } = await logOf(noCodeHost);
    expect([status, JSON.parse(text)]).toEqual([200, unavailable(/CONSOLE_GITHUB_APP_ID/)]);
  });
});
