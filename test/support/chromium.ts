import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env.CHROMIUM ?? '',
  // The shell first: without the browser around them pages come in half the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of a Chromium on this machine, or undefined. */
export const chromiumPath = places.find((place) => place !== '' && existsSync(place));

/** The reason browser tests are skipped, and what to do. */
export const noChromium =
  'no Chromium was found: install the package "chromium-headless-shell" or "chromium", or set CHROMIUM to its path';

/** Starts Chromium headless, keeping it off the network. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(noChromium);
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--no-first-run',
      // Pages of a profile share the process that draws them, and what it has compiled.
      '--process-per-site',
    ],
  });
}
