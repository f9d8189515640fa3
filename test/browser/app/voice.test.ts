import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandboxVoice } from '../../../src-main/sandbox/voice/index.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { resampled } from '../../support/wav-bytes.ts';

const engines = await startSandboxVoice();
const missing = engines.missing.join(', ');
await engines.close();
const why =
  chromiumPath === undefined ? noChromium : missing === '' ? undefined : `not installed: ${missing}`;

describe.skipIf(why !== undefined)(
  `voice in the window${why === undefined ? '' : ` (skipped: ${why})`}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'voice-'));
    let session: BrowserSession;
    beforeAll(async () => {
      session = await startBrowserSession({});
    });
    afterAll(async () => {
      await session?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('turns a spoken sentence into text, the text into one tool call, and its answer into speech (CON-081, CON-082)', async () => {
      const own = await session.console.startOperatorSession();
      if (own === undefined) throw new Error('the local operator is off in this console');
      const cookie = `console_session=${own.token}`;
      const { url } = session.console;
      const spoken = await fetch(`${url}/api/tts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify({ text: 'which nodes are not ready' }),
      });
      const file = join(folder, 'sentence.wav');
      writeFileSync(file, resampled(Buffer.from(await spoken.arrayBuffer()), 48_000));
      const browser = await chromium.launch({
        ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
        args: [
          '--no-sandbox',
          '--use-fake-device-for-media-stream',
          '--use-fake-ui-for-media-stream',
          `--use-file-for-fake-audio-capture=${file}%noloop`,
          '--autoplay-policy=no-user-gesture-required',
        ],
      });
      try {
        const context = await browser.newContext({ permissions: ['microphone'] });
        await context.addCookies([{ name: 'console_session', value: own.token, url }]);
        const page = await context.newPage();
        // What is played, as the page hands it to the speakers.
        await page.addInitScript(`
          globalThis.played = { seconds: 0, peak: 0 };
          const { start } = AudioBufferSourceNode.prototype;
          AudioBufferSourceNode.prototype.start = function (...when) {
            played.seconds += this.buffer?.duration ?? 0;
            for (const sample of this.buffer?.getChannelData(0) ?? [])
              played.peak = Math.max(played.peak, Math.abs(sample));
            return start.apply(this, when);
          };
        `);
        await page.goto(`${url}/?tab=settings`);
        await page.getByRole('button', { name: 'Ask by voice' }).click();
        await page.getByRole('button', { name: 'Talk' }).click();
        await page.getByText('The microphone is on').waitFor();
        // The level shows that it hears something.
        const level = () =>
          page.getByLabel('Level of the microphone').evaluate((meter) => Number(Reflect.get(meter, 'value')));
        await expect.poll(level, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0.02);
        // Until the sentence has ended: then it is quiet.
        await expect
          .poll(async () => Math.max(await level(), await level(), await level()), {
            timeout: 15_000,
            interval: 400,
          })
          .toBeLessThan(0.005);
        await page.getByRole('button', { name: 'Stop and write down' }).click();
        const message = page.getByLabel('What you said');
        await expect.poll(() => message.inputValue(), { timeout: 20_000 }).toBe('which nodes are not ready');
        await page.getByRole('button', { name: 'Ask', exact: true }).click();
        const answer = page.getByRole('region', { name: 'Answer' });
        await answer.waitFor();
        expect(await answer.locator('code').innerText()).toMatch(/node/);
        await page.getByText('Speaking', { exact: true }).waitFor();
        const played = () =>
          page.evaluate(
            () => (globalThis as unknown as { played: { seconds: number; peak: number } }).played,
          );
        await expect.poll(async () => (await played()).seconds).toBeGreaterThan(1);
        expect((await played()).peak).toBeGreaterThan(0.1);
        await page.getByRole('button', { name: 'Stop speaking' }).click();
        await page.getByText('Spoken', { exact: true }).waitFor();
      } finally {
        await browser.close();
      }
    });

    it('does not let the studio listen: nobody was asked for its microphone', async () => {
      const { page, context } = await session.open('/?tab=forgeStudio');
      const frame = page.locator('iframe[title="Studio"]');
      await frame.waitFor();
      const policy = await frame.evaluate((element) => {
        const { featurePolicy } = element as HTMLIFrameElement & {
          featurePolicy?: { allowsFeature(name: string): boolean };
        };
        return featurePolicy?.allowsFeature('microphone');
      });
      expect(policy).toBe(false);
      await context.close();
    });
  },
);
