import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { variables, withoutSecrets } from '../../../src-main/config/index.ts';
import { repoRoot } from '../../support/repo-root.ts';
import { newFolder, type StartedConsole, startedConsole } from '../../support/started-console.ts';

const opened: StartedConsole[] = [];
afterEach(async () => {
  for (const console of opened.splice(0)) await console.close();
});

const base64Key = (): string => randomBytes(32).toString('base64');
const pem = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;
const secretNames = variables.filter(({ secret }) => secret).map(({ name }) => name);
/** A value of each secret but two, which would take a database and another way to keep the store's key. */
const secrets = Object.fromEntries(
  variables
    .filter(({ name, secret }) => secret && !/DATABASE_(?:LISTEN_)?URL|PASSPHRASE/.test(name))
    .map(({ name, type }) => [
      name,
      type === 'base64' ? base64Key() : type === 'PEM' ? pem : type === 'USER:PASSWORD' ? 'u:p' : 'canary-1',
    ]),
);

describe('a program that the console starts', () => {
  it('gets no secret of it: neither the sign-in program of a kubeconfig nor the login shell', async () => {
    const folder = newFolder();
    const script = (name: string, text: string): string => {
      const file = join(folder, name);
      writeFileSync(file, `#!/bin/sh\nenv > "${join(folder, `${name}.env`)}"\n${text}\n`);
      chmodSync(file, 0o755);
      return file;
    };
    const command = script('plugin', 'exit 1');
    const shell = script('shell', 'eval "$2"');
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'c',
        clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:9' } }],
        users: [{ name: 'u', user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command } } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      }),
    );
    const console = await startedConsole({
      ...secrets,
      CONSOLE_KUBECONFIG: kubeconfig,
      SHELL: shell,
      PATH: process.env.PATH,
      OF_SOMEBODY_ELSE: 'kept',
    });
    opened.push(console);
    await console.api('GET', '/api/namespaces?target=c');
    for (const name of ['plugin', 'shell']) {
      const file = join(folder, `${name}.env`);
      await vi.waitFor(() => expect(existsSync(file)).toBe(true), 5000);
      const names = readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.split('=', 1)[0]);
      expect(names).toContain('OF_SOMEBODY_ELSE');
      expect([name, secretNames.filter((secret) => names.includes(secret))]).toEqual([name, []]);
    }
  });

  it('is started in files that are known here, each with an environment that was looked at', () => {
    const files = globSync('src-main/**/*.ts', { cwd: repoRoot }).filter((file) =>
      readFileSync(join(repoRoot, file), 'utf8').includes("'node:child_process'"),
    );
    expect(files.sort()).toEqual([
      // PATH and its own names only.
      'src-main/backends/cockpit/raft/etcd.ts',
      'src-main/backends/cockpit/raft/left-engine.ts',
      // This program itself, as a desktop program.
      'src-main/commands/command-line.ts',
      // PATH only; it looks for one process and ends it.
      'src-main/desktop/exit-watch.ts',
      // PATH only.
      'src-main/sandbox/voice/engines.ts',
      // What the two callers of `createContexts` give: `withoutSecrets`.
      'src-main/sources/cluster/live/exec-plugin.ts',
      'src-main/sources/cluster/live/login-path.ts',
    ]);
  });
});

describe('an environment without secrets', () => {
  it('keeps what is not one, and drops every secret of the table, in any case of its name', () => {
    const all = Object.fromEntries(
      secretNames.flatMap((name) => [
        [name, 'x'],
        [name.toLowerCase(), 'x'],
      ]),
    );
    expect(withoutSecrets({ ...all, PATH: '/bin', CONSOLE_LOG_LEVEL: 'info' })).toEqual({
      PATH: '/bin',
      CONSOLE_LOG_LEVEL: 'info',
    });
  });
});
