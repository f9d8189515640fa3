import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, parseListen, readConfig } from '../../src-main/config.ts';
import { configurationPage } from '../support/configuration-page.ts';
import { repoRoot } from '../support/repo-root.ts';

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
    expect(config.studio.upstream.href).toBe('http://studio.platform.svc.cluster.local:8080/');
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
  ])('refuses %s=%s and names the variable', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`\\b${name}\\b`));
  });

  it('never repeats a secret in its refusal', () => {
    const secret = 'canary-4f1c';
    for (const name of ['CONSOLE_ADMIN_PASSWORD', 'CONSOLE_STUDIO_IDENTITY_KEY']) {
      expect(() => readConfig({ [name]: secret, CONSOLE_LOG_LEVEL: 'loud' })).not.toThrow(new RegExp(secret));
    }
  });

  it('reads lists without case and spaces, and keeps spaces of a password', () => {
    const config = readConfig({
      CONSOLE_ALLOWED_EMAILS: ' A@x.example , b@x.example,, ',
      CONSOLE_ADMIN_PASSWORD: ' p ',
    });
    expect([config.allowedEmails, config.adminPassword]).toEqual([['a@x.example', 'b@x.example'], ' p ']);
  });

  it('reads addresses of both families', () => {
    expect(parseListen('[::1]:80', '--listen')).toEqual({ host: '::1', port: 80 });
    expect(parseListen('localhost:0', '--listen')).toEqual({ host: 'localhost', port: 0 });
  });
});
