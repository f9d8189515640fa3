import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { arch, release } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '../base/error-message.ts';
import { makeFolderSync } from '../base/make-folder.ts';
import type { ConsoleLog } from './console-log.ts';
import { version } from './program.ts';

/** The way an error went unhandled. */
export type CrashOrigin = 'uncaughtException' | 'unhandledRejection';

export type Crash = {
  readonly error: unknown;
  readonly origin: CrashOrigin;
  /** The error's message, secrets removed. */
  readonly message: string;
  /** The report; undefined when it could not be written. */
  readonly file: string | undefined;
};

export type CrashWatch = {
  /** Sets the log of the starting console: reports are written beside it, and contain its last lines. */
  takeLog(log: ConsoleLog): void;
};

/** Reports that are kept, the newest. */
const mostReports = 20;
/** Lines of the log in a report. */
const lines = 50;

/**
 * Logs every unhandled error and writes a report, then calls `onCrash`. Without a log yet nothing is written,
 * and `onCrash` is called all the same.
 */
export function watchCrashes(onCrash: (crash: Crash) => void): CrashWatch {
  let log: ConsoleLog | undefined;
  const take = (error: unknown, origin: CrashOrigin): void => {
    const redact = log?.redact ?? ((text: string) => text);
    const message = redact(errorMessage(error));
    log?.log.fatal({ err: error, origin }, 'uncaught error');
    onCrash({
      error,
      origin,
      message,
      file: log === undefined ? undefined : writeReport(error, origin, log),
    });
  };
  process.on('uncaughtException', (error) => take(error, 'uncaughtException'));
  process.on('unhandledRejection', (error) => take(error, 'unhandledRejection'));
  return {
    takeLog(taken) {
      log = taken;
    },
  };
}

/**
 * Writes the report and returns its path, or undefined when it cannot be written: the error is reported
 * either way.
 */
function writeReport(error: unknown, origin: CrashOrigin, log: ConsoleLog): string | undefined {
  const at = new Date();
  const report = {
    time: at.toISOString(),
    version: version(),
    origin,
    error:
      error instanceof Error
        ? { name: error.name, message: error.message, stack: error.stack?.split('\n') }
        : { message: String(error) },
    platform: {
      system: process.platform,
      release: release(),
      arch: arch(),
      node: process.versions.node,
      electron: process.versions.electron,
      chrome: process.versions.chrome,
    },
    uptime_s: Math.round(process.uptime()),
    memory_bytes: process.memoryUsage().rss,
    log: log.recent().slice(-lines),
  };
  const stamp = at.toISOString().replace(/[:.]/g, '-');
  const file = join(log.folder, `crash-${stamp}-${randomBytes(2).toString('hex')}.json`);
  try {
    makeFolderSync(log.folder);
    writeFileSync(file, log.redact(`${JSON.stringify(report, undefined, 2)}\n`), { mode: 0o600, flag: 'wx' });
    removeOld(log.folder);
    return file;
  } catch {
    return undefined;
  }
}

/** Removes the oldest reports by their names, which begin with the time. */
function removeOld(folder: string): void {
  const reports = readdirSync(folder).filter((name) => /^crash-.*\.json$/.test(name));
  for (const name of reports.toSorted().slice(0, -mostReports)) rmSync(join(folder, name));
}
