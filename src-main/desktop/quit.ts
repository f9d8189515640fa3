import { app } from 'electron';

/** Everything has ended or is cut off by then, in ms: the promise is 5 s, the rest is for Electron itself. */
const quitWithin = 4600;

/** Ends the program when its window closes or the system asks, after `close` has let open requests finish. */
export function drainOnQuit(close: () => Promise<void>): void {
  let draining = false;
  // On macOS too: without its window the program would be a server nobody sees.
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    // Electron waits for nobody: the program goes by app.exit below.
    event.preventDefault();
    if (draining) return;
    draining = true;
    setTimeout(() => app.exit(0), quitWithin);
    close().then(
      () => app.exit(0),
      (error: unknown) => {
        process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
        app.exit(1);
      },
    );
  });
}
