import { formatAgo } from '../../components/format-time.ts';

type Freshness = {
  /** The last good read, in epoch milliseconds; 0 when there was none. */
  readonly readAt: number;
  readonly now: number;
  readonly paused: boolean;
  readonly failed: boolean;
};

/** How fresh the page is, in words. A page that stopped reading says so. */
export function freshnessLabel({ readAt, now, paused, failed }: Freshness): string {
  if (readAt === 0) return failed ? 'Not read' : 'Reading';
  const ago = formatAgo(readAt, now);
  if (failed) return `Read ${ago}, reading stopped`;
  return paused ? `Paused, read ${ago}` : `Read ${ago}`;
}
