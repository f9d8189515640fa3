import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clickThat } from './click-that.ts';
import { type DesktopProgram, newDataDir, startProgram } from './desktop-program.ts';
import { openStudio } from './open-studio.ts';

let program: DesktopProgram;
/** Another program on the machine. */
let other: Server;
let otherOrigin: string;
const reached: string[] = [];

beforeAll(async () => {
  other = createServer((request, response) => {
    reached.push(`${request.method} ${request.url} cookie=${request.headers.cookie ?? ''}`);
    response.setHeader('access-control-allow-origin', '*').end('other');
  });
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  otherOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  program = await startProgram({
    dataDir: newDataDir(),
    // A camera and a microphone to ask for.
    switches: ['--use-fake-device-for-media-stream'],
  });
});

afterAll(async () => {
  await program?.quit();
  other?.close();
});

/** A page's script that goes elsewhere, after it has answered. */
const leaveFor = (address: string): string =>
  `void setTimeout(() => location.assign(${JSON.stringify(address)}), 0)`;

const settle = (): Promise<void> => new Promise((resume) => setTimeout(resume, 400));

test('the page has no Node: no require, no process, no module', async () => {
  const kinds = await program.page.evaluate(() => {
    const page = globalThis as Record<string, unknown>;
    return ['require', 'process', 'module', 'Buffer', 'global'].map((name) => typeof page[name]);
  });
  expect(kinds).toEqual(Array(5).fill('undefined'));
});

test('the bridge gives the page facts only, and the studio frame has no bridge of its own', async () => {
  const bridge = await program.page.evaluate(
    () => (globalThis as { operatorConsole?: Record<string, unknown> }).operatorConsole,
  );
  expect(bridge).toEqual({
    kind: 'desktop',
    version: expect.any(String),
    platform: 'linux',
    localOperator: true,
  });
  await openStudio(program.page);
  const element = await program.page.waitForSelector('iframe[title*="Studio" i]');
  const frame = await element.contentFrame();
  await frame?.waitForLoadState('load');
  expect(
    await frame?.evaluate(() => typeof (globalThis as { operatorConsole?: unknown }).operatorConsole),
  ).toBe('undefined');
});

test('the window runs isolated and in the sandbox', async () => {
  const preferences = await program.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
});

test('the session cookie is HttpOnly, SameSite=Strict, and only in memory', async () => {
  const cookies = await program.app.evaluate(({ session }) =>
    session.fromPartition('console').cookies.get({}),
  );
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({
    name: 'console_session',
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    domain: '127.0.0.1',
    session: true,
  });
  expect(
    await program.app.evaluate(({ session }) => session.fromPartition('console').storagePath),
  ).toBeNull();
  expect(await program.page.evaluate('document.cookie')).toBe('');
});

test('window.open is refused', async () => {
  const { page, app, origin } = program;
  for (const address of ['/', origin, otherOrigin, 'about:blank', 'file:///etc/passwd'])
    expect(await page.evaluate(`open(${JSON.stringify(address)}) === null`)).toBe(true);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('a link to https opens in the browser of the system, and no other link does', async () => {
  const { page, app } = program;
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  for (const address of [
    'https://example.com/run/1',
    'http://example.com/',
    'javascript:alert(1)',
    'smb://host/x',
  ])
    await clickThat(page, `open(${JSON.stringify(address)}, '_blank', 'noopener')`);
  await settle();
  expect(await app.evaluate(() => (globalThis as { opened?: string[] }).opened)).toEqual([
    'https://example.com/run/1',
  ]);
});

test('the studio frame does not leave the origin', async () => {
  const { page, origin } = program;
  await openStudio(page);
  const element = await page.waitForSelector('iframe[title*="Studio" i]');
  const frame = await element.contentFrame();
  await frame?.evaluate(leaveFor(`${otherOrigin}/framed`));
  await settle();
  // The page's own policy refuses it first, which leaves Chromium's error page in the frame.
  const places = page.frames().map((each) => new URL(each.url()));
  expect(places[0]?.origin).toBe(origin);
  expect(['chrome-error:', 'http:']).toContain(places[1]?.protocol);
  expect(places[1]?.origin).not.toBe(otherOrigin);
  expect(reached).toEqual([]);
});

test('the window does not leave its origin, for another host or another port of its own', async () => {
  const { page } = program;
  const here = page.url();
  for (const address of [
    'http://example.invalid/',
    `${otherOrigin}/stolen`,
    'https://example.com/',
    'data:text/html,x',
  ]) {
    await page.evaluate(leaveFor(address));
    await settle();
    expect(page.url()).toBe(here);
  }
  expect(reached).toEqual([]);
});

test('no request with the session reaches another port of the host', async () => {
  const { app } = program;
  const failure = await app.evaluate(
    ({ session }, url) =>
      session
        .fromPartition('console')
        .fetch(url, { credentials: 'include' })
        .then(
          (answer) => `answered ${answer.status}`,
          (error: Error) => error.message,
        ),
    `${otherOrigin}/fetched`,
  );
  expect(failure).toContain('ERR_BLOCKED_BY_CLIENT');
  expect(reached).toEqual([]);
});

test('geolocation, notifications and the camera are denied, the microphone is not', async () => {
  const { page } = program;
  const states = await page.evaluate<Record<string, string>>(`(async () => {
    const media = (kinds) => navigator.mediaDevices.getUserMedia(kinds).then(() => 'given', (error) => error.name);
    return {
      geolocation: await new Promise((done) => navigator.geolocation.getCurrentPosition(
        () => done('given'), (error) => done(error.code === error.PERMISSION_DENIED ? 'denied' : 'other'))),
      notifications: await Notification.requestPermission(),
      camera: await media({ video: true }),
      microphone: await media({ audio: true }),
    };
  })()`);
  expect(states).toEqual({
    geolocation: 'denied',
    notifications: 'denied',
    camera: 'NotAllowedError',
    microphone: 'given',
  });
});

test('a webview cannot be attached', async () => {
  const before = await program.app.evaluate(({ webContents }) => webContents.getAllWebContents().length);
  await program.page.evaluate(`{
    const element = document.createElement('webview');
    element.setAttribute('src', 'about:blank');
    document.body.append(element);
    setTimeout(() => element.remove(), 300);
  }`);
  await settle();
  expect(await program.app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(
    before,
  );
});
