import { useNow } from '../core/use-now.ts';
import { exactTime, formatAgo } from './format-time.ts';

/** A moment as "12 min ago", exact on hover. */
export function TimeAgo({ at }: { readonly at: number }) {
  const now = useNow(10_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {formatAgo(at, now)}
    </time>
  );
}
