import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DesktopProgram, newDataDir, startProgram, until } from './desktop-program.ts';
import { openStudio } from './open-studio.ts';

const screenshot = join(import.meta.dirname, '../screenshots/desktop-studio.png');
const prompt = 'Match incoming invoices to purchase orders by supplier and amount.';
let program: DesktopProgram;

beforeAll(async () => {
  program = await startProgram({ dataDir: newDataDir() });
});

afterAll(() => program?.quit());

test('a studio answer streams into the frame: its text grows, then it is whole', async () => {
  const { page, origin } = program;
  const frame = await studioFrame(page);
  expect(new URL(frame.url()).origin).toBe(origin);
  expect(new URL(frame.url()).pathname).toBe('/studio/');
  await frame.getByRole('textbox').fill(prompt);
  await frame.getByRole('textbox').press('Enter');

  const log = frame.getByRole('log');
  const lengths: number[] = [];
  await until(
    'the answer is whole',
    async () => {
      const answer = log.getByRole('article', { name: /^Studio/ });
      const length = (await answer.count()) === 0 ? 0 : ((await answer.last().textContent())?.length ?? 0);
      if (length !== lengths.at(-1)) lengths.push(length);
      return length > 0 && (await log.getAttribute('aria-busy')) === 'false';
    },
    30_000,
  );
  // Seen at several lengths while it was written: the proxy passes each message on as it comes.
  expect(lengths.length).toBeGreaterThan(4);
  expect(await log.getByText(prompt).count()).toBe(1);
  expect(await log.getByText('Ended early').count()).toBe(0);
});

test("the rail has the code host's apps with their live states, read by the program itself", async () => {
  const rail = program.page.getByRole('region', { name: 'Chats and apps' });
  await rail.getByText('tide-tables').waitFor();
  await until('a state is read', async () => (await rail.getByText('Live', { exact: true }).count()) > 0);
});

test("a run's log is read, unzipped and shown", async () => {
  const read = (address: string): Promise<string> =>
    program.page.evaluate(`fetch(${JSON.stringify(address)}).then((answer) => answer.text())`);
  const { items } = JSON.parse(await read('/api/runs?kind=workflow&state=failure&limit=1')) as {
    items: { repo: string; run_id: number }[];
  };
  const [failed] = items;
  expect(failed).toBeDefined();
  const log = await read(`/api/agent-runs/logs?repo=${failed?.repo}&run_id=${failed?.run_id}`);
  expect(log).toMatch(/^==> 0_.+ <==\n/);
});

test('a screenshot of the window with the answer is saved', async () => {
  mkdirSync(join(screenshot, '..'), { recursive: true });
  await program.page.screenshot({ path: screenshot });
  expect(statSync(screenshot).size).toBeGreaterThan(20_000);
});

/** The studio's page inside the console's. */
async function studioFrame(page: Page): Promise<Frame> {
  await openStudio(page);
  const element = await page.waitForSelector('iframe[title*="Studio" i]');
  const frame = await element.contentFrame();
  if (frame === null) throw new Error('the studio frame has no page');
  await frame.waitForLoadState('load');
  return frame;
}
