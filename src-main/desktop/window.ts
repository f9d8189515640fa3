import { join } from 'node:path';
import { BrowserWindow, nativeTheme, type Session } from 'electron';
import { projectRoot } from '../start/program.ts';
import { localOperatorSwitch, openAddressChannel } from './channels.ts';
import { recallWindow, rememberWindow } from './window-memory.ts';

export type WindowOptions = {
  /** The console's own origin: the only one the window shows. */
  readonly origin: string;
  readonly session: Session;
  /** File in which size and position are saved. */
  readonly stateFile: string;
  /** Address inside the console to open with, such as `/?tab=forgeStudio`. */
  readonly address: string;
  /** Whether the page may offer to sign in as the local operator again. */
  readonly localOperator: boolean;
};

export type ConsoleWindow = {
  /** Brings the window to the front. */
  show(): void;
  /** Goes to an address inside the console, such as `/?tab=settings`. */
  open(address: string): void;
};

/** A renderer that dies twice within this time, in ms, is not started a third time. */
const crashLoop = 10_000;
/** The page's own canvas colours (src-renderer/app/theme/tokens.ts): no flash before the first paint. */
const canvas = { light: '#f6f8f9', dark: '#0e1214' } as const;

/** Opens the window on the console's origin. Resolves when the page is loaded; rejects when it cannot be. */
export async function openWindow(options: WindowOptions): Promise<ConsoleWindow> {
  const { origin } = options;
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
  rememberWindow(window, options.stateFile);
  reviveAfterCrash(window);
  window.once('ready-to-show', () => window.show());
  try {
    await window.loadURL(`${origin}${options.address}`);
  } catch (error) {
    // A page that replaces its own address while it loads aborts the first load; the window may also be closed by now.
    if (!window.isDestroyed() && !isAborted(error)) throw error;
  }
  return {
    show() {
      if (window.isDestroyed()) return;
      if (window.isMinimized()) window.restore();
      if (!window.isVisible()) window.show();
      window.focus();
    },
    open(address) {
      if (window.isDestroyed()) return;
      const { webContents } = window;
      if (isAt(webContents.getURL(), origin) && !webContents.isCrashed())
        webContents.send(openAddressChannel, address);
      else window.loadURL(`${origin}${address}`).catch(() => undefined);
    },
  };
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
