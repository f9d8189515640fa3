import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import {
  familyOf,
  newDataDir,
  runProgram,
  spawnProgram,
  startProgram,
  stillRunning,
  until,
} from './desktop-program.ts';

const readPlace = (address: string): string => {
  const { pathname, searchParams } = new URL(address);
  // The window adds the target it reads as soon as it knows it.
  searchParams.delete('target');
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
};

test('a second start ends at once and brings the first window to the front', async () => {
  const dataDir = newDataDir();
  const { app, quit } = await startProgram({ dataDir });
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const second = await runProgram({ dataDir });
  expect(second.code).toBe(0);
  const visible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()));
  await until('the first window is shown', async () => (await visible())[0] === true);
  expect(await visible()).toHaveLength(1);
  await quit();
});

test('size and place of the window are remembered over a restart', async () => {
  const dataDir = newDataDir();
  const wanted = { x: 30, y: 40, width: 1150, height: 740 };
  const boundsOf = ({ app }: Awaited<ReturnType<typeof startProgram>>) =>
    app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return window?.isVisible() === true ? window.getBounds() : undefined;
    });
  const first = await startProgram({ dataDir });
  // X11 places a window when it is first shown: only after that does it stay where it is put.
  await until('the window stands where it was put', async () => {
    if ((await boundsOf(first)) === undefined) return false;
    await first.app.evaluate(
      ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
      wanted,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    return isDeepStrictEqual(await boundsOf(first), wanted);
  });
  await first.quit();
  const second = await startProgram({ dataDir });
  await until('the window is shown', async () => (await boundsOf(second)) !== undefined);
  expect(await boundsOf(second)).toEqual(wanted);
  await second.quit();
});

test('a corrupt window-state file is ignored', async () => {
  const dataDir = newDataDir();
  const first = await startProgram({ dataDir });
  await first.quit();
  writeFileSync(join(dataDir, 'window', 'window-state.json'), '{"x":1e99,"width":"wide');
  const second = await startProgram({ dataDir });
  const [width = 0, height = 0] =
    (await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize())) ?? [];
  expect(width).toBeGreaterThanOrEqual(1100);
  expect(height).toBeGreaterThanOrEqual(700);
  await second.quit();
});

test('an operator-console:// link opens its place, and a hostile one does not leave the origin', async () => {
  const dataDir = newDataDir();
  const { page, origin, quit } = await startProgram({
    dataDir,
    args: ['operator-console://open?tab=settings'],
  });
  expect(readPlace(page.url())).toBe('/?tab=settings');
  const loaded = await page.evaluate(() => performance.timeOrigin);

  await runProgram({ dataDir, args: ['operator-console://open?tab=forgeStudio&chat=new'] });
  await until('the window shows the new chat', () => readPlace(page.url()) === '/?tab=forgeStudio&chat=new');
  await page.locator('iframe[title*="Studio" i]').waitFor();
  // Not loaded anew: an answer that is being streamed goes on.
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded);

  for (const hostile of [
    'operator-console://open?tab=//evil',
    'operator-console://evil.example/?tab=settings',
  ]) {
    await runProgram({ dataDir, args: [hostile] });
    await new Promise((resume) => setTimeout(resume, 300));
    expect(page.url().startsWith(`${origin}/`)).toBe(true);
    expect(readPlace(page.url())).toBe('/?tab=forgeStudio&chat=new');
  }
  await quit();
});

test('the menu opens pages and goes back', async () => {
  const { app, page, quit } = await startProgram({ dataDir: newDataDir() });
  const choose = (title: string) =>
    app.evaluate(({ BrowserWindow, Menu }, label) => {
      const items = Menu.getApplicationMenu()?.items.flatMap((menu) => menu.submenu?.items ?? []);
      items
        ?.find((item) => item.label.replace('&', '') === label)
        ?.click(undefined, BrowserWindow.getAllWindows()[0]);
    }, title);
  await choose('Settings');
  await until('settings are open', () => readPlace(page.url()) === '/?tab=settings');
  await choose('New chat');
  await until('a new chat is open', () => readPlace(page.url()) === '/?tab=forgeStudio&chat=new');
  await choose('Back');
  await until('settings are open again', () => readPlace(page.url()) === '/?tab=settings');
  await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
  await quit();
});

test('closing the window quits the program and leaves no process', async () => {
  const { app } = await startProgram({ dataDir: newDataDir() });
  const family = familyOf(app.process().pid ?? 0);
  expect(family.length).toBeGreaterThan(3);
  const at = performance.now();
  await app.evaluate(({ BrowserWindow }) => {
    setTimeout(() => BrowserWindow.getAllWindows()[0]?.close(), 0);
  });
  await until('no process is left', () => stillRunning(family).length === 0);
  expect(performance.now() - at).toBeLessThan(5000);
});

test('SIGTERM quits within 5 s and leaves no process', async () => {
  const dataDir = newDataDir();
  const child = spawnProgram({ dataDir });
  const ended = new Promise<number | null>((done) => child.on('exit', done));
  await until('the helpers run', () => familyOf(child.pid ?? 0).length >= 5);
  expect((await runProgram({ dataDir })).code).toBe(0);
  const family = familyOf(child.pid ?? 0);
  const at = performance.now();
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  await until('no process is left', () => stillRunning(family).length === 0);
  expect(performance.now() - at).toBeLessThan(5000);
});

test('asked to quit while its window loads, the program ends without a word', async () => {
  const dataDir = newDataDir();
  const preload = join(dataDir, 'quit-early.cjs');
  writeFileSync(
    preload,
    `const { app, dialog } = require('electron');
    dialog.showErrorBox = (title, words) => process.stderr.write('dialog: ' + title + ': ' + words + '\\n');
    app.once('web-contents-created', (_, page) => page.once('did-start-navigation', () => app.quit()));`,
  );
  const run = await runProgram({ dataDir }, preload);
  expect(run.stderr).not.toContain('dialog:');
  expect(run.code).toBe(0);
});

test('a start that cannot succeed says why in one dialog and ends with exit code 1', async () => {
  const dataDir = newDataDir();
  // A dialog waits for a person: the program's own call is taken down in words instead.
  const dialogs = join(dataDir, 'dialogs.cjs');
  writeFileSync(
    dialogs,
    `require('electron').dialog.showErrorBox = (title, words) => process.stderr.write('dialog: ' + title + ': ' + words + '\\n');`,
  );
  const refused = await runProgram({ dataDir, env: { CONSOLE_LOCAL_OPERATOR: 'perhaps' } }, dialogs);
  expect(refused.stderr).toMatch(/dialog: Operator Console could not start: CONSOLE_LOCAL_OPERATOR/);
  expect(refused.code).toBe(1);

  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => other.once('listening', listening));
  const address = other.address();
  const listen = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const taken = await runProgram({ dataDir, env: { CONSOLE_LISTEN: listen } }, dialogs);
  other.close();
  expect(taken.stderr).toContain(`${listen} is in use by another program`);
  expect(taken.code).toBe(1);
});
