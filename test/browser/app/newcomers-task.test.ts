import { exec, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';

// A newcomer's task, with the sandbox as it is and nothing answered in its place: find why a cockpit does not start, put it right, see
// it healthy. Everything that is known comes from the app. What it says to run is copied there, and run as a person pastes it.

const noKubectl =
  spawnSync('kubectl', ['version', '--client']).status === 0 ? undefined : 'there is no kubectl here';
const here = chromiumPath === undefined ? noChromium : noKubectl;

const broken = 'The cockpit birch-cockpit: EMBEDDING_FORMAT is invalid';

const attention = (page: Page) => page.getByRole('region', { name: 'Needs attention now' });
const findings = (page: Page) => page.getByRole('navigation', { name: 'Findings' });
const finding = (page: Page) => page.getByRole('article', { name: broken });
const fix = (page: Page) => finding(page).getByRole('region', { name: 'Fix' });
const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true });

describe.skipIf(here !== undefined)(`a newcomer with the sandbox (${here ?? 'Chromium and kubectl'})`, () => {
  let session: BrowserSession;
  let home: string;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'newcomer-'));
    session = await startBrowserSession();
  });
  afterAll(async () => {
    await session?.close();
    rmSync(home, { recursive: true, force: true });
  });

  /** Pastes lines into a shell of somebody without settings of their own; what was printed. `editor` changes the file it is given. */
  const paste = (lines: readonly string[], editor = 'false'): Promise<string> =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH, HOME: home, KUBE_EDITOR: editor };
      exec(lines.join('\n'), { env, timeout: 30_000 }, (_failed, out, error) => resolve(out + error));
    });

  /** An editor in which a person replaces a line of their file by another, and saves it. */
  const typing = (line: string, by: string): string => {
    const program = join(home, 'editor.mjs');
    writeFileSync(
      program,
      `import { readFileSync, writeFileSync } from 'node:fs';
const file = process.argv.at(-1);
const lines = readFileSync(file, 'utf8').split('\\n');
writeFileSync(file, lines.map((each) => (each.trim() === ${JSON.stringify(line)} ? each.replace(/\\S.*/, ${JSON.stringify(by)}) : each)).join('\\n'));
`,
    );
    return `'${process.execPath}' '${program}'`;
  };

  /** What the button beside a command puts into the clipboard. */
  const copied = async (page: Page, context: BrowserContext, nth: number): Promise<string> => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await fix(page).getByRole('button', { name: 'Copy the command' }).nth(nth).click();
    return page.evaluate('navigator.clipboard.readText()');
  };

  it('finds why a cockpit does not start, puts it right with what the app says, and sees it healthy', async () => {
    const { page, context, complaints } = await session.open('/');

    await menu(page, 'Overview').click();
    // What needs a person? The overview says it by its cause, once the sandbox was diagnosed behind it.
    const link = page.getByRole('link', { name: new RegExp(broken) });
    const matter = attention(page).getByRole('link', { name: new RegExp(broken) });
    // A diagnosis that takes longer than the list waits for is shown when asked.
    const show = page.getByRole('button', { name: 'Show its findings' });
    await matter.or(show).first().waitFor();
    if (await show.isVisible()) await show.click();
    const row = attention(page).getByRole('listitem').filter({ has: link });
    await row.getByText('ClientInstance birch-cockpit is failing').waitFor();
    await row.getByText('See the fix').waitFor();
    await expectSound(page, complaints);
    await matter.click();

    // Why? The line that its own log ends with, and the setting that is wrong.
    await finding(page).getByRole('heading', { name: broken }).waitFor();
    const evidence = finding(page).getByRole('region', { name: 'Evidence' });
    await evidence
      .getByText('unknown embedding format: EMBEDDING_FORMAT must be qwen3-embedding, nomic-v1.5 or raw.')
      .first()
      .waitFor();
    await evidence.getByText('EMBEDDING_FORMAT=nomic').waitFor();
    await finding(page).getByText('nomic-v1.5 for nomic-embed-text').waitFor();
    await findings(page).getByRole('link', { name: broken }).waitFor();
    await expectSound(page, complaints);

    // What to do? First look, as the first step says.
    const shell = [await copied(page, context, 0)];
    const look = await copied(page, context, 1);
    expect(look).toBe('kubectl --context sandbox -n tenant-birch set env Deployment/birch-cockpit --list');
    expect(await paste([...shell, look])).toContain(
      'EMBEDDING_MODEL=nomic-embed-text\nEMBEDDING_FORMAT=nomic\n',
    );

    // Then change the one word.
    const edit = await copied(page, context, 2);
    expect(edit).toBe('kubectl --context sandbox -n tenant-birch edit clientinstance/birch-cockpit');
    expect(await paste([...shell, edit], typing('value: nomic', 'value: nomic-v1.5'))).toBe(
      'clientinstance.platform.dev/birch-cockpit edited\n',
    );
    const wait = await copied(page, context, 3);
    expect(await paste([...shell, wait])).toContain('deployment "birch-cockpit" successfully rolled out');

    // Is it healthy? Its page says so, by the answers of the backend itself.
    await menu(page, 'Control planes').click();
    await page
      .getByRole('link', { name: /birch-cockpit/ })
      .first()
      .click();
    const plane = page.getByRole('region', { name: 'The open control plane' });
    await plane.getByRole('heading', { name: 'birch-cockpit' }).waitFor();
    await plane.getByText('Healthy').first().waitFor();
    await plane
      .getByRole('region', { name: '/readyz' })
      .getByRole('row', { name: /^mesh_identity Passes/ })
      .waitFor();
    await expectSound(page, complaints);

    // And the diagnosis? It is not found again.
    await menu(page, 'Troubleshoot').click();
    await page.getByRole('button', { name: /^Diagnose again/ }).click();
    await page.getByRole('button', { name: '1 gone' }).click();
    const gone = findings(page).getByRole('region', { name: 'Not found again' });
    await gone.getByRole('link', { name: broken }).click();
    await finding(page).getByText('it was fixed, or its object is gone').waitFor();
    await expectSound(page, complaints);

    await menu(page, 'Overview').click();
    await attention(page).getByRole('link').first().waitFor();
    expect(await attention(page).getByText('birch-cockpit').count()).toBe(0);
    await context.close();
  }, 150_000);
});
