import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { screenshot, startBrowserSession } from './browser-session.ts';
import { repoRoot } from './repo-root.ts';
import { sendBrief, studioFrame } from './studio-frame.ts';

// Every page in both themes and two sizes, into the git-ignored test/screenshots; and the README's picture.

const briefs = [
  'Rename the intake form to "Berth request" and keep the old address working.',
  'Show tide tables for three harbours. The person picks a harbour and a week.',
  'Match supplier invoices to purchase orders by supplier and amount. Differences above 2 % go to a person.',
];
const session = await startBrowserSession({
  CONSOLE_ADMIN_PASSWORD: 'only for pictures',
  CONSOLE_ADMIN_EMAIL: 'mira@northgate.example',
});

for (const brief of briefs) {
  const { page, context } = await session.open('/?tab=forgeStudio&chat=new');
  await sendBrief(await studioFrame(page), brief);
  await page.waitForURL(/[?&]chat=c-/);
  await page.waitForTimeout(2500);
  await context.close();
}

for (const theme of ['light', 'dark'] as const) {
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const) {
    const size = `${theme}-${width}x${height}`;
    const { page, context } = await session.open('/?tab=forgeStudio', { theme, width, height });
    await page
      .getByText(/^Match supplier invoices/)
      .first()
      .click();
    await studioFrame(page);
    await page.waitForTimeout(800);
    await screenshot(page, `studio-${size}`);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await screenshot(page, `palette-${size}`);
    await page.goto(`${session.console.url}/?tab=settings`);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.waitForTimeout(500);
    await screenshot(page, `settings-${size}`);
    await context.close();
    const out = await session.open('/', { theme, width, height, signedIn: false });
    await out.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await screenshot(out.page, `sign-in-${size}`);
    await out.context.close();
  }
}
await session.close();

mkdirSync(join(repoRoot, 'docs/images'), { recursive: true });
copyFileSync(
  join(repoRoot, 'test/screenshots/studio-dark-1280x800.png'),
  join(repoRoot, 'docs/images/studio.png'),
);
