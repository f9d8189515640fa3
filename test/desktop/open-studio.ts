import type { Page } from 'playwright-core';

/** Opens the studio's page from the rail, as a person does, and waits for its frame. */
export async function openStudio(page: Page): Promise<void> {
  await page.locator('nav[aria-label="Console"] a[aria-label="Studio"]').click();
  await page.locator('iframe[title*="Studio" i]').waitFor();
}
