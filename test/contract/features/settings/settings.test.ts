import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SettingItem, Settings } from '../../../../src-shared/api/settings.ts';
import { settingsAnswer } from '../../../../src-shared/api/settings.ts';
import { newFolder, type StartedConsole, startedConsole } from '../../../support/started-console.ts';

const opened: StartedConsole[] = [];
afterEach(async () => {
  for (const console of opened.splice(0)) await console.close();
});
const start = async (...args: Parameters<typeof startedConsole>): Promise<StartedConsole> => {
  const console = await startedConsole(...args);
  opened.push(console);
  return console;
};
const restart = async (console: StartedConsole, env?: Record<string, string>): Promise<StartedConsole> => {
  opened.splice(opened.indexOf(console), 1);
  const next = await console.again(env);
  opened.push(next);
  return next;
};

const settingsOf = async (console: StartedConsole): Promise<Settings> =>
  settingsAnswer.parse((await console.api('GET', '/api/settings')).body);
const setting = async (console: StartedConsole, name: string): Promise<SettingItem | undefined> =>
  (await settingsOf(console)).settings.find((item) => item.name === name);
const put = (console: StartedConsole, values: Record<string, string | null>) =>
  console.api('PUT', '/api/settings', { values });
const error = (words: string) => ({
  error: expect.stringContaining(words),
  request_id: expect.stringMatching(/^[0-9a-f]{16}$/),
});

describe('GET /api/settings', () => {
  it('tells of every setting where its value comes from, and shows no secret among them (RTE-033)', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'settings.json'), '{"CONSOLE_SESSION_HOURS": "8"}');
    const console = await start({ STUDIO_UPSTREAM: 'http://studio.example:8080' }, { folder });
    const { settings, file } = await settingsOf(console);
    const sources = Object.fromEntries(settings.map(({ name, source }) => [name, source]));
    expect(sources).toMatchObject({
      STUDIO_UPSTREAM: 'env',
      CONSOLE_SESSION_HOURS: 'settings',
      CONSOLE_SESSION_IDLE_HOURS: 'default',
      CONSOLE_PUBLIC_URL: 'unset',
    });
    expect(sources).not.toHaveProperty('CONSOLE_ADMIN_PASSWORD');
    expect(sources).not.toHaveProperty('CONSOLE_STORE_KEY');
    expect(file).toBe(join(folder, 'settings.json'));
  });

  it('says of the store what it is, and under which key', async () => {
    const console = await start();
    expect((await settingsOf(console)).store).toEqual({
      kind: 'sqlite',
      place: join(console.folder, 'console.db'),
      encrypted: true,
      key_source: 'env',
    });
  });

  it('takes the user name and the password out of an address', async () => {
    const console = await start({ TTSD_URL: 'http://ada:canary-pass@speech.example/tts' });
    expect(await setting(console, 'TTSD_URL')).toMatchObject({ value: 'http://speech.example/tts' });
    await put(console, { VOICE_REMOTE_URL: 'http://ada:canary-pass@voice.example/' });
    expect(await setting(console, 'VOICE_REMOTE_URL')).toMatchObject({ value: 'http://voice.example/' });
    expect(JSON.stringify(await settingsOf(console))).not.toContain('canary-pass');
  });

  it('shows the lists of people to session admins and the local operator only, their size to everyone', async () => {
    const admins = 'ada@northgate.example, grace@northgate.example';
    const console = await start({ CONSOLE_AGENT_ADMINS: admins, CONSOLE_LOCAL_OPERATOR: 'on' });
    expect(await setting(console, 'CONSOLE_AGENT_ADMINS')).toMatchObject({ value: admins, size: 2 });
    const open = await start({ CONSOLE_AGENT_ADMINS: admins, CONSOLE_LOCAL_OPERATOR: 'off' });
    const item = await setting(open, 'CONSOLE_AGENT_ADMINS');
    expect(item).toMatchObject({ size: 2 });
    expect(item).not.toHaveProperty('value');
  });
});

