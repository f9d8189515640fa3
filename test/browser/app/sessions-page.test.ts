import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole } from '../../../src-main/start/start-console.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';

const operator = 'operator@console.localhost';
const lena = 'lena@northgate.example';
const sessions = '/?tab=settings&section=sessions';

describe.skipIf(chromiumPath === undefined)(
  `sessions in the settings (${chromiumPath ?? noChromium})`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'sessions-page-'));
    let session: BrowserSession;
    const lenasTokens: string[] = [];
    beforeAll(async () => {
      // The same store under another operator: her sessions stay open in it.
      const lenas = await startConsole({
        env: { CONSOLE_DATA_DIR: folder, CONSOLE_ADMIN_EMAIL: lena, CONSOLE_LOG_LEVEL: 'silent' },
        sandbox: false,
      });
      for (let count = 0; count < 3; count += 1)
        lenasTokens.push((await lenas.startOperatorSession())?.token ?? '');
      await lenas.close();
      session = await startBrowserSession(
        { CONSOLE_DATA_DIR: folder, CONSOLE_SESSION_ADMINS: operator },
        false,
      );
    });
    afterAll(async () => {
      await session?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const statuses = (): Promise<number[]> =>
      Promise.all(
        lenasTokens.map(async (token) => {
          const headers = { Cookie: `console_session=${token}` };
          return (await fetch(`${session.console.url}/api/sessions`, { headers })).status;
        }),
      );

    it('is free of accessibility faults and console errors in both themes', async () => {
      const { page, context, complaints } = await session.open(sessions);
      await page.getByRole('table', { name: `Open sessions of ${lena}` }).waitFor();
      await expectSound(page, complaints);
      await context.close();
    });

    it('ends one session of somebody else after asking, then all of them, at once', async () => {
      expect(await statuses()).toEqual([200, 200, 200]);
      const { page, context } = await session.open(sessions);
      const hers = page.getByRole('region', { name: `Sessions of ${lena}` });
      await hers
        .getByRole('button', { name: /^End the session on/ })
        .first()
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await statuses()).toEqual([200, 200, 200]);
      await hers
        .getByRole('button', { name: /^End the session on/ })
        .first()
        .click();
      await dialog.getByRole('button', { name: 'End the session' }).click();
      await hers
        .getByRole('button', { name: `End all 2 sessions of ${lena}` })
        .getByText('End all 2')
        .waitFor();
      expect((await statuses()).sort()).toEqual([200, 200, 401]);
      await hers.getByRole('button', { name: `End all 2 sessions of ${lena}` }).click();
      await dialog.getByRole('button', { name: 'End all sessions' }).click();
      await page.getByText('Nobody else is signed in.').waitFor();
      expect(await statuses()).toEqual([401, 401, 401]);
      await context.close();
    });
  },
);

describe.skipIf(chromiumPath === undefined)(
  `sessions for who is no session admin (${chromiumPath ?? noChromium})`,
  () => {
    it('are their own only, and nothing is asked about other people’s', async () => {
      const session = await startBrowserSession({ CONSOLE_SESSION_ADMINS: lena }, false);
      try {
        const { page, complaints } = await session.blank();
        const asked: string[] = [];
        page.on('request', (request) => asked.push(new URL(request.url()).pathname));
        await page.goto(`${session.console.url}${sessions}`);
        await page.getByRole('table', { name: 'Your open sessions' }).waitFor();
        await page.waitForLoadState('networkidle');
        expect(asked).toContain('/api/access');
        expect(asked).not.toContain('/api/sessions/everyone');
        expect(complaints).toEqual([]);
      } finally {
        await session.close();
      }
    });
  },
);
