import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { newDataDir } from './desktop-program.ts';
import { installedExecutable } from './installed-program.ts';

test('an installed program refuses switches by which another program would steer its window', () => {
  const executable = installedExecutable();
  for (const [given, named] of [
    ['--remote-debugging-port=0', 'remote-debugging-port'],
    ['--remote-debugging-pipe', 'remote-debugging-pipe'],
    ['--disable-web-security', 'disable-web-security'],
  ] as const) {
    const { status, stderr } = spawnSync(
      executable,
      ['--no-sandbox', '--disable-gpu', given, process.env.RIG_APP ?? ''],
      {
        encoding: 'utf8',
        timeout: 20_000,
        env: { ...process.env, CONSOLE_DATA_DIR: newDataDir(), NODE_OPTIONS: '' },
      },
    );
    expect([given, status]).toEqual([given, 2]);
    expect(stderr).toContain(`error: --${named} is refused`);
    expect(stderr).not.toContain('DevTools listening');
  }
});
