import { app, shell, type WebContents } from 'electron';
import { mayNavigate, opensInBrowser } from './origin-rules.ts';

/**
 * Holds every web contents of the program, now and later, on the console's origin. `origin` answers undefined until
 * the console listens: until then nothing may be loaded by a page.
 */
export function lockNavigation(origin: () => string | undefined): void {
  app.on('web-contents-created', (_event, contents) => lock(contents, origin));
}

function lock(contents: WebContents, origin: () => string | undefined): void {
  const allowed = (url: string, isMainFrame: boolean): boolean => {
    const own = origin();
    return own !== undefined && mayNavigate(url, own, isMainFrame ? 'main' : 'sub');
  };
  contents.on('will-frame-navigate', (event) => {
    if (!allowed(event.url, event.isMainFrame)) event.preventDefault();
  });
  // A redirect is not announced by the event above: an own address could lead anywhere.
  contents.on('will-redirect', (event) => {
    if (!allowed(event.url, event.isMainFrame)) event.preventDefault();
  });
  // A peer connection asks its servers past every rule for requests: without this a page could probe ports of the machine.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  const mayOpen = onePerGesture(contents);
  contents.setWindowOpenHandler(({ url }) => {
    if (opensInBrowser(url) && mayOpen()) void shell.openExternal(url);
    return { action: 'deny' };
  });
  keepOnConsole(contents, origin);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // A page in the studio frame must not be able to keep the program from quitting.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
}

/** A click or a key counts for what the page does within this time, in ms, as it does to Chromium. */
const gestureTime = 5000;
const gestures: ReadonlySet<string> = new Set(['mouseDown', 'keyDown', 'rawKeyDown', 'touchStart']);

/**
 * Returns whether the person has just clicked or typed in the page; each gesture answers yes once. It is seen before the
 * page sees it: a script can make up events of its own, and none of these.
 */
function onePerGesture(contents: WebContents): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  contents.on('input-event', (_event, { type }) => {
    if (gestures.has(type)) last = performance.now();
  });
  return () => {
    const isRecent = performance.now() - last < gestureTime;
    last = Number.NEGATIVE_INFINITY;
    return isRecent;
  };
}

/**
 * Brings the window back when a frame of it led it to an empty document: such an address is loaded without asking anyone.
 */
function keepOnConsole(contents: WebContents, origin: () => string | undefined): void {
  let last: string | undefined;
  const note = (url: string): void => {
    const own = origin();
    if (own !== undefined && mayNavigate(url, own, 'main')) last = url;
  };
  contents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
    if (isMainFrame) note(url);
  });
  contents.on('did-navigate', (_event, url) => {
    note(url);
    if (last !== undefined && last !== url) contents.loadURL(last).catch(() => undefined);
  });
}
