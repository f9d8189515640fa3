// bench: each page of a window at 10,000 pods: time from navigation to its first useful content, first visit and again (2 minutes); needs a build
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { tabs } from '../../src-renderer/core/tabs.ts';
import { launchChromium } from '../support/chromium.ts';
import { repoRoot } from '../support/repo-root.ts';
import { startConsole } from './cluster/console.ts';
import { startApi } from './cluster/start-api.ts';
import { createRows, ms } from './rows.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '500' },
    pods: { type: 'string', default: '10000' },
    events: { type: 'string', default: '20000' },
    namespaces: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '5' },
    program: { type: 'string', default: join(repoRoot, 'out/main/cli.js') },
  },
});

/** A visit of a page: milliseconds to its first useful content, and processor time of the window's main thread and of the console. */
type Visit = { readonly ms: number; readonly windowMs: number; readonly consoleMs: number };

/** Milliseconds from navigation to the first useful content. */
const budget = 300;

/** Gives up on a page after so many milliseconds. */
const longest = 20_000;

const protocols = new WeakMap<Page, CDPSession>();
const { row, allHold } = createRows();
const folder = mkdtempSync(join(tmpdir(), 'bench-pages-'));
const api = await startApi({
  nodes: Number(values.nodes),
  pods: Number(values.pods),
  events: Number(values.events),
  namespaces: Number(values.namespaces),
});
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(kubeconfig, api.kubeconfig);
const console_ = await startConsole(values.program, folder, kubeconfig);
const browser = await launchChromium();
try {
  // A warm console: all of it was read, and each page was asked for once.
  const warming = await signedIn(await browser.newContext());
  for (const { tab, title } of tabs) await go(warming, tab, title);
  for (let pending = true; pending; )
    ({ pending } = (await console_.get<{ readonly pending: boolean }>('/api/search?q=a')).body);
  await warming.context().close();

  const page = await signedIn(await browser.newContext());
  const first = new Map<string, Visit>();
  for (const { tab, title } of tabs) first.set(tab, await go(page, tab, title));
  const again = new Map<string, Visit[]>(tabs.map(({ tab }) => [tab, []]));
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const { tab, title } of tabs) again.get(tab)?.push(await go(page, tab, title));
  for (const { tab, title } of tabs) {
    const visit = first.get(tab);
    if (visit !== undefined) print(`${title}: first visit`, visit);
    const later = (again.get(tab) ?? []).toSorted((one, other) => other.ms - one.ms)[0];
    if (later !== undefined) print(`${title}: again, slowest of ${values.rounds}`, later);
  }
} finally {
  await browser.close();
  await console_.stop();
  api.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = allHold() ? 0 : 1;

function print(name: string, { ms: took, windowMs, consoleMs }: Visit): void {
  const cpu = `${Math.round(windowMs)} + ${consoleMs}`;
  row(`${name} (CPU ${cpu} ms)`, ms(took), ms(budget), took <= budget);
}

/** A window on the console, its first page read. */
async function signedIn(context: BrowserContext): Promise<Page> {
  const [name = '', value = ''] = console_.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: console_.url }]);
  const page = await context.newPage();
  await page.goto(`${console_.url}/?tab=settings`);
  await page.locator('main h1').waitFor();
  // Search and the list of keys are loaded ahead of need meanwhile.
  await page.waitForTimeout(3000);
  return page;
}

/** Goes to a page as its entry of the rail does, and waits until it shows more than skeletons. */
async function go(page: Page, tab: string, title: string): Promise<Visit> {
  const before = { window: await mainThreadMs(page), console: console_.usage().cpuMs };
  const took = await page.evaluate<number>(`new Promise((resolve) => {
    const from = performance.now();
    history.pushState(null, '', '/?tab=${tab}');
    dispatchEvent(new PopStateEvent('popstate'));
    const look = () => {
      const main = document.querySelector('main');
      const isUseful = main.querySelector('h1')?.textContent === ${JSON.stringify(title)} &&
        main.querySelector(':scope > [class*=_waiting_], [class*=_waiting_][data-board]') === null;
      const passed = performance.now() - from;
      if (isUseful || passed > ${longest}) resolve(passed);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`);
  const visit = {
    ms: took,
    windowMs: (await mainThreadMs(page)) - before.window,
    consoleMs: console_.usage().cpuMs - before.console,
  };
  // What it goes on to read is not the next page's.
  await page.waitForTimeout(400);
  return visit;
}

/** Milliseconds of processor time that the window's main thread has used, which other programs' load does not lengthen. */
async function mainThreadMs(page: Page): Promise<number> {
  let protocol = protocols.get(page);
  if (protocol === undefined) {
    protocol = await page.context().newCDPSession(page);
    await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
    protocols.set(page, protocol);
  }
  const { metrics } = await protocol.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}
