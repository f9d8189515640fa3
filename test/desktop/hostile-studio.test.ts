import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clickThat } from './click-that.ts';
import { type DesktopProgram, newDataDir, startProgram, until } from './desktop-program.ts';
import { openStudio } from './open-studio.ts';

/**
 * A studio page that does what it likes in its frame, which has the origin of the console. Not held: a relay (TURN) over
 * TCP connects to a loopback port, and so tells whether one answers (docs/desktop.md).
 */
let program: DesktopProgram;
let page: Page;
let other: Server;
let otherPort: number;
const reached: string[] = [];

beforeAll(async () => {
  other = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.setHeader('access-control-allow-origin', '*').end('other');
  });
  // Whatever it is that comes: a port that answers is known to be open.
  other.on('connection', () => reached.push('a connection'));
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  otherPort = (other.address() as AddressInfo).port;
  program = await startProgram({ dataDir: newDataDir() });
  page = program.page;
  await program.app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
});

afterAll(async () => {
  await program?.quit();
  other?.close();
});

const settle = (): Promise<void> => new Promise((resume) => setTimeout(resume, 500));
const opened = (): Promise<string[] | undefined> =>
  program.app.evaluate(() => (globalThis as { opened?: string[] }).opened?.splice(0));

async function studioFrame(): Promise<Frame> {
  // Whatever the test before left in the frame is gone.
  await page.goto(`${program.origin}/?tab=overview`);
  await openStudio(page);
  const element = await page.waitForSelector('iframe[title*="Studio" i]');
  const frame = await element.contentFrame();
  if (frame === null) throw new Error('the studio frame has no page');
  await frame.waitForLoadState('load');
  return frame;
}

test('a hostile studio that opens fifty addresses without a click opens none, and one click opens one', async () => {
  const frame = await studioFrame();
  await settle();
  await opened();
  await frame.evaluate(`for (let i = 0; i < 50; i += 1) open('https://example.com/' + i);`);
  // An event of its own making is no click.
  await frame.evaluate(`{
    const link = document.createElement('a');
    link.href = 'https://example.com/made-up'; link.target = '_blank';
    document.body.append(link); link.click(); link.remove();
  }`);
  await settle();
  // Playwright opened the studio with one click, which one open may use.
  expect((await opened())?.length).toBeLessThanOrEqual(1);
  await frame.evaluate(`for (let i = 0; i < 50; i += 1) open('https://example.com/' + i);`);
  await settle();
  expect(await opened()).toEqual([]);
  await clickThat(page, `for (let i = 0; i < 50; i += 1) open('https://example.com/clicked/' + i)`);
  await settle();
  expect(await opened()).toEqual(['https://example.com/clicked/0']);
});

test('a hostile studio cannot end the program with top.close()', async () => {
  const frame = await studioFrame();
  const again = program.app.waitForEvent('window');
  await frame.evaluate('void setTimeout(() => { top.close(); parent.close(); self.close(); }, 0)');
  page = await again;
  await page.waitForURL(`${program.origin}/**`);
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  // Not the studio, which would close it again.
  expect(await page.locator('iframe').count()).toBe(0);
  const windows = await program.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.isVisible()),
  );
  expect(windows).toEqual([true]);
});

test('a hostile studio cannot blank the window with about:blank', async () => {
  const { origin } = program;
  const frame = await studioFrame();
  const before = page.url();
  await frame.evaluate(`void setTimeout(() => { top.location = 'about:blank'; }, 0)`);
  await until('the window is where it was', () => page.url() === before);
  await page.getByRole('link', { name: 'Overview' }).waitFor();
  expect(new URL(page.url()).origin).toBe(origin);
});

test('a hostile studio reaches no other port of this machine by a request or a datagram', async () => {
  const frame = await studioFrame();
  const silent = createSocket('udp4');
  silent.on('message', () => reached.push('a datagram'));
  await new Promise<void>((bound) => silent.bind(0, '127.0.0.1', bound));
  const udp = silent.address().port;
  for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '[::ffff:127.0.0.1]', 'x.localhost'])
    await frame.evaluate(`(async () => {
      const at = ${JSON.stringify(`${host}:${otherPort}`)};
      const tried = (work) => { try { return Promise.resolve(work()).catch(() => 0); } catch { return 0; } };
      const add = (name, attributes) => {
        const element = Object.assign(document.createElement(name), attributes);
        document.body.append(element);
        setTimeout(() => element.remove(), 300);
        return element;
      };
      await tried(() => fetch('http://' + at + '/fetch', { mode: 'no-cors', credentials: 'include' }));
      await tried(() => fetch('https://' + at + '/tls', { mode: 'no-cors' }));
      tried(() => navigator.sendBeacon('http://' + at + '/beacon', 'x'));
      tried(() => new WebSocket('ws://' + at + '/socket'));
      tried(() => new EventSource('http://' + at + '/events'));
      tried(() => new Worker('http://' + at + '/worker.js'));
      tried(() => import('http://' + at + '/module.js'));
      add('img', { src: 'http://' + at + '/img' });
      add('script', { src: 'http://' + at + '/script' });
      add('iframe', { src: 'http://' + at + '/iframe' });
      add('link', { rel: 'stylesheet', href: 'http://' + at + '/style' });
      add('link', { rel: 'prefetch', href: 'http://' + at + '/prefetch' });
      add('video', { src: 'http://' + at + '/video' });
      add('object', { data: 'http://' + at + '/object' });
      add('iframe', { name: 'answer' });
      add('form', { action: 'http://' + at + '/form', method: 'post', target: 'answer' }).submit();
    })()`);
  await frame
    .evaluate(`(async () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp}' }, { urls: 'turn:127.0.0.1:${udp}', username: 'a', credential: 'b' }] });
      peer.createDataChannel('x');
      await peer.setLocalDescription(await peer.createOffer());
      await new Promise((resume) => setTimeout(resume, 1500));
    })()`)
    .catch(() => undefined);
  await settle();
  silent.close();
  expect(reached).toEqual([]);
});

test('a hostile studio finds nothing of the program behind the page: no Node, no message channel, facts only', async () => {
  const frame = await studioFrame();
  const found = await frame.evaluate(`({
    node: ['require', 'process', 'module', 'Buffer'].filter((name) => typeof self[name] !== 'undefined' || typeof top[name] !== 'undefined'),
    electron: ['ipcRenderer', 'electron', 'chrome.runtime'].filter((name) => typeof top[name] !== 'undefined'),
    functions: Object.values(top.operatorConsole).filter((value) => typeof value === 'function').length,
  })`);
  expect(found).toEqual({ node: [], electron: [], functions: 0 });
  expect(
    await program.app.evaluate(({ ipcMain }) =>
      ipcMain.eventNames().filter((name) => String(name) !== 'error'),
    ),
  ).toEqual([]);
});

test('files of the machine are out of reach of a hostile studio', async () => {
  const frame = await studioFrame();
  const read = await frame.evaluate(`fetch('file:///etc/passwd').then(() => 'read', () => 'refused')`);
  expect(read).toBe('refused');
  await frame.evaluate(`void setTimeout(() => { top.location = 'file:///etc/passwd'; }, 0)`);
  await frame.evaluate(`void setTimeout(() => { location = 'file:///etc/passwd'; }, 0)`);
  await settle();
  expect(new URL(page.url()).origin).toBe(program.origin);
  for (const each of page.frames()) expect(each.url().startsWith('file:')).toBe(false);
});
