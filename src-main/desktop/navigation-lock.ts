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
  contents.setWindowOpenHandler(({ url }) => {
    if (opensInBrowser(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // A page in the studio frame must not be able to keep the program from quitting.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
}
