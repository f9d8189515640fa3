import { join } from 'node:path';
import { app, type BaseWindow, BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import { pageHref } from '#shared/page-address.ts';
import { projectRoot, version } from '../start/program.ts';

const mac = process.platform === 'darwin';
const separator: MenuItemConstructorOptions = { type: 'separator' };

/** Actions of the Help menu, besides showing the version. */
export type HelpActions = {
  /** Shows the log file in the system's file manager. */
  showLog(): void;
  /** Copies the console's diagnostics, without secrets, to the clipboard. */
  copyDiagnostics(): void;
};

/** Sets the program's menu. `open` goes to an address inside the console. */
export function installMenu(open: (address: string) => void, help: HelpActions): void {
  app.setAboutPanelOptions({
    applicationName: app.name,
    applicationVersion: version(),
    iconPath: join(projectRoot(), 'resources', 'icon.png'),
  });
  const settings: MenuItemConstructorOptions = {
    label: 'Settings',
    accelerator: 'CmdOrCtrl+,',
    click: () => open(pageHref({ tab: 'settings' })),
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(mac ? [appMenu(settings)] : []),
      {
        label: 'File',
        submenu: [
          {
            label: 'New chat',
            accelerator: 'CmdOrCtrl+N',
            click: () => open(pageHref({ tab: 'forgeStudio', chat: 'new' })),
          },
          ...(mac ? [] : [separator, settings]),
          separator,
          mac ? { role: 'close' } : { role: 'quit' },
        ],
      },
      { role: 'editMenu' },
      viewMenu(),
      goMenu(open),
      ...(mac ? [{ role: 'windowMenu' } as const] : []),
      helpMenu(help),
    ]),
  );
}

function helpMenu({ showLog, copyDiagnostics }: HelpActions): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      { label: 'Show log', click: showLog },
      { label: 'Copy diagnostics', click: copyDiagnostics },
      ...(mac ? [] : [separator, { role: 'about' } as const]),
    ],
  };
}

function appMenu(settings: MenuItemConstructorOptions): MenuItemConstructorOptions {
  return {
    label: app.name,
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  };
}

function viewMenu(): MenuItemConstructorOptions {
  return {
    label: 'View',
    submenu: [
      { role: 'reload' },
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      // The same key without Shift, which is what most keyboards need for a plus.
      { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true },
      { role: 'zoomOut' },
      separator,
      { role: 'togglefullscreen' },
      ...(app.isPackaged ? [] : [separator, { role: 'toggleDevTools' } as const]),
    ],
  };
}

function goMenu(open: (address: string) => void): MenuItemConstructorOptions {
  return {
    label: 'Go',
    submenu: [
      {
        label: 'Back',
        accelerator: mac ? 'Cmd+[' : 'Alt+Left',
        click: (_item, window) => step(window, -1),
      },
      {
        label: 'Forward',
        accelerator: mac ? 'Cmd+]' : 'Alt+Right',
        click: (_item, window) => step(window, 1),
      },
      separator,
      {
        label: 'Studio',
        accelerator: 'CmdOrCtrl+1',
        click: () => open(pageHref({ tab: 'forgeStudio' })),
      },
      { label: 'Settings', accelerator: 'CmdOrCtrl+2', click: () => open(pageHref({ tab: 'settings' })) },
    ],
  };
}

/**
 * Moves through the history by one step. Not goBack: that skips pages without a user gesture, such as one the
 * menu opened a moment ago.
 */
function step(window: BaseWindow | undefined, offset: -1 | 1): void {
  if (!(window instanceof BrowserWindow)) return;
  const { navigationHistory } = window.webContents;
  // The first entry is the frame of before the console, which is no page.
  if (offset === -1 && navigationHistory.getActiveIndex() <= 1) return;
  if (navigationHistory.canGoToOffset(offset)) navigationHistory.goToOffset(offset);
}
