import { join } from 'node:path';
import { BrowserWindow, nativeTheme, type Session } from 'electron';
import { processEnd } from '../base/process-end.ts';
import { projectRoot } from '../start/program.ts';
import { localOperatorSwitch, openAddressChannel } from './channels.ts';
import { framePage } from './frame-page.ts';
import { recallWindow, rememberWindow } from './window-memory.ts';

export type WindowOptions = {
  readonly session: Session;
  /** File in which size and position are saved; a further window has none, and stands where the system puts it. */
  readonly stateFile: string | undefined;
  /** Whether the page may offer to sign in as the local operator again. */
  readonly localOperator: boolean;
};

export type ConsoleWindow = {
  /** Brings the window to the front. */
  show(): void;
  /** Whether the person works in it now. */
  isFocused(): boolean;
  /** Whether the person closed it. */
  isClosed(): boolean;
  /** Resolves when the window shows its frame, or after a moment where it does not. */
  readonly framed: Promise<void>;
  /** Loads an address of the console in place of the frame; resolves when it is loaded, rejects when it cannot be. */
  load(origin: string, address: string): Promise<void>;
  /** Goes to an address inside the console, such as `/?tab=settings`; only once `load` was called. */
  open(address: string): void;
};

/** A renderer that dies twice within this time, in ms, is not started a third time. */
const crashLoop = 10_000;
/** Longest wait for the frame, in ms: the console does not start later for a window that is slow. */
const framedWithin = 600;
/** The page's own canvas colours (src-renderer/app/theme/tokens.ts): no flash before the first paint. */
const canvas = { light: '#f6f8f9', dark: '#0e1214' } as const;

/**
 * Opens the window with the frame of its page, before there is a console to show. Only the person closes it: where a page
 * did, which a frame of it can, it is opened again on the first page.
 */
export function openWindow(options: WindowOptions): ConsoleWindow {
  const { promise: framed, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, framedWithin);
  let origin: string | undefined;
  const open = (): BrowserWindow => {
    const opened = createWindow(options);
    let asked = false;
    opened.on('close', () => {
      asked = true;
    });
    opened.on('closed', () => {
      if (asked || processEnd.aborted) return;
      window = open();
      if (origin !== undefined) load(window, `${origin}/`).catch(() => undefined);
    });
    opened.once('ready-to-show', () => {
      opened.show();
      resolve();
    });
    return opened;
  };
  let window = open();
  window.loadURL(framePage(nativeTheme.shouldUseDarkColors)).catch(() => undefined);
  return {
    framed,
    isFocused: () => !window.isDestroyed() && window.isFocused(),
    isClosed: () => window.isDestroyed(),
    show() {
      if (window.isDestroyed()) return;
      if (window.isMinimized()) window.restore();
      if (!window.isVisible()) window.show();
      window.focus();
    },
    async load(own, address) {
      origin = own;
      if (!window.isDestroyed()) await load(window, `${own}${address}`);
    },
    open(address) {
      if (window.isDestroyed() || origin === undefined) return;
      const { webContents } = window;
      if (isAt(webContents.getURL(), origin) && !webContents.isCrashed())
        webContents.send(openAddressChannel, address);
      else window.loadURL(`${origin}${address}`).catch(() => undefined);
    },
  };
}

async function load(window: BrowserWindow, address: string): Promise<void> {
  try {
    await window.loadURL(address);
  } catch (error) {
    // A page that replaces its own address while it loads aborts the first load; the window may also be closed by now.
    if (!window.isDestroyed() && !isAborted(error)) throw error;
  }
}

function createWindow(options: WindowOptions): BrowserWindow {
  const { placement, maximized } = recallWindow(options.stateFile);
  const window = new BrowserWindow({
    ...placement,
    title: 'Operator Console',
    icon: join(projectRoot(), 'resources', 'icon.png'),
    backgroundColor: nativeTheme.shouldUseDarkColors ? canvas.dark : canvas.light,
    autoHideMenuBar: true,
    show: false,
    webPreferences: {
      session: options.session,
      preload: join(projectRoot(), 'out', 'preload', 'preload.cjs'),
      additionalArguments: options.localOperator ? [localOperatorSwitch] : [],
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      // The spell checker would fetch its dictionaries from a server of Google.
      spellcheck: false,
    },
  });
  if (maximized) window.maximize();
  if (options.stateFile !== undefined) rememberWindow(window, options.stateFile);
  reviveAfterCrash(window);
  return window;
}

function reviveAfterCrash(window: BrowserWindow): void {
  let last = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    const at = performance.now();
    if (reason !== 'clean-exit' && at - last > crashLoop) window.webContents.reload();
    last = at;
  });
}

function isAt(address: string, origin: string): boolean {
  return URL.canParse(address) && new URL(address).origin === origin;
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED';
}
