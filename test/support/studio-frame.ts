import type { Frame, Page } from 'playwright-core';

/** The studio inside the console's page, once its composer is there. */
export async function studioFrame(page: Page): Promise<Frame> {
  const handle = await page.locator('iframe').elementHandle();
  const frame = await handle?.contentFrame();
  if (frame === null || frame === undefined) throw new Error('there is no studio frame');
  await frame.getByRole('textbox').first().waitFor();
  return frame;
}

/** Writes a message into the studio's composer and sends it. */
export async function sendBrief(frame: Frame, text: string): Promise<void> {
  await frame.getByRole('textbox').first().fill(text);
  await frame.getByRole('button', { name: /^Send/ }).click();
}
