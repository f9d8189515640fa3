import type { Page } from 'playwright-core';
import { intercept } from '../../support/intercepted-requests.ts';

/** Lets the console have no shared connection for events: then each stream is a request of its own, which a test answers. */
export async function withoutSharedEvents(page: Page): Promise<void> {
  // A test answers requests of a page, not those of a worker.
  await page.addInitScript('delete globalThis.SharedWorker');
  await intercept(
    page,
    (url) => url.pathname === '/api/events',
    (request) => request.fulfill({ status: 204 }),
  );
}
