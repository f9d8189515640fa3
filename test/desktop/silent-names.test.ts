import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDataDir, until } from './desktop-program.ts';

const root = process.getuid?.() === 0;

/** The name of a DNS query's question (RFC 1035, 4.1.2). */
function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; (query[at] ?? 0) > 0; at += (query[at] ?? 0) + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)));
  return labels.join('.');
}

test.skipIf(!root)(
  'a name server that is silent does not hold the quit (root, for a resolv.conf of its own)',
  async () => {
    const dataDir = newDataDir();
    const silent = createSocket('udp4');
    const asked: string[] = [];
    silent.on('message', (query) => asked.push(nameIn(query)));
    await new Promise<void>((bound) => silent.bind(53, '127.0.0.77', bound));
    const resolver = join(dataDir, 'resolv.conf');
    writeFileSync(resolver, 'nameserver 127.0.0.77\noptions timeout:5 attempts:2\n');
    const { ELECTRON_RIG = '', RIG_APP = '' } = process.env;
    const child = spawn(
      'unshare',
      [
        ...['-m', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', resolver],
        ...[ELECTRON_RIG, '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', RIG_APP],
        'operator-console://open?tab=forgeStudio',
      ],
      {
        stdio: 'ignore',
        env: {
          ...process.env,
          CONSOLE_DATA_DIR: dataDir,
          CONSOLE_LOG_LEVEL: 'warn',
          STUDIO_UPSTREAM: 'http://studio.example.org',
          CONSOLE_STUDIO_IDENTITY_KEY: Buffer.alloc(32, 1).toString('base64'),
        },
      },
    );
    const ended = once(child, 'exit');
    try {
      await until("the studio's name is asked for", () => asked.includes('studio.example.org'), 20_000);
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
