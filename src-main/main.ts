import { join } from 'node:path';
import { app, clipboard, dialog, type Session, shell } from 'electron';
import { isSecretVariable } from './config/index.ts';
import { showCrash } from './desktop/crash-dialog.ts';
import { type DataFolder, useDataFolder } from './desktop/data-folder.ts';
import { listenForLinks } from './desktop/deep-links.ts';
import { installMenu } from './desktop/menu.ts';
import { lockNavigation } from './desktop/navigation-lock.ts';
import { windowOrigin } from './desktop/origin-rules.ts';
import { drainOnQuit } from './desktop/quit.ts';
import { startFailureMessage } from './desktop/start-failure.ts';
import { type ConsoleWindow, openWindow } from './desktop/window.ts';
import { createWindowSession, endWindowSession, handOverSession } from './desktop/window-session.ts';
import type { ConsoleLog } from './start/console-log.ts';
import { watchCrashes } from './start/crash-report.ts';
import { startConsole } from './start/start-console.ts';

let log: ConsoleLog | undefined;
const crashes = watchCrashes((crash) => void showCrash(crash, log?.file));

/** The desktop program: the whole console on loopback, and a window on it. */
async function start(folder: DataFolder): Promise<void> {
  let origin: string | undefined;
  let window: ConsoleWindow | undefined;
  // Addresses that links asked for before the window could go there.
  const waiting: string[] = [];
  lockNavigation(() => origin);
  const goTo = (address: string | undefined): void => {
    window?.show();
    if (address === undefined) return;
    if (window === undefined) waiting.push(address);
    else window.open(address);
  };
  listenForLinks(goTo);

  const env = { ...process.env, CONSOLE_DATA_DIR: folder.console };
  // What Electron starts, such as the browser for a link, gets this environment.
  for (const name of Object.keys(process.env)) if (isSecretVariable(name)) delete process.env[name];
  const [running] = await Promise.all([
    startConsole({
      env,
      sandbox: 'unless-attached',
      sameSite: 'Strict',
      onLog(opened) {
        log = opened;
        crashes.takeLog(opened);
      },
    }),
    app.whenReady(),
  ]);
  const own = windowOrigin(running.url);
  origin = own;
  /** True unless the local operator is off: then the page asks the person to sign in. */
  const signIn = async (session: Session): Promise<boolean> => {
    const operator = await running.startOperatorSession();
    if (operator !== undefined) await handOverSession(session, own, operator.token);
    return operator !== undefined;
  };
  const session = await createWindowSession(own, async (asking) => {
    await signIn(asking);
  });
  drainOnQuit(async () => {
    await endWindowSession(session, own);
    await running.close();
  });
  const localOperator = await signIn(session);
  installMenu(goTo, {
    showLog: () => shell.showItemInFolder(running.logFile),
    copyDiagnostics() {
      running.diagnostics().then(
        (facts) => clipboard.writeText(`${JSON.stringify(facts, undefined, 2)}\n`),
        (error: unknown) => dialog.showErrorBox('Diagnostics could not be read', startFailureMessage(error)),
      );
    },
  });
  window = await openWindow({
    origin: own,
    session,
    stateFile: join(folder.window, 'window-state.json'),
    address: waiting.pop() ?? '/',
    localOperator,
  });
  const late = waiting.pop();
  if (late !== undefined) window.open(late);
}

let quitting = false;
app.once('before-quit', () => {
  quitting = true;
});

async function failToStart(error: unknown): Promise<void> {
  // Asked to quit before its window has loaded: a window that goes is no failure, and a dialog would hold the program.
  if (quitting) return;
  const message = startFailureMessage(error);
  process.stderr.write(`error: ${message}\n`);
  await app.whenReady();
  dialog.showErrorBox('Operator Console could not start', message);
  app.exit(1);
}

// Chromium refuses its sandbox to root: a container that runs this as root says --no-sandbox itself, and is heard.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
const folder = useDataFolder(process.env);
// A second start hands its arguments to the first and ends.
if (app.requestSingleInstanceLock()) start(folder).catch(failToStart);
else app.exit(0);
