import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleOf } from '../support/tar-bytes.ts';
import { type DesktopProgram, newDataDir, startProgram } from './desktop-program.ts';
import { openStudio } from './open-studio.ts';

const seenAlive = new Date(Date.now() - 3 * 86_400_000).toISOString();
const files = {
  'support/cluster-resources/namespaces.json': {
    kind: 'NamespaceList',
    apiVersion: 'v1',
    items: [{ metadata: { name: 'shop' } }],
  },
  'support/cluster-resources/nodes.json': {
    kind: 'NodeList',
    apiVersion: 'v1',
    items: [
      {
        metadata: { name: 'worker-1' },
        status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: seenAlive }] },
      },
    ],
  },
  'support/cluster-resources/pods/shop.json': { kind: 'PodList', apiVersion: 'v1', items: [] },
};

let program: DesktopProgram;
let file: string;

beforeEach(async () => {
  const dataDir = newDataDir();
  file = join(dataDir, 'support.tar.gz');
  writeFileSync(file, bundleOf(files));
  program = await startProgram({ dataDir });
});

afterEach(() => program?.quit());

test('a bundle that is dropped on the window, above the studio, is opened, and cluster pages are read from it', async () => {
  const { page } = program;
  await openStudio(page);
  await page.frameLocator('iframe[title="Studio"]').getByRole('textbox').waitFor();
  await dropOnWindow(page, file);
  await isReadFromTheBundle(page);
});

test('a bundle that is chosen in the file dialog is opened, and closing it gives the window its cluster back', async () => {
  const { page, origin } = program;
  await page.goto(`${origin}/?tab=settings`);
  await page.getByRole('heading', { name: 'Appearance' }).waitFor();
  await page.getByRole('button', { name: /^Target:/ }).click();
  await page.getByRole('button', { name: /^Open a bundle/ }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Drop a bundle here, or choose a file/ }).click();
  await (await choosing).setFiles(file);
  await isReadFromTheBundle(page);
  await page.getByRole('button', { name: /^Target: support\.tar\.gz/ }).click();
  await page.getByRole('button', { name: 'Close support.tar.gz' }).click();
  await expect.poll(() => page.getByText('Offline bundle.').count()).toBe(0);
});

test('a folder that is dropped cannot be handed over, and is opened by its path', async () => {
  const { page, origin, dataDir } = program;
  await page.goto(`${origin}/?tab=settings`);
  await page.getByRole('heading', { name: 'Appearance' }).waitFor();
  const folder = join(dataDir, 'collected');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  await dropOnWindow(page, folder);
  const dialog = page.getByRole('dialog', { name: 'Open a bundle' });
  await dialog.getByText('collected was not opened.').waitFor();
  await dialog.getByLabel('Or the path of a file or folder on this machine').fill(folder);
  await page.keyboard.press('Enter');
  await isReadFromTheBundle(page);
});

/**
 * Lets go of a file above the window, as the system's file manager does: it tells of the file again and again while it
 * is held, so that a frame still loading, or one that draws anew under the pointer, hears of it too.
 */
async function dropOnWindow(page: Page, path: string): Promise<void> {
  const system = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const tell = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    system.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
  const words = page.getByText('Drop the bundle to open it');
  await tell('dragEnter');
  await expect
    .poll(() => tell('dragOver').then(() => words.isVisible()), { interval: 50, timeout: 10_000 })
    .toBe(true);
  await tell('dragOver');
  await tell('drop');
  await words.waitFor({ state: 'detached' });
}

async function isReadFromTheBundle(page: Page): Promise<void> {
  const banner = page.getByRole('note').filter({ hasText: 'Offline bundle.' });
  await banner.getByText('3 d ago').waitFor();
  await page.getByRole('link', { name: 'Namespaces', exact: true }).click();
  await page.getByRole('table', { name: 'Namespaces' }).getByText('shop').waitFor();
  await banner.waitFor();
}
