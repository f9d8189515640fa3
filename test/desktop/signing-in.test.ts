import { expect, test } from 'vitest';
import { newDataDir, startProgram } from './desktop-program.ts';
import { openStudio } from './open-studio.ts';

const asOperator = { authed: true, email: 'operator@console.localhost' };

test("the window opens on the console's own loopback origin, signed in as the local operator without a token in the URL", async () => {
  const { page, app, origin, quit } = await startProgram({ dataDir: newDataDir() });
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(page.url()).not.toMatch(/token|session/);
  expect(await page.evaluate(() => fetch('/api/me').then((answer) => answer.json()))).toMatchObject(
    asOperator,
  );
  const visible = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((w) => w.isVisible()),
  );
  expect(visible).toEqual([true]);
  await quit();
});

test('after signing out the sign-in page appears, and a name and password sign in again', async () => {
  const password = 'correct horse battery staple';
  const { page, quit } = await startProgram({
    dataDir: newDataDir(),
    env: { CONSOLE_ADMIN_PASSWORD: password },
  });
  await page.evaluate(() => fetch('/auth/logout', { method: 'POST' }));
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.locator('input[name=username]').fill('operator@console.localhost');
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await openStudio(page);
  expect(await page.evaluate(() => fetch('/api/me').then((answer) => answer.json()))).toMatchObject(
    asOperator,
  );
  await quit();
});

test('a window whose session has ended is signed in again with one click, at the address it was, and no session is left over', async () => {
  const { page, origin, quit } = await startProgram({ dataDir: newDataDir() });
  await page.goto(`${origin}/?tab=settings&section=sessions`);
  await page.getByRole('table', { name: 'Open sessions' }).waitFor();
  await page.evaluate(() =>
    fetch('/api/sessions/revoke-all', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ subject: 'operator@console.localhost' }),
    }),
  );
  // At once, instead of when the page next reads something.
  await page.reload();
  await page.getByRole('link', { name: 'Sign in as the local operator' }).click();
  await page.getByRole('table', { name: 'Open sessions' }).waitFor();
  expect(page.url()).toContain('tab=settings&section=sessions');
  const sessions = await page.evaluate(() => fetch('/api/sessions').then((answer) => answer.json()));
  expect(sessions).toMatchObject({ items: [{ current: true, method: 'desktop' }] });
  await quit();
});

test('with the local operator off the window opens on the sign-in page', async () => {
  const { page, origin, quit } = await startProgram({
    dataDir: newDataDir(),
    env: { CONSOLE_LOCAL_OPERATOR: 'off', CONSOLE_ADMIN_PASSWORD: 'a password' },
  });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.goto(`${origin}/auth/desktop`);
  await page.waitForURL((url) => url.pathname === '/');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.getByText('local operator').count()).toBe(0);
  expect(await page.evaluate(() => fetch('/api/me').then((answer) => answer.json()))).toMatchObject({
    authed: false,
  });
  await quit();
});

test("quitting ends the window's session on the console", async () => {
  const dataDir = newDataDir();
  const first = await startProgram({ dataDir });
  await first.quit();
  const { page, quit } = await startProgram({ dataDir });
  const sessions = await page.evaluate(() => fetch('/api/sessions').then((answer) => answer.json()));
  // The first window's would be listed as well if it still were one.
  expect(sessions).toMatchObject({ items: [{ current: true, method: 'desktop' }] });
  await quit();
});
