import type { BackendLog } from '../../backends/serving/index.ts';

/** What a backend says is what its container wrote: a line of JSON, without what failed inside it. */
export function containerLog(write: (text: string) => void): BackendLog {
  const line = (level: string) => (fields: object, msg: string) => {
    const plain = Object.entries(fields).filter(([, value]) => typeof value !== 'object');
    write(`${JSON.stringify({ level, ...Object.fromEntries(plain), msg })}\n`);
  };
  return { info: line('info'), warn: line('warn'), error: line('error') };
}
