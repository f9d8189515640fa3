import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageTitles } from '#shared/page-titles.ts';
import { bundleOf } from '../support/tar-bytes.ts';
import { type DesktopProgram, newDataDir, runProgram, startProgram, until } from './desktop-program.ts';

const files = {
  'support/cluster-resources/namespaces.json': {
    kind: 'NamespaceList',
    apiVersion: 'v1',
    items: [{ metadata: { name: 'shop' } }],
  },
  'support/cluster-resources/pods/shop.json': { kind: 'PodList', apiVersion: 'v1', items: [] },
};

let program: DesktopProgram;
/** A name that is markup, a switch and a path at once, where it is not taken as a name. */
const hostileName = '--x "><img src=x onerror=document.title=1>.tar.gz';

beforeAll(async () => {
  const dataDir = newDataDir();
  const file = join(dataDir, 'given.tar.gz');
  writeFileSync(file, bundleOf(files));
  program = await startProgram({ dataDir, args: [file] });
});

afterAll(() => program?.quit());

const targetOf = (): string => new URL(program.page.url()).searchParams.get('target') ?? '';

const menuLabels = () =>
  program.app.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? []).flatMap(({ label, submenu }) =>
      (submenu?.items ?? []).map((item) => `${label}/${item.label}`.replaceAll('&', '')),
    ),
  );

const choose = (title: string) =>
  program.app.evaluate(({ BrowserWindow, Menu }, label) => {
    const items = Menu.getApplicationMenu()?.items.flatMap((menu) => menu.submenu?.items ?? []);
    items
      ?.find((item) => item.label.replace('&', '') === label)
      ?.click(undefined, BrowserWindow.getAllWindows()[0]);
  }, title);

test('a bundle that the file manager gives is opened, and its diagnosis shown', async () => {
  await until('the diagnosis of the bundle is open', () => targetOf().startsWith('bundle:'), 20_000);
  expect(new URL(program.page.url()).searchParams.get('tab')).toBe('troubleshoot');
  await program.page.getByRole('button', { name: /^Target: given\.tar\.gz/ }).waitFor();
});

test('a bundle that a second start gives is opened in the running window; a hostile file name is text', async () => {
  const first = targetOf();
  const file = join(program.dataDir, hostileName);
  writeFileSync(file, bundleOf(files));
  expect((await runProgram({ dataDir: program.dataDir, args: [file] })).code).toBe(0);
  await until('the second bundle is open', () => targetOf() !== first && targetOf() !== '', 20_000);
  await program.page.getByRole('button', { name: /^Target: --x/ }).waitFor();
  expect(await program.page.title()).not.toBe('1');
  expect(await program.page.locator('img[src="x"]').count()).toBe(0);
});

test('a file that is no bundle, and one that is not there, open nothing', async () => {
  const before = program.page.url();
  await program.app.evaluate(({ dialog }) => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    dialog.showErrorBox = (title) => void told.push(title);
  });
  const file = join(program.dataDir, 'no-bundle.tar.gz');
  writeFileSync(file, 'no bundle at all');
  await runProgram({ dataDir: program.dataDir, args: [file] });
  await runProgram({ dataDir: program.dataDir, args: [join(program.dataDir, 'gone.tar.gz')] });
  await until('the person is told', async () =>
    program.app.evaluate(() => (globalThis as { told?: string[] }).told?.length === 1),
  );
  expect(await program.app.evaluate(() => (globalThis as { told?: string[] }).told)).toEqual([
    'no-bundle.tar.gz was not opened',
  ]);
  expect(program.page.url()).toBe(before);
});

test('the menu has every page, and what a desktop program has', async () => {
  const labels = await menuLabels();
  for (const title of Object.values(pageTitles)) expect(labels).toContain(`Go/${title}`);
  for (const label of [
    'File/New window',
    'File/Open bundle…',
    'File/Print…',
    'Help/Check for updates…',
    'Help/Show log',
    'Help/Copy diagnostics',
  ])
    expect(labels).toContain(label);
  await choose('Nodes');
  await until('nodes are open', () => new URL(program.page.url()).searchParams.get('tab') === 'nodes');
});

test('each window has its own target, and the program ends with the last one', async () => {
  await until('the window has its target', () => targetOf().startsWith('bundle:'));
  const before = targetOf();
  const opening = program.app.waitForEvent('window');
  await choose('New window');
  const second = await opening;
  await second.waitForURL(`${program.origin}/**`);
  await second.getByRole('button', { name: /^Target:/ }).waitFor();
  expect(targetOf()).toBe(before);
  expect(new URL(second.url()).searchParams.get('target')).not.toBe(before);
  // As a person closes it: one that its page closed would be opened again.
  await program.app.evaluate(({ BrowserWindow }, url) => {
    for (const window of BrowserWindow.getAllWindows())
      if (window.webContents.getURL() === url) window.close();
  }, second.url());
  const windows = () => program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  await until('one window is left', async () => (await windows()) === 1);
});
