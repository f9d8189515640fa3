import { basename, join } from 'node:path';
import { app, clipboard, dialog, type Session, shell } from 'electron';
import { processEnd } from './base/process-end.ts';
import { type Environment, isSecretVariable } from './config/index.ts';
import { showCrash } from './desktop/crash-dialog.ts';
import { type DataFolder, useDataFolder } from './desktop/data-folder.ts';
import { listenForLinks } from './desktop/deep-links.ts';
import { listenForFiles } from './desktop/given-files.ts';
import { linksInTurn } from './desktop/links-in-turn.ts';
import { installMenu } from './desktop/menu.ts';
import { resolveThroughChromium } from './desktop/name-lookup.ts';
import { lockNavigation } from './desktop/navigation-lock.ts';
import { windowOrigin } from './desktop/origin-rules.ts';
import { drainOnQuit, endNow } from './desktop/quit.ts';
import { refusedSwitch } from './desktop/refused-switches.ts';
import { startFailureMessage } from './desktop/start-failure.ts';
import type { Updater } from './desktop/updater.ts';
import { type ConsoleWindow, openWindow } from './desktop/window.ts';
import { createWindowSession, endWindowSession, handOverSession } from './desktop/window-session.ts';
import type { ConsoleLog } from './start/console-log.ts';
import { watchCrashes } from './start/crash-report.ts';
import type { RunningConsole } from './start/start-console.ts';

let log: ConsoleLog | undefined;
const crashes = watchCrashes((crash) => void showCrash(crash, log?.file));

/** What has been started so far, and is closed when the program quits. */
type Started = { console?: RunningConsole; endSession?: () => Promise<void>; updater?: Updater };

/** The desktop program: a window at once, then the whole console on loopback in it. */
async function start(folder: DataFolder, started: Started): Promise<void> {
  let origin: string | undefined;
  lockNavigation(() => origin);
  const links = linksInTurn();
  listenForLinks(links.take);
  const given: string[] = [];
  let opener = (file: string): void => void given.push(file);
  listenForFiles((file) => opener(file));

  const env: Environment = { ...process.env, CONSOLE_DATA_DIR: folder.console };
  // What Electron starts, such as the browser for a link, gets this environment.
  for (const name of Object.keys(process.env)) if (isSecretVariable(name)) delete process.env[name];
  await app.whenReady();
  resolveThroughChromium();
  /** True unless the local operator is off: then the page asks the person to sign in. */
  const signIn = async (session: Session): Promise<void> => {
    const operator = await started.console?.startOperatorSession();
    if (operator !== undefined && origin !== undefined)
      await handOverSession(session, origin, operator.token);
  };
  const session = await createWindowSession(() => origin, signIn);
  // Checked, and refused with its name, when the console reads it.
  const localOperator = env.CONSOLE_LOCAL_OPERATOR?.trim() !== 'off';
  const window = openWindow({
    session,
    stateFile: join(folder.window, 'window-state.json'),
    localOperator,
  });
  links.showing(window);
  await window.framed;
  processEnd.throwIfAborted();

  // Only now: to load the console's code holds this process for half a second.
  const [{ startConsole }, { startSandboxProcess }, { parseDeepLink }, { openBundleFile }, { startUpdater }] =
    await Promise.all([
      import('./start/start-console.ts'),
      import('./desktop/start-sandbox.ts'),
      import('./desktop/deep-link-address.ts'),
      import('./desktop/open-bundle.ts'),
      import('./desktop/updater.ts'),
    ]);
  const running = await startConsole({
    env,
    sandbox: 'unless-attached',
    sameSite: 'Strict',
    startPlatform: startSandboxProcess,
    onLog(opened) {
      log = opened;
      crashes.takeLog(opened);
    },
  });
  started.console = running;
  const own = windowOrigin(running.url);
  origin = own;
  started.endSession = () => endWindowSession(session, own);
  await signIn(session);
  const windows = [window];
  const active = (): ConsoleWindow => {
    const there = windows.filter((each) => !each.isClosed());
    return there.find((each) => each.isFocused()) ?? there[0] ?? window;
  };
  const openBundle = (file: string): void => {
    active().show();
    openBundleFile(session, own, file).then(
      (address) => active().open(address),
      (error: unknown) => {
        if (!processEnd.aborted)
          dialog.showErrorBox(`${basename(file)} was not opened`, startFailureMessage(error));
      },
    );
  };
  installMenu({
    open: (address) => active().open(address),
    newWindow() {
      const further = openWindow({ session, stateFile: undefined, localOperator });
      windows.push(further);
      further.load(own, '/').catch(() => undefined);
    },
    openBundle() {
      dialog.showOpenDialog({ title: 'Open a bundle', properties: ['openFile'] }).then(
        ({ filePaths: [file] }) => {
          if (file !== undefined) openBundle(file);
        },
        () => undefined,
      );
    },
    checkForUpdates: () => started.updater?.check(),
    showLog: () => shell.showItemInFolder(running.logFile),
    copyDiagnostics() {
      running.diagnostics().then(
        (facts) => clipboard.writeText(`${JSON.stringify(facts, undefined, 2)}\n`),
        (error: unknown) => dialog.showErrorBox('Diagnostics could not be read', startFailureMessage(error)),
      );
    },
  });
  await window.load(own, links.first(parseDeepLink) ?? '/');
  links.follow({ show: () => active().show(), open: (address) => active().open(address) }, parseDeepLink);
  for (const file of given.splice(0)) openBundle(file);
  opener = openBundle;
  started.updater = startUpdater(join(folder.console, 'updates'), env, running.log);
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
  endNow(1);
}

// The name of the packages: by it Windows groups windows and shows notifications.
app.setAppUserModelId('invalid.operator-console');
// Chromium refuses its sandbox to root: a container that runs this as root says --no-sandbox itself, and is heard.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
const wrong = app.isPackaged ? refusedSwitch((name) => app.commandLine.hasSwitch(name)) : undefined;
if (wrong !== undefined) {
  process.stderr.write(`error: --${wrong} is refused: it would let another program steer the window.\n`);
  // Not app.exit: nothing of Chromium may come up with that switch.
  process.exit(2);
}
const folder = useDataFolder(process.env);
// A second start hands its arguments to the first and ends.
// A version that does not become ready gives its place back to the one before it.
const leaves = process.env.APPIMAGE
  ? (await import('./desktop/updater.ts')).leaveBrokenVersion(join(folder.console, 'updates'))
  : false;
if (leaves) app.exit(0);
else if (app.requestSingleInstanceLock()) {
  const started: Started = {};
  const starting = start(folder, started).catch(failToStart);
  drainOnQuit(async () => {
    // Ends early by itself: nothing begins any more.
    await starting;
    await started.endSession?.();
    await started.console?.close();
    started.updater?.installOnQuit();
  });
} else app.exit(0);
