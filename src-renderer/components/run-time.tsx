import type { RunState } from '#shared/api/runs.ts';
import { useNow } from '../core/use-now.ts';
import { formatTook, isUnderWay } from './run-state.ts';

type RunTimeProps = {
  readonly state: RunState;
  /** Until its end, or until `readAt` while it runs. */
  readonly tookSeconds: number | undefined;
  /** Time of the reading, in this machine's epoch milliseconds. */
  readonly readAt: number;
};

/** Shows how long a run took; keeps counting while it runs. */
export function RunTime({ state, tookSeconds, readAt }: RunTimeProps) {
  if (tookSeconds === undefined) return null;
  if (!isUnderWay(state)) return formatTook(tookSeconds);
  return <Counting tookSeconds={tookSeconds} readAt={readAt} />;
}

function Counting({ tookSeconds, readAt }: { readonly tookSeconds: number; readonly readAt: number }) {
  const now = useNow(1000);
  return formatTook(tookSeconds + Math.max(0, now - readAt) / 1000);
}
