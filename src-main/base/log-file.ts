import { closeSync, constants, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderSync } from './make-folder.ts';

export type LogFileOptions = {
  /** The newest file; older ones are next to it as `<name>.1.log` and so on. */
  readonly file: string;
  /** Bytes at which a file is full. */
  readonly mostBytes: number;
  /** Number of files kept, the newest included. */
  readonly files: number;
};

export type LogFile = {
  readonly file: string;
  /** Appends one line with its line end. Never throws: a full disk or a folder that may not be written costs lines only. */
  write(line: string): void;
  close(): void;
};

/** Delay before writing to a file that could not be written is retried, in ms. */
const retryAfter = 10_000;
/** Bytes of the longest line that is kept: a longer one would push everything else out of the files. */
const longestLine = 256 * 1024;

/**
 * A log on disk, readable by its owner only, that never exceeds `files * mostBytes`. Lines are written
 * synchronously, not by a separate thread, so that the last line before a crash is on disk. Several programs
 * may append to one file.
 */
export function openLogFile({ file, mostBytes, files }: LogFileOptions): LogFile {
  let opened: number | undefined;
  let size = 0;
  let closed = false;
  let brokenUntil = 0;

  const open = (): number => {
    makeFolderSync(dirname(file));
    const { O_APPEND, O_CREAT, O_WRONLY } = constants;
    const descriptor = openSync(file, O_APPEND | O_CREAT | O_WRONLY, 0o600);
    size = fstatSync(descriptor).size;
    return descriptor;
  };

  const release = (): void => {
    if (opened === undefined) return;
    const descriptor = opened;
    opened = undefined;
    closeSync(descriptor);
  };

  const rotate = (): void => {
    const full = opened === undefined ? undefined : fstatSync(opened).ino;
    // Closed first: Windows renames no open file.
    release();
    // Another program that writes here may have rotated it already.
    if (full === undefined || statSync(file, { throwIfNoEntry: false })?.ino !== full) return;
    for (let age = files - 1; age > 0; age -= 1) {
      const newer = age === 1 ? file : aged(file, age - 1);
      if (statSync(newer, { throwIfNoEntry: false }) !== undefined) renameSync(newer, aged(file, age));
    }
  };

  return {
    file,
    write(line) {
      if (closed || performance.now() < brokenUntil) return;
      try {
        const bytes = Buffer.from(line.length > longestLine ? `${leftOut(line)}\n` : line);
        opened ??= open();
        if (size > 0 && size + bytes.length > mostBytes) {
          rotate();
          opened = open();
        }
        size += writeSync(opened, bytes);
      } catch {
        // Nobody can be told by this way; standard error has every line, too.
        brokenUntil = performance.now() + retryAfter;
        try {
          release();
        } catch {
          // The descriptor is gone either way.
        }
      }
    },
    close() {
      closed = true;
      try {
        release();
      } catch {
        // As above.
      }
    },
  };
}

/** Path of an older file: `console.log` becomes `console.1.log`. */
function aged(file: string, age: number): string {
  return file.replace(/(?:\.log)?$/, `.${age}.log`);
}

function leftOut(line: string): string {
  return JSON.stringify({
    level: 40,
    time: Date.now(),
    msg: `a log line of ${line.length} characters was left out`,
  });
}
