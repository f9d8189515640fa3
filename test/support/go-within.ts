import type { Page } from 'playwright-core';

/** Goes to another address as Back and Forward do: the app, once loaded, stays. */
export async function goWithin(page: Page, address: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}
