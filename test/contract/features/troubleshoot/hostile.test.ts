import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bundle, bundle } from '../../../../src-shared/api/targets.ts';
import { type Report, report } from '../../../../src-shared/api/troubleshoot.ts';
import { program } from '../../../support/program.ts';
import { newFolder, type StartedConsole, startedConsole } from '../../../support/started-console.ts';
import { type TarBytesEntry, tarBytes, tarGz } from '../../../support/tar-bytes.ts';
import { zipBytes } from '../../../support/zip-bytes.ts';

// Bundles come by mail from others. Whatever one of them is made of, its diagnosis ends, says what it could not read, finds
// what stands in the rest, and writes nothing beside its own folders.

const outer = newFolder();
const folders = { data: join(outer, 'data'), inbox: join(outer, 'inbox'), beside: join(outer, 'beside') };
let console_: StartedConsole;
let before: string[];
let own: string[];

beforeAll(async () => {
  for (const folder of Object.values(folders)) mkdirSync(folder);
  writeFileSync(join(folders.beside, 'mine.log'), `Error: unknown command "stolen" for "shop"\n`);
  console_ = await startedConsole({}, { folder: folders.data });
  // Written a moment after the sign-in that it records.
  await vi.waitUntil(() => existsSync(join(folders.data, 'audit-head.json')), { timeout: 10_000 });
  own = listed(folders.data).map(nameOnly);
});
afterAll(() => console_.close());
afterEach(() => {
  // Of a bundle that was closed nothing stays in the console's own folder, either.
  expect(listed(folders.data).map(nameOnly)).toEqual(own);
  expect(listed(folders.beside)).toEqual(['mine.log 43']);
  expect(listed(folders.inbox)).toEqual(before);
  expect(readdirSync(outer).sort()).toEqual(['beside', 'data', 'inbox']);
});

const nameOnly = (file: string): string => file.slice(0, file.lastIndexOf(' '));

/** Files below a folder, each with its size. */
function listed(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? [`${path.slice(folder.length + 1)} ${statSync(path).size}`] : [];
    })
    .sort();
}

