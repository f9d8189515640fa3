import { pino } from 'pino';
import type { BackendLog } from '../backends/serving/index.ts';
import { writePrivateFile } from '../base/private-file.ts';
import { standardError } from '../start/console-log.ts';

/** Registers a command's running backend, to be closed on a signal to the process. */
export type CloseOnSignal = (running: { readonly url: string; close(): Promise<void> }) => void;

export type BackendRun<T> = {
  /** Names the program in what it prints, such as `Campaign backend`. */
  readonly name: string;
  /** JSON {url, pid}, written when requests are accepted. */
  readonly readyFile: string | undefined;
  /** Reads the settings and starts. Throws `StartupRefused` for what it does not start with. */
  readonly start: (log: BackendLog) => Promise<T>;
  readonly closeOnSignal: CloseOnSignal;
};

const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Starts a backend, reports its address, and leaves it running. If it refuses to start, the reason is the
 * message of the last line of its log, with nothing before it (BCK-061 to BCK-073); its exit code is then 1.
 */
export async function runBackend<T extends { readonly url: string; close(): Promise<void> }>(
  run: BackendRun<T>,
): Promise<void> {
  const log = pino({ level: process.env.CONSOLE_LOG_LEVEL ?? 'info' }, standardError());
  // Until it serves, a signal ends it at once; what it started as a child goes with it.
  const endAtOnce = (): never => process.exit(1);
  for (const signal of signals) process.once(signal, endAtOnce);
  try {
    const running = await run.start(log);
    for (const signal of signals) process.off(signal, endAtOnce);
    run.closeOnSignal(running);
    process.stdout.write(`${run.name} on ${running.url}\n`);
    if (run.readyFile !== undefined) writePrivateFile(run.readyFile, { url: running.url, pid: process.pid });
  } catch (error) {
    // Loaded by the backend itself by now; a console that runs none does without.
    const { StartupRefused } = await import('../backends/serving/index.ts');
    if (!(error instanceof StartupRefused)) throw error;
    log.error({}, error.message);
    process.exit(1);
  }
}
