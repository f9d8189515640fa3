import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  parseListen,
  readConfig,
  type VariableName,
  variables,
} from '../../../src-main/config/index.ts';
import { secretNames } from '../../../src-main/features/settings/index.ts';
import { backendsPage, backendVariables } from '../../support/backends-page.ts';
import { configurationPage } from '../../support/configuration-page.ts';
import { repoRoot } from '../../support/repo-root.ts';

/** Variables of the system and of the tools beneath, which are theirs to document. */
const system = [
  // The runtime of an AppImage says where its file is.
  'APPIMAGE',
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'ELECTRON_OVERRIDE_DIST_PATH',
  'KUBECONFIG',
  'LOCALAPPDATA',
  'NO_COLOR',
  'NO_PROXY',
  'PATH',
  'SHELL',
  'TERM',
  'WAYLAND_DISPLAY',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
];

function sources(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => /\.tsx?$/.test(file)),
  );
}
const textOf = (file: string): string => readFileSync(join(repoRoot, file), 'utf8');

const ofConsole: readonly string[] = variables.map(({ name }) => name) satisfies VariableName[];
const ofBackend = (program: string): readonly string[] =>
  (backendVariables[program] ?? []).map(({ name }) => name);
const ofBackends = Object.keys(backendVariables).flatMap(ofBackend);

/** What a file may read or speak of: the variables of its own program, and where several use it, those of all of them. */
function knownIn(file: string): readonly string[] {
  const [, program = ''] = /^src-main\/backends\/(\w+)\//.exec(file) ?? [];
  if (program === '') return ofConsole;
  return program in backendVariables ? ofBackend(program) : ofBackends;
}

/** The table that has to list what a file reads, or that has to lose what nothing reads. */
function tableOf(file: string): string {
  const [, program = ''] = /^src-main\/backends\/(\w+)\//.exec(file) ?? [];
  if (program === '') return 'src-main/config/variables.ts';
  return `src-main/backends/${program in backendVariables ? program : '<name>'}/variables.ts`;
}

/** What a developer reads beside a name that is in no table. */
const unlisted = (file: string, name: string): string =>
  `${file} names ${name}: add it to ${tableOf(file)}, or give a mark that is no setting another prefix`;

/** What begins as the variables of a backend do: AUTH_, RAFT_, … */
const ofThePlatform = new RegExp(
  `\\b(?:${[...new Set(ofBackends.map((name) => name.split('_', 1)[0]))].join('|')})_[A-Z0-9_]*[A-Z0-9]\\b`,
  'g',
);

