import type { LogText } from './log-text.ts';

/** Offers the log that was read as a file, without asking the code host for it again. */
export function saveLog(name: string, log: LogText): void {
  const address = URL.createObjectURL(new Blob([...log.pieces], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the bytes by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
