import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { RouteId } from '../../../src-shared/api/index.ts';
import type { BrowserSession, Look } from '../../support/browser-session.ts';
import { type Answer, answerRoute } from './answer-route.ts';

/** A page of the console whose one read is answered in the browser. */
export async function openedOn<Id extends RouteId>(
  session: BrowserSession,
  id: Id,
  address: string,
  answer: () => Answer<Id>,
  look: Look = {},
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const tab = await session.blank(look);
  await answerRoute(tab.page, id, answer);
  await tab.page.goto(`${session.console.url}${address}`);
  return tab;
}

/** A part of the page's address, once it is what it should be: the address follows the page. */
export const expectAddress = (page: Page, part: string, value: string | null) =>
  expect.poll(() => new URL(page.url()).searchParams.get(part)).toBe(value);
