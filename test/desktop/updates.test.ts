import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUpdateFeed, type UpdateFeed } from '../support/update-feed.ts';
import { newDataDir, runProgram, startProgram, until } from './desktop-program.ts';

const feedFile = join(import.meta.dirname, '../../out/update-feed.json');
let server: UpdateFeed;

beforeAll(async () => {
  server = await startUpdateFeed();
  writeFileSync(feedFile, JSON.stringify(server.feed));
});

afterAll(async () => {
  rmSync(feedFile, { force: true });
  await server?.close();
});

/** A program file as an AppImage is: it says what it is when it is started. */
function programFile(folder: string, version: string): string {
  const file = join(folder, 'operator-console.AppImage');
  writeFileSync(file, `#!/bin/sh\necho ${version} > "${folder}/started"\n`);
  chmodSync(file, 0o755);
  return file;
}

test('an update is downloaded while the program runs and is in its place after the quit', async () => {
  const dataDir = newDataDir();
  const program = programFile(dataDir, 'this version');
  const next = Buffer.from('#!/bin/sh\necho the next version\n');
  server.release('99.0.0', next);
  const running = await startProgram({
    dataDir,
    env: { APPIMAGE: program, CONSOLE_UPDATES: 'automatic' },
  });
  const downloaded = join(dataDir, 'updates/downloads/99.0.0-operator-console-x86_64.AppImage');
  await until('the update is downloaded', () => existsSync(downloaded), 20_000);
  expect(readFileSync(program, 'utf8')).toContain('this version');
  await running.quit();
  await until('the next version is in place', () => readFileSync(program).equals(next));
  expect(readFileSync(`${program}.before`, 'utf8')).toContain('this version');
});

test('a tampered package is not taken, and the program runs on', async () => {
  const dataDir = newDataDir();
  const program = programFile(dataDir, 'this version');
  server.release('99.0.0', Buffer.from('what was released'));
  server.files.set('operator-console-x86_64.AppImage', Buffer.from('what was replaced'));
  server.asked.length = 0;
  const running = await startProgram({
    dataDir,
    env: { APPIMAGE: program, CONSOLE_UPDATES: 'automatic' },
  });
  await until(
    'the package is asked for',
    () => server.asked.some((name) => name.endsWith('AppImage')),
    20_000,
  );
  await running.quit();
  expect(readFileSync(program, 'utf8')).toContain('this version');
});

test('with updates off nothing is asked for', async () => {
  const dataDir = newDataDir();
  server.asked.length = 0;
  const running = await startProgram({
    dataDir,
    env: { APPIMAGE: programFile(dataDir, 'x'), CONSOLE_UPDATES: 'off' },
  });
  await new Promise((resume) => setTimeout(resume, 6000));
  await running.quit();
  expect(server.asked).toEqual([]);
});

test('a version that did not become ready twice gives its place to the one before, which is started', async () => {
  const dataDir = newDataDir();
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const program = programFile(dataDir, 'the version before');
  const before = readFileSync(program);
  writeFileSync(`${program}.before`, before, { mode: 0o755 });
  writeFileSync(program, 'the broken version', { mode: 0o755 });
  mkdirSync(join(dataDir, 'updates'));
  writeFileSync(
    join(dataDir, 'updates/replaced-version.json'),
    JSON.stringify({ trial: { version, starts: 2, program }, failed: [] }),
  );
  const run = await runProgram({ dataDir, env: { APPIMAGE: program } });
  expect(run.code).toBe(0);
  expect(readFileSync(program).equals(before)).toBe(true);
  await until('the version before is started', () => existsSync(join(dataDir, 'started')));
  expect(JSON.parse(readFileSync(join(dataDir, 'updates/replaced-version.json'), 'utf8'))).toEqual({
    failed: [version],
  });
});

test('a version that becomes ready stays, and the one before it is removed', async () => {
  const dataDir = newDataDir();
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const program = programFile(dataDir, 'this version');
  writeFileSync(`${program}.before`, 'the version before');
  mkdirSync(join(dataDir, 'updates'));
  writeFileSync(
    join(dataDir, 'updates/replaced-version.json'),
    JSON.stringify({ trial: { version, starts: 1, program }, failed: [] }),
  );
  const running = await startProgram({ dataDir, env: { APPIMAGE: program, CONSOLE_UPDATES: 'off' } });
  await until('the version before is removed', () => !existsSync(`${program}.before`));
  await running.quit();
  expect(readFileSync(program, 'utf8')).toContain('this version');
});