describe('PUT /api/settings', () => {
  it('keeps values for the next start in a file for its owner only, and shows what waits for it', async () => {
    const first = await start();
    const { status, body } = await put(first, { CONSOLE_SESSION_HOURS: '8' });
    expect(status).toBe(200);
    expect(settingsAnswer.parse(body).settings).toContainEqual(
      expect.objectContaining({
        name: 'CONSOLE_SESSION_HOURS',
        value: '12',
        source: 'default',
        pending: '8',
      }),
    );
    const file = join(first.folder, 'settings.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const second = await restart(first);
    const item = await setting(second, 'CONSOLE_SESSION_HOURS');
    expect(item).toMatchObject({ value: '8', source: 'settings' });
    expect(item).not.toHaveProperty('pending');
    await put(second, { CONSOLE_SESSION_HOURS: null });
    expect(await setting(second, 'CONSOLE_SESSION_HOURS')).toMatchObject({ value: '8', pending: '12' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
  });

  it('changes nothing when one of the values cannot be used', async () => {
    const console = await start();
    await put(console, { RECAPTCHA_SITE_KEY: 'site' });
    const { status, body } = await put(console, {
      RECAPTCHA_SITE_KEY: 'other',
      CONSOLE_SESSION_HOURS: 'long',
    });
    expect([status, body]).toEqual([400, error('CONSOLE_SESSION_HOURS')]);
    expect(JSON.parse(readFileSync(join(console.folder, 'settings.json'), 'utf8'))).toEqual({
      RECAPTCHA_SITE_KEY: 'site',
    });
  });

  it.each([
    [409, { STUDIO_UPSTREAM: 'http://other.example' }, "STUDIO_UPSTREAM is set in the console's environment"],
    [422, { STRIPE_SECRET_KEY: 'sk_canary' }, '/api/keys/STRIPE_SECRET_KEY'],
    [422, { CONSOLE_KEY_PASSPHRASE: 'canary' }, "only be set in the console's environment"],
    [422, { CONSOLE_LISTEN: '0.0.0.0:80' }, "only be set in the console's environment"],
    [
      422,
      { CONSOLE_SESSION_ADMINS: 'mallory@northgate.example' },
      "only be set in the console's environment",
    ],
    [400, { CONSOLE_NO_SUCH: 'x' }, 'CONSOLE_NO_SUCH is not a setting'],
  ])('answers %i to %j', async (expected, values, words) => {
    const console = await start({ STUDIO_UPSTREAM: 'http://studio.example:8080' });
    const { status, body } = await put(console, values);
    expect([status, body]).toEqual([expected, error(words)]);
    expect(JSON.stringify(body)).not.toContain('canary');
    expect(await setting(console, 'STUDIO_UPSTREAM')).not.toHaveProperty('pending');
  });

  it('does not overwrite a file that a person broke while the console ran', async () => {
    const console = await start();
    const file = join(console.folder, 'settings.json');
    writeFileSync(file, '{"CONSOLE_SESSION_HOURS": "8",');
    expect(await put(console, { RECAPTCHA_SITE_KEY: 'site' })).toEqual({ status: 409, body: error(file) });
    expect(readFileSync(file, 'utf8')).toBe('{"CONSOLE_SESSION_HOURS": "8",');
    expect((await console.api('GET', '/api/settings')).status).toBe(200);
  });

  it('on the sandbox keeps a studio for the next start, which is what leaves the sandbox', async () => {
    const console = await start({}, { sandbox: true });
    const own = await setting(console, 'STUDIO_UPSTREAM');
    expect(own).toMatchObject({ source: 'sandbox', settable: true });
    expect((await put(console, { STUDIO_UPSTREAM: 'http://studio.example:8080' })).status).toBe(200);
    expect(await setting(console, 'STUDIO_UPSTREAM')).toMatchObject({
      value: own?.value,
      pending: 'http://studio.example:8080',
    });
  });
});

describe('a settings file that cannot be used', () => {
  it.each([
    ['{"CONSOLE_SESSION_HOURS": "8",', 'is not JSON'],
    ['["CONSOLE_SESSION_HOURS"]', 'not a JSON object'],
    ['{"CONSOLE_SESSION_HOURS": 8}', 'CONSOLE_SESSION_HOURS'],
    ['{"CONSOLE_SESION_HOURS": "8"}', 'CONSOLE_SESION_HOURS'],
    ['{"CONSOLE_SESSION_HOURS": "long"}', 'CONSOLE_SESSION_HOURS'],
    ['{"STRIPE_SECRET_KEY": "sk_canary"}', 'operator-console keys set STRIPE_SECRET_KEY'],
    ['{"CONSOLE_LISTEN": "0.0.0.0:80"}', 'CONSOLE_LISTEN'],
    ['{"TTSD_URL": "ftp://ada:canary@speech.example"}', 'TTSD_URL'],
  ])('%s stops the start with one line that names the file, and is left as it is', async (content, words) => {
    const folder = newFolder();
    const file = join(folder, 'settings.json');
    writeFileSync(file, content);
    const failure: unknown = await startedConsole({}, { folder }).catch((reason: unknown) => reason);
    expect(failure).toMatchObject({ name: 'ConfigError', message: expect.stringContaining(file) });
    expect(String(failure)).toContain(words);
    expect(String(failure)).not.toMatch(/\n|canary/);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('is not blamed for what the environment got wrong', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'settings.json'), '{"RECAPTCHA_SITE_KEY": "site"}');
    const failure = startedConsole({ CONSOLE_SESSION_HOURS: 'long' }, { folder });
    await expect(failure).rejects.toThrow(/^CONSOLE_SESSION_HOURS/);
  });
});

describe('the sandbox', () => {
  it('makes its newcomer a session admin, unless the environment names others', async () => {
    const console = await start({}, { sandbox: true });
    expect((await console.api('GET', '/api/audit')).status).toBe(200);
    expect(await setting(console, 'CONSOLE_SESSION_ADMINS')).toMatchObject({
      value: 'operator@console.localhost',
      source: 'sandbox',
    });
    const other = await start({ CONSOLE_SESSION_ADMINS: 'ada@northgate.example' }, { sandbox: true });
    expect((await other.api('GET', '/api/audit')).status).toBe(403);
    expect(await setting(other, 'CONSOLE_SESSION_ADMINS')).toMatchObject({ source: 'env' });
  });
});
