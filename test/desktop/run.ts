import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * `npm run test:desktop`: the desktop suite in a real Electron, under a display and a keychain of its own. Without
 * the rig it says what was skipped and why. Ends with "desktop: N passed, N failed, N skipped".
 */
const root = join(import.meta.dirname, '../..');
const rig = resolve(root, process.env.ELECTRON_RIG_DIR ?? '../shared/electron-rig');

async function main(): Promise<number> {
  const missing = existsSync(join(rig, 'run.sh')) ? notHere() : `no Electron rig at ${rig}`;
  if (missing !== undefined) {
    console.log(`skipped: desktop suite: ${missing} (set ELECTRON_RIG_DIR)`);
    console.log('desktop: 0 passed, 0 failed, 1 skipped');
    return 0;
  }
  if (!existsSync(join(root, 'out/main/main.js'))) {
    const built = await run('npm', ['run', '-s', 'build'], {});
    if (built !== 0) return built;
  }
  return run(join(rig, 'with-keyring.sh'), [join(rig, 'run.sh'), root, ...process.argv.slice(2)], {
    RIG_CMD: 'exec "$DESKTOP_NODE" test/desktop/suite.ts "$@"',
    DESKTOP_NODE: process.execPath,
  });
}

function notHere(): string | undefined {
  if (process.platform === 'linux' && process.arch === 'x64') return undefined;
  return `the Electron rig is for linux-x64, this is ${process.platform}-${process.arch}`;
}

function run(command: string, args: readonly string[], env: Record<string, string>): Promise<number> {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((done) => {
    child.on('error', (error) => {
      console.error(`error: ${error.message}`);
      done(1);
    });
    child.on('exit', (code) => done(code ?? 1));
  });
}

process.exitCode = await main();
