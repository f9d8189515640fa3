import { app, BrowserWindow } from 'electron';
import { errorMessage } from '../base/error-message.ts';
import { beginProcessEnd, isComputing } from '../base/process-end.ts';
import { watchExit } from './exit-watch.ts';

/** Everything has ended or is cut off by then, in ms: the promise is 5 s, the rest is for Electron itself. */
const quitWithin = 4600;
/** Then a program outside ends this one, in ms. */
const killAfter = 4800;

/**
 * Quits the program when its last window closes or the system requests it, after `close` has let open requests finish. Call
 * it before anything is started: nothing begins once it quits, and `close` closes what had begun.
 */
export function drainOnQuit(close: () => Promise<void>): void {
  let draining = false;
  // On macOS too: without its window the program would be a server nobody sees.
  app.on('window-all-closed', () => {
    // One that a page closed is open again by now.
    if (BrowserWindow.getAllWindows().length === 0) app.quit();
  });
  app.on('will-quit', (event) => {
    // Electron waits for nobody: the program goes by app.exit below.
    event.preventDefault();
    if (draining) return;
    draining = true;
    beginProcessEnd();
    watchExit(killAfter);
    setTimeout(() => app.exit(0), quitWithin);
    close()
      .then(whenIdle)
      .then(
        () => app.exit(0),
        (error: unknown) => {
          process.stderr.write(`error: ${errorMessage(error)}\n`);
          app.exit(1);
        },
      );
  });
}

/** Ends the program without waiting for anything: its windows are not opened again, and nothing begins. */
export function endNow(code: number): void {
  beginProcessEnd();
  app.exit(code);
}

/** Pending work of the system, such as reading a file, by Node's names for it. */
const request = /req|job|immediate/i;
/** Longest wait for it, in ms. */
const idleWithin = 1000;

/**
 * Waits for what is under way when all is closed: Electron ends Node's environment in the middle of it, which Node 18 (in
 * Electron 25) was seen not to survive: it turned in circles for ever.
 */
async function whenIdle(): Promise<void> {
  const end = performance.now() + idleWithin;
  do await new Promise((resolve) => setTimeout(resolve, 20));
  while (
    performance.now() < end &&
    (isComputing() || process.getActiveResourcesInfo().some((name) => request.test(name)))
  );
}
