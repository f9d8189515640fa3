import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readCampaignConfig, startCampaign } from '../../../../src-main/backends/campaign/index.ts';
import { StartupRefused } from '../../../../src-main/backends/serving/index.ts';
import { runConsole } from '../../../support/console-process.ts';
import { program } from '../../../support/program.ts';

// Configuration is checked at start: each refusal is one line, exit code 1, and nothing half-started.

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'campaign-start-'));
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'file'), 'a file');
});
afterAll(() => rmSync(folder, { recursive: true }));

const kek = Buffer.alloc(32, 7).toString('base64');
const objectStore = {
  OBJECTSTORE_ENDPOINT: 'https://objects.example',
  OBJECTSTORE_BUCKET: 'media',
  OBJECTSTORE_ACCESS_KEY_ID: 'an id',
  OBJECTSTORE_SECRET_ACCESS_KEY: 'a secret of this test only',
};
const hidden = 'hunter2-of-this-test';

type Env = Readonly<Record<string, string>>;
const refusals: readonly (readonly [string, () => Env, string])[] = [
  [
    'a store of another kind',
    () => ({ CAMPAIGN_STORE: `mysql://u:${hidden}@h/d` }),
    'CAMPAIGN_STORE must be the path of a SQLite file',
  ],
  [
    'a store whose folder is a file',
    () => ({
      CAMPAIGN_STORE: join(folder, 'file', 'a.db'),
      PLATFORM_ENVELOPE_KEK: kek,
      CAMPAIGN_MEDIA_DIR: join(folder, 'm'),
    }),
    'cannot be opened for writing',
  ],
  [
    'a store that is no database',
    () => ({
      CAMPAIGN_STORE: join(folder, 'file'),
      PLATFORM_ENVELOPE_KEK: kek,
      CAMPAIGN_MEDIA_DIR: join(folder, 'm'),
    }),
    'is encrypted, or not a store',
  ],
  [
    'a database that does not answer',
    () => ({
      CAMPAIGN_STORE: `postgres://u:${hidden}@127.0.0.1:1/d`,
      AUTH_JWT_SECRET: 'x'.repeat(32),
      PLATFORM_ENVELOPE_KEK: kek,
      CAMPAIGN_MEDIA_DIR: join(folder, 'm'),
    }),
    'does not answer: check that it runs and that CAMPAIGN_STORE names it',
  ],
  [
    'a shared store without AUTH_JWT_SECRET',
    () => ({
      CAMPAIGN_STORE: `postgres://u:${hidden}@127.0.0.1:1/d`,
      PLATFORM_ENVELOPE_KEK: kek,
      CAMPAIGN_MEDIA_DIR: join(folder, 'm'),
    }),
    'AUTH_JWT_SECRET is not set',
  ],
  [
    'a database server without a place for media',
    () => ({ CAMPAIGN_STORE: `postgres://u:${hidden}@127.0.0.1:1/d` }),
    'media need a place that lasts',
  ],
  [
    'a store that lasts without PLATFORM_ENVELOPE_KEK',
    () => ({ CAMPAIGN_STORE: join(folder, 'new.db') }),
    'PLATFORM_ENVELOPE_KEK is not set',
  ],
  [
    'an envelope key that is no base64',
    () => ({ PLATFORM_ENVELOPE_KEK: `${hidden}!` }),
    'envelope key not valid base64',
  ],
  [
    'an envelope key of 31 bytes',
    () => ({ PLATFORM_ENVELOPE_KEK: Buffer.alloc(31).toString('base64') }),
    'envelope key must be 32 bytes',
  ],
  [
    'a public address that is none',
    () => ({ CAMPAIGN_PUBLIC_BASE_URL: 'campaign.example' }),
    'CAMPAIGN_PUBLIC_BASE_URL must be an http(s) address',
  ],
  [
    'a calling agent that is no address',
    () => ({ CALLING_AGENT_URL: `ftp://u:${hidden}@h` }),
    'CALLING_AGENT_URL must be an http(s) address',
  ],
  [
    'a calling agent with a password',
    () => ({ CALLING_AGENT_URL: `https://u:${hidden}@h` }),
    'CALLING_AGENT_URL holds a user or a password',
  ],
  [
    'an inference endpoint that is no address',
    () => ({ INFERENCE_REMOTE_URL: '127.0.0.1' }),
    'INFERENCE_REMOTE_URL must be an http(s) address',
  ],
  [
    'a web folder without index.html',
    () => ({ CAMPAIGN_WEB_DIR: join(folder, 'empty') }),
    'which has no index.html',
  ],
  [
    'a folder of media that is a file',
    () => ({ CAMPAIGN_MEDIA_DIR: join(folder, 'file'), PLATFORM_ENVELOPE_KEK: kek }),
    'cannot be used',
  ],
  ['two places for media', () => ({ ...objectStore, CAMPAIGN_MEDIA_DIR: join(folder, 'm') }), 'are both set'],
  [
    'an object store in cleartext',
    () => ({ ...objectStore, OBJECTSTORE_ENDPOINT: 'http://objects.example' }),
    'cleartext object-store traffic is refused',
  ],
  [
    'an object store without its bucket',
    () => ({ ...objectStore, OBJECTSTORE_BUCKET: '' }),
    'OBJECTSTORE_BUCKET is not',
  ],
  [
    'a bucket without its object store',
    () => ({ OBJECTSTORE_BUCKET: 'media' }),
    'OBJECTSTORE_ENDPOINT is not',
  ],
  [
    'OBJECTSTORE_USE_SSL',
    () => ({ ...objectStore, OBJECTSTORE_USE_SSL: 'true' }),
    'OBJECTSTORE_USE_SSL is set',
  ],
  [
    'a speech model without its endpoint',
    () => ({ SPEECH_TO_TEXT_MODEL: 'whisper' }),
    'SPEECH_TO_TEXT_URL is not',
  ],
  [
    'a messaging account without its token',
    () => ({ TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}` }),
    'TWILIO_AUTH_TOKEN is not',
  ],
  [
    'a messaging account that is none',
    () => ({ TWILIO_ACCOUNT_SID: hidden, TWILIO_AUTH_TOKEN: 'x' }),
    'TWILIO_ACCOUNT_SID must be',
  ],
  [
    'an issuer in cleartext',
    () => ({ OIDC_ISSUER: 'http://issuer.example', OIDC_CLIENT_ID: 'x' }),
    'OIDC_ISSUER is http',
  ],
  [
    'an issuer without a client id',
    () => ({ OIDC_ISSUER: 'https://issuer.example' }),
    'OIDC_CLIENT_ID is not',
  ],
  [
    'a list of addresses that are none',
    () => ({ AUTH_ALLOWED_EMAILS: 'mira@example.com, jon' }),
    'AUTH_ALLOWED_EMAILS must be',
  ],
  ['a signing key too short', () => ({ AUTH_JWT_SECRET: hidden }), 'AUTH_JWT_SECRET is 20 bytes long'],
  ['an admin without a password', () => ({ ADMIN_EMAIL: 'admin@example.com' }), 'ADMIN_PASSWORD is not'],
  ['a password without an admin', () => ({ ADMIN_PASSWORD: hidden }), 'ADMIN_EMAIL is not'],
  [
    'an admin that is no address',
    () => ({ ADMIN_EMAIL: 'admin', ADMIN_PASSWORD: hidden }),
    'ADMIN_EMAIL must be',
  ],
];

/** What a start in this process is refused with. */
async function refusalOf(env: Env): Promise<string> {
  const listen = { host: '127.0.0.1', port: 0 };
  const refused = await (async () => startCampaign({ listen, config: readCampaignConfig(env) }))().then(
    (started) => started.close(),
    (error: unknown) => error,
  );
  return z.instanceof(StartupRefused).parse(refused).message;
}

/** Of the causes above, one found in the settings, one on a disk, one over the network: the program makes the same of all. */
const asProgram = [
  'a database that does not answer',
  'an envelope key that is no base64',
  'a folder of media that is a file',
];

describe('the campaign backend refuses to start', () => {
  it.each(refusals)('with %s', async (_, env, words) => {
    const message = await refusalOf(env());
    expect(message).toContain(words);
    expect(message).toMatch(/^[^\n]+\.$/);
    expect(message).not.toContain(hidden);
  });

  it.concurrent.each(refusals.filter(([name]) => asProgram.includes(name)))(
    'as a program, in one line and with exit code 1, with %s',
    async (_, env, words) => {
      const { code, stdout, stderr } = await runConsole(
        ['backend', 'campaign', '--listen', '127.0.0.1:0'],
        env(),
      );
      expect([code, stdout]).toEqual([1, '']);
      const [line = '', ...more] = stderr.trimEnd().split('\n');
      expect(more).toEqual([]);
      // What is refused, in the words of the refusal alone: nothing before them, no stack after them.
      expect(JSON.parse(line)).toEqual({
        level: 50,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        msg: await refusalOf(env()),
      });
      expect(stderr).toContain(words);
      expect(stderr).not.toContain(hidden);
    },
  );

  it('on a port that another program has, and lets go of its store', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const env = {
      CAMPAIGN_STORE: join(folder, 'kept.db'),
      PLATFORM_ENVELOPE_KEK: kek,
    };
    const { code, stderr } = await runConsole(['backend', 'campaign', '--listen', `127.0.0.1:${port}`], env);
    other.close();
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(
      `the port cannot be had: 127.0.0.1:${port} is in use by another program`,
    );
    // What a program leaves behind that did not close its SQLite file.
    expect(existsSync(join(folder, 'kept.db-wal'))).toBe(false);
  });
});

describe('media without a place of their own', () => {
  it('are in a folder of this run, gone at its end and when the start fails', async () => {
    const own = join(folder, 'temporary');
    mkdirSync(own);
    vi.stubEnv('TMPDIR', own);
    try {
      const config = readCampaignConfig({});
      const campaign = await startCampaign({ listen: { host: '127.0.0.1', port: 0 }, config });
      expect(readdirSync(own)).toEqual([expect.stringMatching(/^campaign-media-/)]);
      await expect(
        startCampaign({ listen: { host: '127.0.0.1', port: campaign.port }, config }),
      ).rejects.toThrow(StartupRefused);
      expect(readdirSync(own)).toHaveLength(1);
      await campaign.close();
      expect(readdirSync(own)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('the campaign backend, started', () => {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  });

  it('says where it listens, in a ready file for its owner alone, and ends with 0 on SIGTERM', async () => {
    const file = join(folder, 'ready.json');
    const child = spawn(
      process.execPath,
      [program, 'backend', 'campaign', '--listen', '127.0.0.1:0', '--ready-file', file],
      {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          TMPDIR: folder,
          CAMPAIGN_STORE: join(folder, 'run.db'),
          PLATFORM_ENVELOPE_KEK: kek,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    children.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        said += data;
      });
    const ended = once(child, 'close');
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 25_000, interval: 20 });
    const { url, pid } = z
      .strictObject({ url: z.url(), pid: z.int() })
      .parse(JSON.parse(readFileSync(file, 'utf8')));
    expect([pid, statSync(file).mode & 0o777]).toEqual([child.pid, 0o600]);
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok', model_ready: false });
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said).toContain(`Campaign backend on ${url}`);
    expect(said).toContain('nobody can sign in: set OIDC_CLIENT_ID, or ADMIN_EMAIL and ADMIN_PASSWORD');
    expect(existsSync(join(folder, 'run.db-wal'))).toBe(false);
    expect(existsSync(join(folder, 'media'))).toBe(true);
  });
});
