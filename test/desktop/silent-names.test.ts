import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDataDir, until } from './desktop-program.ts';

const root = process.getuid?.() === 0;

test.skipIf(!root)(
  'a name server that is silent does not hold the quit (root, for a resolv.conf of its own)',
  async () => {
    const dataDir = newDataDir();
    const silent = createSocket('udp4');
    let asked = 0;
    silent.on('message', () => {
      asked += 1;
    });
    await new Promise<void>((bound) => silent.bind(53, '127.0.0.77', bound));
    const resolver = join(dataDir, 'resolv.conf');
    writeFileSync(resolver, 'nameserver 127.0.0.77\noptions timeout:5 attempts:2\n');
    const { ELECTRON_RIG = '', RIG_APP = '' } = process.env;
    const child = spawn(
      'unshare',
      [
        ...['-m', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', resolver],
        ...[ELECTRON_RIG, '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', RIG_APP],
      ],
      {
        stdio: 'ignore',
        env: {
          ...process.env,
          CONSOLE_DATA_DIR: dataDir,
          CONSOLE_LOG_LEVEL: 'warn',
          // Asked for at the start, and for every page that shows apps.
          CONSOLE_GITHUB_API_URL: 'https://code-host.example.org',
          CONSOLE_GITHUB_APP_ID: '1',
          CONSOLE_OIDC_ISSUER: 'https://issuer.example.org',
          CONSOLE_GOOGLE_CLIENT_ID: 'x',
          STUDIO_UPSTREAM: 'http://studio.example.org',
        },
      },
    );
    const ended = once(child, 'exit');
    try {
      await until('a name is asked for', () => asked > 0, 20_000);
      const at = performance.now();
      child.kill('SIGTERM');
      const [code] = await ended;
      expect(code).toBe(0);
      expect(performance.now() - at).toBeLessThan(2000);
    } finally {
      child.kill('SIGKILL');
      silent.close();
    }
  },
);