/** A pod whose one container ends with an error again and again. */
const crashing = (name: string) => ({
  metadata: { name, namespace: 'shop', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Initialized', status: 'True' }],
    containerStatuses: [
      {
        name: 'web',
        ready: false,
        restartCount: 9,
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
        lastState: {
          terminated: { reason: 'Error', exitCode: 1, finishedAt: '2026-01-01T01:00:00Z' },
        },
      },
    ],
  },
});
/** A pod whose image is not on its node. */
const withoutImage = (name: string) => ({
  metadata: { name, namespace: 'zoo', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
  status: {
    phase: 'Pending',
    containerStatuses: [
      { name: 'web', ready: false, restartCount: 0, state: { waiting: { reason: 'ErrImageNeverPull' } } },
    ],
  },
});

const said = 'Error: unknown command "junk" for "shop"';
const logOf = (pod: string): string => `sb/cluster-resources/pods/logs/shop/${pod}/web.log`;
const log = (pod: string, content: string | Buffer = `starting\n${said}\n`): TarBytesEntry => ({
  name: logOf(pod),
  content,
});
/** What can be read before the hostile part. */
const first: readonly TarBytesEntry[] = [
  {
    name: 'sb/cluster-resources/pods/shop.json',
    content: JSON.stringify([crashing('early'), crashing('late')]),
  },
  log('early'),
];
/** And after it. */
const last: readonly TarBytesEntry[] = [
  log('late'),
  { name: 'sb/cluster-resources/pods/zoo.json', content: JSON.stringify([withoutImage('parrot')]) },
];
const early = 'argument-unknown Pod/early';
const late = ['argument-unknown Pod/late', 'image-never-pulled Pod/parrot'];

let count = 0;
/** Puts a bundle where it came by mail. */
function received(bytes: Buffer): string {
  const path = join(folders.inbox, `bundle-${count++}`);
  writeFileSync(path, bytes);
  before = listed(folders.inbox);
  return path;
}

type Diagnosed = { readonly found: string[]; readonly told: string; readonly report: Report };

/** Opens it in the console and diagnoses it there. */
async function diagnosed(path: string): Promise<Diagnosed> {
  before = listed(folders.inbox);
  const { status, body } = await console_.api('POST', '/api/bundles', { path });
  expect(status).toBe(200);
  return diagnosedThere(bundle.parse(body));
}

/** What was found in a bundle, on whom, and all that was said of what was not read; then the bundle is closed. */
async function diagnosedThere({ id, target }: Bundle): Promise<Diagnosed> {
  const cookie = `console_session=${(await console_.running.startOperatorSession())?.token}`;
  // The stream ends when it is open, or refused.
  await (await fetch(`${console_.running.url}/api/bundles/${id}/progress`, { headers: { cookie } })).text();
  const answer = await console_.api('GET', `/api/troubleshoot?target=${target}`);
  expect(answer.status).toBe(200);
  const all = report.parse(answer.body);
  await console_.api('DELETE', `/api/bundles/${id}`);
  return {
    report: all,
    found: all.findings
      .filter(({ symptom }) => symptom !== 'bundle-gaps')
      .flatMap(({ symptom, objects }) => objects.map(({ kind, name }) => `${symptom} ${kind}/${name}`))
      .sort(),
    told: [...new Set([...all.unmeasured, ...all.not_checked.map(({ reason }) => reason)])].join('\n'),
  };
}

const climbing = `${'../'.repeat(20)}${folders.beside.slice(1)}/evil.log`;
const noise = randomBytes(60_000).toString('hex').replace(/.{64}/g, '$&\n');
const asZip = (entries: readonly TarBytesEntry[]) =>
  entries.map(({ name, content = '' }) => ({ name, content }));

describe('names and links that lead out', () => {
  it('are refused by name in a .tar.gz, and the rest is diagnosed', async () => {
    const absolute = join(folders.beside, 'evil.log');
    const { found, told } = await diagnosed(
      received(
        tarGz([...first, { name: climbing, content: said }, { name: absolute, content: said }, ...last]),
      ),
    );
    expect(found).toEqual([early, ...late]);
    expect(told.match(/^The entry ".*" was refused: it would lie outside of the bundle\.$/gm)).toHaveLength(
      2,
    );
  });

  it('are refused by name in a .zip, and the rest is diagnosed', async () => {
    const { found, told } = await diagnosed(
      received(zipBytes(asZip([...first, { name: climbing, content: said }, ...last]))),
    );
    expect(found).toEqual([early, ...late]);
    expect(told).toContain(`/evil.log" was refused: it would lie outside of the bundle.`);
  });

  it('are not followed from an archive: what stands there is nobody’s log', async () => {
    const stolen = { name: logOf('stolen'), type: '2', linkName: join(folders.beside, 'mine.log') };
    const { found, told } = await diagnosed(received(tarGz([...first, stolen, ...last])));
    expect(found).toEqual([early, ...late]);
    expect(told).toContain(`The link "${logOf('stolen')}" was refused: it leaves the bundle.`);
  });

  it('are not followed from a folder', async () => {
    const folder = join(folders.inbox, `bundle-${count++}`);
    for (const { name, content = '' } of [...first, ...last]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    mkdirSync(join(folder, dirname(logOf('stolen'))));
    symlinkSync(join(folders.beside, 'mine.log'), join(folder, logOf('stolen')));
    symlinkSync(folders.beside, join(folder, 'sb/beside'));
    const { found, told } = await diagnosed(join(folder, 'sb'));
    expect(found).toEqual([early, ...late]);
    expect(told).toMatch(
      /^The link "cluster-resources\/.*\/stolen\/web\.log" was not followed: it leaves the bundle\.$/m,
    );
    expect(told).toContain('The link "beside" was not followed: it leaves the bundle.');
  });
});

describe('a bundle that is uploaded under a name that climbs', () => {
  it('is kept in the console’s own folder, and removed from there', async () => {
    before = listed(folders.inbox);
    const cookie = `console_session=${(await console_.running.startOperatorSession())?.token}`;
    const answer = await fetch(`${console_.running.url}/api/bundles?name=${encodeURIComponent(climbing)}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(tarGz([...first, ...last])),
    });
    expect(answer.status).toBe(200);
    const { found } = await diagnosedThere(bundle.parse(await answer.json()));
    expect(found).toEqual([early, ...late]);
  });
});

describe('what is made to fill the memory or the disk', () => {
  const bomb = log('bomb', Buffer.alloc(80 * 1024 * 1024));

  it.each([
    ['a .tar.gz', () => gzipSync(tarBytes([...first, bomb, ...last]))],
    ['a .zip', () => zipBytes(asZip([...first, bomb, ...last]))],
  ])('is refused as %s, in a sentence that says why', async (_kind, bytes) => {
    const { found, told, report: all } = await diagnosed(received(bytes()));
    expect([all.source, found]).toEqual(['unavailable', []]);
    expect(told).toContain('The archive unpacks to more than 200 times its size, as no bundle does');
  });

  it('is left alone as a packed log inside of a bundle, and the rest is diagnosed', async () => {
    const member = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });
    const packed = { name: 'sb/bomb.log.gz', content: Buffer.concat(new Array<Buffer>(17).fill(member)) };
    const { found, told } = await diagnosed(received(tarBytes([...first, packed, ...last])));
    expect(found).toEqual([early, ...late]);
    expect(told).toContain('"sb/bomb.log.gz" was looked through only in part: it unpacks to more than 1 GB');
  });

  it('is read as a line of 100 MB and as ten million lines, and what they say is found', async () => {
    const path = join(folders.inbox, `bundle-${count++}`);
    const file = createWriteStream(path);
    const write = async (bytes: Buffer): Promise<void> => {
      if (!file.write(bytes)) await once(file, 'drain');
    };
    const writeLog = async (pod: string, piece: Buffer, times: number, middle: string): Promise<void> => {
      const size = piece.length * times + middle.length;
      await write(tarBytes([{ name: logOf(pod), says: { size } }]).subarray(0, 512));
      for (let i = 0; i < times; i++) {
        await write(piece);
        if (i === Math.floor(times / 2)) await write(Buffer.from(middle));
      }
      await write(Buffer.alloc((512 - (size % 512)) % 512));
    };
    const [objects, others] = [first[0], last[1]];
    if (objects === undefined || others === undefined) throw new Error('there are objects before and after');
    await write(tarBytes([objects]).subarray(0, -1024));
    await writeLog('early', Buffer.alloc(1_000_000, 'x'), 100, ` ${said} `);
    await writeLog('late', Buffer.alloc(200_000, 'x\n'), 100, `${said}\n`);
    file.end(tarBytes([others]));
    await once(file, 'close');
    const { found, report: all } = await diagnosed(path);
    expect(found).toEqual([early, ...late]);
    const shown = all.findings.flatMap(({ evidence }) => evidence).filter(({ kind }) => kind === 'log');
    expect(shown.map(({ ref, line }) => [ref, line])).toEqual([
      [logOf('early'), 1],
      [logOf('late'), 5_100_001],
    ]);
    for (const { text, before: above = [], after: below = [] } of shown)
      for (const line of [text, ...above, ...below]) expect(line.length).toBeLessThan(5000);
    expect(shown[0]?.text).toContain(said);
  }, 60_000);
});

describe('damage', () => {
  it('of bytes that are no UTF-8, in an object and in a log, hides nothing', async () => {
    const noted = { ...crashing('early'), spec: { ...crashing('early').spec, note: 'NOTE' } };
    const objects = Buffer.from(
      JSON.stringify([noted, crashing('late')]).replace('NOTE', '\xff\xfe\xc3'),
      'latin1',
    );
    const broken = Buffer.concat([
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(said),
      Buffer.from([0xc3, 0x0a]),
    ]);
    const { found, report: all } = await diagnosed(
      received(
        tarGz([
          { name: 'sb/cluster-resources/pods/shop.json', content: objects },
          log('early', broken),
          ...last,
        ]),
      ),
    );
    expect(found).toEqual([early, ...late]);
    const texts = all.findings.flatMap(({ evidence }) => evidence.map(({ text }) => text));
    expect(texts).toContain(`${said}\uFFFD`);
  });

  const whole = [...first, log('cut', noise), ...last];
  const afterwards = 'crash-exit-1 Pod/late';
  it.each([
    ['cut off', () => tarBytes(whole).subarray(0, -40_000)],
    ['cut off and packed', () => gzipSync(tarBytes(whole).subarray(0, -40_000))],
    ['packed and cut off', () => tarGz(whole).subarray(0, 30_000)],
    [
      'with a head that says a file is longer than all there is',
      () => tarGz([...first, { ...log('cut', noise), says: { size: 0o77777777777 } }]),
    ],
  ])('of a tar %s is told, and what came before is diagnosed', async (_kind, bytes) => {
    const { found, told } = await diagnosed(received(bytes()));
    expect(found).toEqual([early, afterwards]);
    expect(told).toContain(
      `The archive is not whole: it ends in the middle of "${logOf('cut')}". What came before is shown, what came after is missing.`,
    );
    expect(told).toContain(`"${logOf('cut')}" was looked through only in part`);
  });

  it('of a tar with a head that says a file is shorter than it is, is told, too', async () => {
    const liar = { ...log('cut', noise), says: { size: 700 } };
    const { found, told } = await diagnosed(received(tarGz([...first, liar, ...last])));
    expect(found).toEqual([early, afterwards]);
    expect(told).toMatch(/^The archive is not whole: it is damaged after \d+ bytes\./m);
  });

  it.each([10, 0xfffffff0])(
    'of a zip that says %i bytes of every file loses nothing of them',
    async (size) => {
      const entries = asZip([...first, log('late', `${noise}${said}\n`), ...last.slice(1)]);
      const { found } = await diagnosed(
        received(zipBytes(entries.map((entry) => ({ ...entry, says: { size } })))),
      );
      expect(found).toEqual([early, ...late]);
    },
  );

  it.each([100, 0xffffff])(
    'of a zip that says a file has %i packed bytes is told with its name',
    async (packedSize) => {
      const liar = { name: logOf('liar'), content: noise, says: { packedSize } };
      const { found, told } = await diagnosed(received(zipBytes([...asZip(first), liar, ...asZip(last)])));
      expect(found).toEqual([early, ...late]);
      expect(told).toContain(`"${logOf('liar')}" was looked through only in part`);
    },
  );

  it('of a zip that was cut off is told, since its directory was at its end', async () => {
    const {
      found,
      told,
      report: all,
    } = await diagnosed(received(zipBytes(asZip([...first, ...last])).subarray(0, -100)));
    expect([all.source, found]).toEqual(['unavailable', []]);
    expect(told).toMatch(/is no zip archive that can be read/);
  });
});

describe('operator-console diagnose', () => {
  const run = (path: string) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const child = spawn(process.execPath, [program, 'diagnose', path, '--json'], {
        // Where it keeps what it must, and where it would write what it must not.
        cwd: folders.beside,
        env: { PATH: process.env.PATH, HOME: folders.data, TMPDIR: temporary, CONSOLE_KEYCHAIN: 'off' },
      });
      let [out, err] = ['', ''];
      child.stdout.on('data', (data) => {
        out += data;
      });
      child.stderr.on('data', (data) => {
        err += data;
      });
      child.on('close', (code) => resolve({ code, out, err }));
    });
  const temporary = newFolder();
  afterEach(() => expect(readdirSync(temporary)).toEqual([]));

  it('prints what it found and what it refused, and leaves nothing behind', async () => {
    const { code, out, err } = await run(
      received(tarGz([...first, { name: climbing, content: said }, ...last])),
    );
    const { findings, not_checked } = report.parse(JSON.parse(out));
    expect([code, err]).toEqual([3, '']);
    expect(findings.map(({ symptom }) => symptom)).toEqual(
      expect.arrayContaining(['argument-unknown', 'image-never-pulled']),
    );
    expect(not_checked.map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining('was refused: it would lie outside of the bundle.'),
    );
  });

  it('exits with 1 and one sentence for what it refuses as a whole, and leaves nothing behind', async () => {
    const { code, out, err } = await run(
      received(gzipSync(tarBytes([...first, log('bomb', Buffer.alloc(80 * 1024 * 1024))]))),
    );
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: The archive unpacks to more than 200 times its size, .+\n$/);
  });
});
