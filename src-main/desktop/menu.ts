import { join } from 'node:path';
import { app, type BaseWindow, BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import { pageHref } from '#shared/page-address.ts';
import { pageTitles } from '#shared/page-titles.ts';
import { projectRoot, version } from '../start/program.ts';

const mac = process.platform === 'darwin';
const separator: MenuItemConstructorOptions = { type: 'separator' };

/** Actions of the menu besides Electron's own. */
export type MenuActions = {
  /** Goes to an address inside the console, in the window the person works in. */
  open(address: string): void;
  /** Opens another window, on the first page. */
  newWindow(): void;
  /** Lets the person choose a bundle, and opens it. */
  openBundle(): void;
  /** Looks for a newer version and says what was found. */
  checkForUpdates(): void;
  /** Shows the log file in the system's file manager. */
  showLog(): void;
  /** Copies the console's diagnostics, without secrets, to the clipboard. */
  copyDiagnostics(): void;
};

/** Sets the program's menu. */
export function installMenu(actions: MenuActions): void {
  const { open } = actions;
  const { electron, chrome, node } = process.versions;
  app.setAboutPanelOptions({
    applicationName: app.name,
    applicationVersion: version(),
    copyright: 'Licensed under the Apache License 2.0. Licences of what is in it: Settings, About.',
    credits: `Electron ${electron}, Chromium ${chrome}, Node ${node}`,
    authors: [`Electron ${electron}`, `Chromium ${chrome}`, `Node ${node}`],
    iconPath: join(projectRoot(), 'resources', 'icon.png'),
  });
  const settings: MenuItemConstructorOptions = {
    label: '&Settings',
    accelerator: 'CmdOrCtrl+,',
    click: () => open(pageHref({ tab: 'settings' })),
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(mac ? [appMenu(settings)] : []),
      {
        label: '&File',
        submenu: [
          {
            label: '&New chat',
            accelerator: 'CmdOrCtrl+N',
            click: () => open(pageHref({ tab: 'forgeStudio', chat: 'new' })),
          },
          { label: 'New &window', accelerator: 'CmdOrCtrl+Shift+N', click: actions.newWindow },
          separator,
          { label: '&Open bundle…', accelerator: 'CmdOrCtrl+O', click: actions.openBundle },
          separator,
          {
            label: '&Print…',
            accelerator: 'CmdOrCtrl+P',
            click: (_item, window) => {
              if (window instanceof BrowserWindow) window.webContents.print();
            },
          },
          ...(mac ? [] : [separator, settings]),
          separator,
          { role: 'close', accelerator: 'CmdOrCtrl+W' },
          ...(mac ? [] : [{ role: 'quit' } as const]),
        ],
      },
      { role: 'editMenu' },
      viewMenu(),
      goMenu(open),
      ...(mac ? [{ role: 'windowMenu' } as const] : []),
      helpMenu(actions),
    ]),
  );
}

function helpMenu({ showLog, copyDiagnostics, checkForUpdates }: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      { label: 'Check for &updates…', click: checkForUpdates },
      separator,
      { label: 'Show &log', click: showLog },
      { label: 'Copy &diagnostics', click: copyDiagnostics },
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
    label: '&View',
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
    label: '&Go',
    submenu: [
      {
        label: '&Back',
        accelerator: mac ? 'Cmd+[' : 'Alt+Left',
        click: (_item, window) => step(window, -1),
      },
      {
        label: '&Forward',
        accelerator: mac ? 'Cmd+]' : 'Alt+Right',
        click: (_item, window) => step(window, 1),
      },
      separator,
      ...Object.entries(pageTitles).map(
        ([tab, title], i): MenuItemConstructorOptions => ({
          label: title,
          // The first nine, as in a browser's tabs.
          ...(i < 9 ? { accelerator: `CmdOrCtrl+${i + 1}` } : {}),
          click: () => open(pageHref({ tab })),
        }),
      ),
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
