import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, parseListen, readConfig } from '../../src-main/config.ts';
import { secretNames } from '../../src-main/features/settings/index.ts';
import { type VariableName, variables } from '../../src-main/variables.ts';
import { configurationPage } from '../support/configuration-page.ts';
import { repoRoot } from '../support/repo-root.ts';

/** Variables of the system and of the tools beneath, which are theirs to document. */
const system = [
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'ELECTRON_OVERRIDE_DIST_PATH',
  'KUBECONFIG',
  'LOCALAPPDATA',
  'NO_PROXY',
  'SHELL',
  'WAYLAND_DISPLAY',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
];

/** The program's own files; the backends are programs with variables of their own. */
function sources(): string[] {
  return ['src-main', 'src-shared'].flatMap((folder) =>
    readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src-main/backends/')),
  );
}

describe('configuration', () => {
  it('is documented as it is (npm run docs writes the page)', () => {
    expect(readFileSync(join(repoRoot, 'docs/configuration.md'), 'utf8')).toBe(configurationPage());
  });

  it('needs nothing set', () => {
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
    const known: readonly string[] = variables.map(({ name }) => name) satisfies VariableName[];
    const unknown = new Set<string>();
    let read = 0;
    for (const file of sources()) {
      const text = readFileSync(join(repoRoot, file), 'utf8');
      const names = [
        // What is read: env.NAME, env['NAME'], env?.NAME, of whatever object is an environment.
        ...[...text.matchAll(/\benv(?:ironment)?\??(?:\.|\[['"])([A-Z][A-Z0-9_]+)\b/g)],
        // What is told to be set, or read through a function.
        ...[...text.matchAll(/\b(CONSOLE_[A-Z0-9_]+)\b/g)],
      ].map(([, name = '']) => name);
      read += names.length;
      for (const name of names)
        if (!known.includes(name) && !system.includes(name)) unknown.add(`${file}: ${name}`);
    }
    expect([...unknown]).toEqual([]);
    expect(read).toBeGreaterThan(100);
  });

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
