import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeActs } from '../browser/answers/audit-records.ts';
import { screenshot, startBrowserSession } from './browser-session.ts';
import { repoRoot } from './repo-root.ts';
import { sendBrief, studioFrame } from './studio-frame.ts';

// Every page in both themes, four sizes and at 200 % zoom, into the git-ignored test/screenshots; and the README's picture.
// node test/support/screenshots.ts [--pages=overview,runs] [--themes=dark] [--sizes=900x800,zoom] makes only those.

const { values: only } = parseArgs({
  options: { pages: { type: 'string' }, themes: { type: 'string' }, sizes: { type: 'string' } },
});
const isWanted = (list: string | undefined, name: string) =>
  list === undefined || list.split(',').includes(name);

/** Sizes of the window. At 200 % zoom a window of 1280 by 800 has half as many pixels. */
const sizes = [
  ['900x800', 900, 800],
  ['1280x800', 1280, 800],
  ['1920x1080', 1920, 1080],
  ['zoom', 640, 400],
] as const;

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
  { name: 'billing', address: '/?tab=billing', shows: 'Invoices' },
  { name: 'sign-up', address: '/?tab=signUp', shows: 'Sign up' },
  { name: 'access', address: '/?tab=access', shows: 'Who may do what' },
  { name: 'overview', address: '/?tab=overview', shows: 'need attention' },
  { name: 'control-planes', address: '/?tab=controlPlanes', shows: 'Control planes' },
  { name: 'namespaces', address: '/?tab=namespaces', shows: 'Namespaces' },
  { name: 'nodes', address: '/?tab=nodes', shows: 'Nodes' },
  { name: 'services', address: '/?tab=services', shows: 'Services' },
  { name: 'objects', address: '/?tab=objects&kind=deployments.apps', shows: 'Up-to-date' },
  { name: 'edge-routes', address: '/?tab=routes', shows: 'Routes' },
  { name: 'pod-logs', address: '/?tab=logs', shows: 'Logs' },
  { name: 'troubleshoot', address: '/?tab=troubleshoot', shows: 'Evidence' },
  {
    name: 'troubleshoot-catalogue',
    address: '/?tab=troubleshoot&panel=catalogue',
    shows: 'How it is detected',
  },
  { name: 'security', address: '/?tab=security', shows: 'Certificates' },
  { name: 'doctor', address: '/?tab=doctor', shows: 'Doctor' },
  { name: 'roster', address: '/?tab=agents', shows: 'Agents' },
  { name: 'schedules', address: '/?tab=schedules', shows: 'Schedules' },
  { name: 'inference', address: '/?tab=inference', shows: 'Inference' },
  { name: 'models', address: '/?tab=models', shows: 'Models' },
  { name: 'finops', address: '/?tab=finops', shows: 'FinOps' },
  { name: 'workspace', address: '/?tab=workspace', shows: 'Workspace' },
  { name: 'connections', address: '/?tab=connections', shows: 'Connections' },
  { name: 'runners', address: '/?tab=runners', shows: 'Runners' },
  { name: 'data-lineage', address: '/?tab=dataLineage', shows: 'Data lineage' },
  { name: 'domains', address: '/?tab=domains', shows: 'Domains' },
  { name: 'governance', address: '/?tab=governance', shows: 'Governance' },
  { name: 'harness', address: '/?tab=harness', shows: 'Next step' },
  { name: 'guardrails', address: '/?tab=guardrails', shows: 'Classes of acts' },
  { name: 'measures', address: '/?tab=measures', shows: 'Categories' },
  { name: 'compliance', address: '/?tab=compliance', shows: 'Access control' },
  { name: 'maturity', address: '/?tab=maturity', shows: 'Composite' },
  { name: 'rules', address: '/?tab=rules', shows: 'Declared' },
  { name: 'judgement', address: '/?tab=judgement', shows: 'Nothing was submitted' },
  { name: 'swarm', address: '/?tab=swarm', shows: 'By name' },
  { name: 'playbooks', address: '/?tab=playbooks', shows: 'Roll out a fix and verify' },
  { name: 'audit', address: '/?tab=audit', shows: 'agent-239' },
  { name: 'audit-record', address: '/?tab=audit&record=239', shows: 'Place in the chain' },
] as const;

for (const brief of isWanted(only.pages, 'studio') ? briefs : []) {
  const { page, context } = await session.open('/?tab=forgeStudio&chat=new');
  await sendBrief(await studioFrame(page), brief);
  await page.waitForURL(/[?&]chat=c-/);
  await page.waitForTimeout(2500);
  await context.close();
}

for (const theme of (['light', 'dark'] as const).filter((name) => isWanted(only.themes, name))) {
  for (const [sizeName, width, height] of sizes.filter(([name]) => isWanted(only.sizes, name))) {
    const size = `${theme}-${sizeName}`;
    const { page, context } = await session.open('/?tab=overview', { theme, width, height });
    if (isWanted(only.pages, 'studio')) {
      await page.goto(`${session.console.url}/?tab=forgeStudio`);
      await page
        .getByText(/^Match supplier invoices/)
        .first()
        .click();
      await studioFrame(page);
      await page.waitForTimeout(800);
      await screenshot(page, `studio-${size}`);
    }
    if (isWanted(only.pages, 'palette')) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await screenshot(page, `palette-${size}`);
    }
    for (const { name, address, shows } of opened.filter((shown) => isWanted(only.pages, shown.name))) {
      await page.goto(`${session.console.url}${address}`);
      await page.getByText(shows).first().waitFor({ state: 'attached' });
      await page.waitForTimeout(500);
      await screenshot(page, `${name}-${size}`);
    }
    await context.close();
    if (!isWanted(only.pages, 'sign-in')) continue;
    const out = await session.open('/', { theme, width, height, signedIn: false });
    await out.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await screenshot(out.page, `sign-in-${size}`);
    await out.context.close();
  }
}
await session.close();
rmSync(folder, { recursive: true, force: true });

const picture = join(repoRoot, 'test/screenshots/overview-dark-1280x800.png');
if (isWanted(only.pages, 'overview') && isWanted(only.themes, 'dark') && isWanted(only.sizes, '1280x800')) {
  mkdirSync(join(repoRoot, 'docs/images'), { recursive: true });
  copyFileSync(picture, join(repoRoot, 'docs/images/overview.png'));
}
