import { join } from 'node:path';
import { type Level, type Logger, multistream, pino, type StreamEntry } from 'pino';
import { type LogFile, openLogFile } from '../base/log-file.ts';
import type { Redact } from './redact.ts';
import { terminalLine } from './terminal-line.ts';

export type ConsoleLog = {
  readonly log: Logger;
  /** Folder of the log files and of crash reports. */
  readonly folder: string;
  /** The newest log file. */
  readonly file: string;
  /** The newest lines, oldest first, secrets removed. */
  recent(): readonly string[];
  /** Removes the console's secrets from a text that is written elsewhere. */
  readonly redact: Redact;
  close(): void;
};

export type ConsoleLogOptions = {
  readonly dataDir: string;
  /** Least severe line on standard error. The file has those from `info` on, or from `debug` where this says so. */
  readonly level: string;
  readonly redact: Redact;
  /** Text on standard error although that is no terminal. */
  readonly text?: boolean;
};

/** Bytes of one file, and how many are kept. */
const mostBytes = 5_000_000;
const files = 5;
/** Lines that stay in memory, for a crash report and diagnostics, and characters of each. */
const recentLines = 200;
const recentLength = 4000;

/** Folder of the log files of a console with this data folder. */
function logFolder(dataDir: string): string {
  return join(dataDir, 'logs');
}

/**
 * Opens the console's log: JSON lines in the data folder, and standard error as well, as text on a terminal
 * and as JSON lines elsewhere.
 */
export function openConsoleLog({ dataDir, level, redact, text = false }: ConsoleLogOptions): ConsoleLog {
  const folder = logFolder(dataDir);
  const file = openLogFile({ file: join(folder, 'console.log'), mostBytes, files });
  const kept: string[] = [];
  const fileLevel = level === 'debug' ? 'debug' : 'info';
  const streams: StreamEntry[] = [
    { level: fileLevel, stream: { write: (line) => keep(redact(line), file, kept) } },
  ];
  // One of pino's own: the settings take no other.
  if (level !== 'silent') streams.push({ level: level as Level, stream: standardError(text) });
  return {
    log: pino({ level: fileLevel }, multistream(streams)),
    folder,
    file: file.file,
    recent: () => [...kept],
    redact,
    close: file.close,
  };
}

function keep(line: string, file: LogFile, kept: string[]): void {
  file.write(line);
  kept.push(line.trimEnd().slice(0, recentLength));
  if (kept.length > recentLines) kept.shift();
}

/**
 * Returns the destination of lines for whoever started the program: text on a terminal, JSON lines elsewhere.
 */
export function standardError(text = false): { write(line: string): void } {
  const isTerminal = process.stderr.isTTY === true;
  if (!isTerminal && !text) return pino.destination({ dest: 2, sync: true });
  // https://no-color.org: set and not empty.
  const colours = isTerminal && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return { write: (line) => void process.stderr.write(terminalLine(line, colours)) };
}
