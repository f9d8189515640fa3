import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeActs } from '../browser/answers/audit-records.ts';
import { screenshot, startBrowserSession } from './browser-session.ts';
import { repoRoot } from './repo-root.ts';
import { sendBrief, studioFrame } from './studio-frame.ts';

// Every page in both themes and two sizes, into the git-ignored test/screenshots; and the README's picture.

const briefs = [
  'Rename the intake form to "Berth request" and keep the old address working.',
  'Show tide tables for three harbours. The person picks a harbour and a week.',
  'Match supplier invoices to purchase orders by supplier and amount. Differences above 2 % go to a person.',
];
const folder = mkdtempSync(join(tmpdir(), 'screenshots-'));
await writeActs({ CONSOLE_DATA_DIR: folder }, 240);
const session = await startBrowserSession({
  CONSOLE_DATA_DIR: folder,
  CONSOLE_ADMIN_PASSWORD: 'only for pictures',
  CONSOLE_ADMIN_EMAIL: 'mira@northgate.example',
});

/** Pages that are pictured as they open, and what they show once they are read. */
const opened = [
  { name: 'settings', address: '/?tab=settings', shows: 'Appearance' },
  { name: 'settings-sessions', address: '/?tab=settings&section=sessions', shows: 'Other people’s sessions' },
  { name: 'settings-keys', address: '/?tab=settings&section=keys', shows: 'Storage' },
  { name: 'settings-configuration', address: '/?tab=settings&section=configuration', shows: 'Addresses' },
  { name: 'settings-code-host', address: '/?tab=settings&section=codeHost', shows: 'Permissions' },
  { name: 'gitops', address: '/?tab=gitops', shows: 'worst first' },
  { name: 'lineage', address: '/?tab=lineage', shows: 'Did this commit ship?' },
  { name: 'devex', address: '/?tab=devex', shows: 'Change failure rate' },
  { name: 'runs', address: '/?tab=runs', shows: 'Security review' },
  { name: 'reviews', address: '/?tab=reviews', shows: 'Findings' },
  { name: 'agent-config', address: '/?tab=agentConfig', shows: 'Bias rules' },
  { name: 'access', address: '/?tab=access', shows: 'Who may do what' },
  { name: 'overview', address: '/?tab=overview', shows: 'Needs attention' },
  { name: 'control-planes', address: '/?tab=controlPlanes', shows: 'Control planes' },
  { name: 'namespaces', address: '/?tab=namespaces', shows: 'Namespaces' },
  { name: 'nodes', address: '/?tab=nodes', shows: 'Nodes' },
  { name: 'services', address: '/?tab=services', shows: 'Services' },
  { name: 'edge-routes', address: '/?tab=routes', shows: 'Routes' },
  { name: 'pod-logs', address: '/?tab=logs', shows: 'Logs' },
  { name: 'troubleshoot', address: '/?tab=troubleshoot', shows: 'Evidence' },
  {
    name: 'troubleshoot-catalogue',
    address: '/?tab=troubleshoot&panel=catalogue',
    shows: 'How it is detected',
  },
  { name: 'security', address: '/?tab=security', shows: 'Security' },
  { name: 'doctor', address: '/?tab=doctor', shows: 'Doctor' },
  { name: 'roster', address: '/?tab=agents', shows: 'Agents' },
  { name: 'schedules', address: '/?tab=schedules', shows: 'Schedules' },
  { name: 'inference', address: '/?tab=inference', shows: 'Inference' },
  { name: 'models', address: '/?tab=models', shows: 'Models' },
  { name: 'finops', address: '/?tab=finops', shows: 'FinOps' },
  { name: 'audit', address: '/?tab=audit', shows: 'Armed agent-239.' },
  { name: 'audit-record', address: '/?tab=audit&record=239', shows: 'Place in the chain' },
] as const;

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
    for (const { name, address, shows } of opened) {
      await page.goto(`${session.console.url}${address}`);
      await page.getByText(shows).first().waitFor({ state: 'attached' });
      await page.waitForTimeout(500);
      await screenshot(page, `${name}-${size}`);
    }
    await context.close();
    const out = await session.open('/', { theme, width, height, signedIn: false });
    await out.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await screenshot(out.page, `sign-in-${size}`);
    await out.context.close();
  }
}
await session.close();
rmSync(folder, { recursive: true, force: true });

mkdirSync(join(repoRoot, 'docs/images'), { recursive: true });
copyFileSync(
  join(repoRoot, 'test/screenshots/overview-dark-1280x800.png'),
  join(repoRoot, 'docs/images/overview.png'),
);
