import { readFileSync } from 'node:fs';

/**
 * A process by its id and its start, which no later process with that id shares: `<pid>-<start>`, the start in clock ticks since boot
 * (proc_pid_stat(5), field 22), or 0 where there is no /proc.
 */
export type ProcessIdentity = string;

/** Identity of a process, this one unless said otherwise; undefined when there is none by that id. */
export function processIdentity(pid: number = process.pid): ProcessIdentity | undefined {
  if (process.platform !== 'linux') return isRunning(pid) ? `${pid}-0` : undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the name of the program, in parentheses, and may hold both spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${pid}-${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Returns whether the process of that identity is gone; also true for what is no identity. */
export function isGone(identity: ProcessIdentity): boolean {
  return processIdentity(Number.parseInt(identity, 10)) !== identity;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
