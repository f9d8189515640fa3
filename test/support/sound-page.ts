import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// What passed is neither listed nor carried over here, which would take as long again.
const allRules = { iframes: false, resultTypes: ['violations'] };
const colourRules = { ...allRules, runOnly: ['color-contrast', 'link-in-text-block'] };

/** Returns accessibility faults of the page and its frames, one line each (axe-core, all its rules). */
export async function axeViolations(page: Page, options: object = allRules): Promise<string[]> {
  const lines: string[] = [];
  for (const frame of page.frames()) {
    await frame.evaluate(axeSource);
    const violations = (await frame.evaluate(
      `axe.run(document, ${JSON.stringify(options)}).then((found) => found.violations)`,
    )) as { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
    for (const { id, nodes } of violations) {
      for (const node of nodes)
        lines.push(`${frame.url()} ${id}: ${node.target.join(' ')} ${node.failureSummary}`);
    }
  }
  return lines;
}

/**
 * Expects the page, as it is now, to be free of accessibility faults in the light and in the dark theme, of console
 * errors and of sideways overflow. The themes differ in colours alone: the second one is asked for those.
 */
export async function expectSound(page: Page, complaints: readonly string[]): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect
    .poll(() => page.locator('html').getAttribute('data-mantine-color-scheme'), { timeout: 10_000 })
    .toBe('dark');
  expect(await axeViolations(page, colourRules)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(complaints).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}