describe('configuration', () => {
  it('is documented as it is (npm run docs writes the page)', () => {
    expect(textOf('docs/configuration.md')).toBe(configurationPage());
    expect(textOf('docs/backends.md')).toBe(backendsPage(textOf('docs/backends.md')));
  });

  it('says of each variable that nothing reads yet that it is so', () => {
    const unused = variables.filter(({ used }) => !used);
    const readers = sources('src-main', 'src-renderer').filter(
      // The tables, and the one answer that carries a setting to a page that does not exist yet.
      (file) => !/^src-main\/config\/|^src-main\/features\/settings\/keys\.ts$/.test(file),
    );
    for (const { name, sentence } of unused) {
      expect(sentence).toMatch(/^Not used yet\. /);
      expect([name, readers.filter((file) => textOf(file).includes(name))]).toEqual([name, []]);
    }
  });

  it('needs nothing set (CON-057)', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      listen: { host: '127.0.0.1', port: 0 },
      localOperator: true,
      allowedHosts: [],
    });
    expect(config.studio.url.href).toBe('http://studio.platform.svc.cluster.local:8080/');
  });

  it.each([
    ['STUDIO_UPSTREAM', 'studio:8080'],
    ['STUDIO_UPSTREAM', 'ftp://studio'],
    ['STUDIO_UPSTREAM', 'http://'],
    ['CONSOLE_LISTEN', '8080'],
    ['CONSOLE_LISTEN', '127.0.0.1:99999'],
    ['CONSOLE_PUBLIC_URL', 'console.example.com'],
    ['CONSOLE_OIDC_ISSUER', 'accounts.google.com'],
    ['CONSOLE_OIDC_JWKS_URL', 'file:///etc/passwd'],
    ['CONSOLE_LOCAL_OPERATOR', 'yes'],
    ['CONSOLE_ADMIN_EMAIL', 'root'],
    ['CONSOLE_SESSION_HOURS', '0'],
    ['CONSOLE_LOG_LEVEL', 'loud'],
    ['TTSD_URL', 'speech'],
    ['CONSOLE_KEYCHAIN', 'maybe'],
    ['CONSOLE_DATABASE_URL', 'mysql://user@host/database'],
    ['CONSOLE_DATABASE_URL', 'postgres://user@host'],
    ['CONSOLE_DATABASE_URL', 'postgres:///database'],
    ['CONSOLE_DATABASE_URL', 'host=db user=console'],
    ['CONSOLE_STORE_KEY', ''],
    ['CONSOLE_STORE_KEY', ' '],
    ['CONSOLE_STORE_KEY', 'AAAA'],
    ['CONSOLE_SESSION_KEY', 'AAAA'],
    ['CONSOLE_GITHUB_PRIVATE_KEY', 'AAAA'],
    ['CONSOLE_HEALTH_INGEST_TOKEN', 'two words'],
    ['CONSOLE_REGISTRY_TOKEN', 'nocolon'],
    ['CONSOLE_REGISTRY_TOKEN', ':password'],
    ['CONSOLE_REGISTRY_TOKEN', 'user:'],
  ])('refuses %s=%s and names the variable', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`\\b${name}\\b`));
  });

  it('never repeats a secret, nor the password of an address, in its refusal', () => {
    const secrets = variables.filter(({ secret }) => secret).map(({ name }) => name);
    const addresses = variables.filter(({ type }) => type === 'url').map(({ name }) => name);
    const bad = [
      ...secrets.flatMap((name) =>
        ['canary', 'canary of two words', 'mysql://ada:canary@host/db'].map(
          (value) => [name, value] as const,
        ),
      ),
      ...addresses.flatMap((name) =>
        ['ftp://ada:canary@host', 'ada:canary@host', 'http://ada:canary@'].map(
          (value) => [name, value] as const,
        ),
      ),
    ];
    let refused = 0;
    for (const [name, value] of bad) {
      try {
        readConfig({ [name]: value });
      } catch (error) {
        refused += 1;
        expect([name, String(error)]).toEqual([name, expect.not.stringContaining('canary')]);
        expect(String(error)).toContain(name);
      }
    }
    expect(refused).toBeGreaterThan(addresses.length * 3);
  });

  it('takes a database of either spelling of the scheme', () => {
    for (const url of [
      'postgres://u:p@db.example:5432/console',
      'postgresql://db.example/console?sslmode=require',
    ])
      expect(readConfig({ CONSOLE_DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('starts with an identity key that cannot be used: the console serves on and names it', () => {
    expect(() => readConfig({ CONSOLE_STUDIO_IDENTITY_KEY: 'AAAA' })).not.toThrow();
  });

  it('names each variable once, and every secret the console keeps is one of them', () => {
    const names = variables.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const kept = variables.filter(({ where }) => where === 'keys').map(({ name }) => name);
    expect(kept.sort()).toEqual([...secretNames].sort());
    for (const { secret, where } of variables) expect(secret || where !== 'keys').toBe(true);
  });

  it('knows every variable that the program reads or speaks of', () => {
    const unknown = new Set<string>();
    let read = 0;
    for (const file of sources('src-main', 'src-shared')) {
      const text = textOf(file);
      const names = [
        // What is read: env.NAME, env['NAME'], env?.NAME, of whatever object is an environment.
        ...[...text.matchAll(/\benv(?:ironment)?\??(?:\.|\[['"])([A-Z][A-Z0-9_]+)\b/g)],
        // What is told to be set, or read through a function.
        ...[...text.matchAll(/\b(CONSOLE_[A-Z0-9_]+)\b/g)],
      ].map(([, name = '']) => name);
      read += names.length;
      for (const name of names)
        if (!knownIn(file).includes(name) && !system.includes(name)) unknown.add(unlisted(file, name));
    }
    expect([...unknown]).toEqual([]);
    expect(read).toBeGreaterThan(100);
  });

  it.each(Object.keys(backendVariables))('knows every variable that the %s backend speaks of', (program) => {
    const names = ofBackend(program);
    expect(new Set(names).size).toBe(names.length);
    const spoken = new Set<string>();
    for (const file of sources(`src-main/backends/${program}`))
      for (const [name] of textOf(file).matchAll(ofThePlatform))
        if (!names.includes(name)) spoken.add(unlisted(file, name));
    expect([...spoken]).toEqual([]);
  });

  it.each(Object.keys(backendVariables))(
    'documents no variable that the %s backend does not read',
    (program) => {
      const files = sources(`src-main/backends/${program}`).filter((file) => !file.endsWith('/variables.ts'));
      const text = files.map((file) => textOf(file)).join('\n');
      const unread = ofBackend(program).filter(
        (name) => !new RegExp(`'${name}'|\\benv\\.${name}\\b`).test(text),
      );
      expect(unread, `listed in ${tableOf(files[0] ?? '')}, read nowhere`).toEqual([]);
    },
  );

  it('reads lists without case and spaces', () => {
    const { allowedEmails } = readConfig({ CONSOLE_ALLOWED_EMAILS: ' A@x.example , b@x.example,, ' });
    expect(allowedEmails).toEqual(['a@x.example', 'b@x.example']);
  });

  it('takes addresses and networks of proxies, and nothing else', () => {
    const read = (value: string) => readConfig({ CONSOLE_TRUSTED_PROXIES: value }).trustedProxies;
    expect(read('10.0.0.0/8, ::1,fd00::/8')).toEqual(['10.0.0.0/8', '::1', 'fd00::/8']);
    for (const value of ['10.0.0.0/33', 'proxy.example', '10.0.0.0/', '10.0.0.0/8/8', '*'])
      expect(() => read(value)).toThrow(/CONSOLE_TRUSTED_PROXIES has/);
  });

  it('reads addresses of both families', () => {
    expect(parseListen('[::1]:80', '--listen')).toEqual({ host: '::1', port: 80 });
    expect(parseListen('localhost:0', '--listen')).toEqual({ host: 'localhost', port: 0 });
  });
});
