import type { BackendLog } from '../../backends/serving/index.ts';

/** Returns a backend's log as its container's output: a line of JSON each, without internal error details. */
export function containerLog(write: (text: string) => void): BackendLog {
  const line = (level: string) => (fields: object, msg: string) => {
    const plain = Object.entries(fields).filter(([, value]) => typeof value !== 'object');
    write(`${JSON.stringify({ level, ...Object.fromEntries(plain), msg })}\n`);
  };
  return { info: line('info'), warn: line('warn'), error: line('error') };
}
