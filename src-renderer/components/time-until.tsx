import { useNow } from '../core/use-now.ts';
import { exactTime, formatDuration } from './format-time.ts';

/** A moment to come as `in 12 min`, exact on hover; one that has passed since it was read is `now`. */
export function TimeUntil({ at }: { readonly at: number }) {
  const now = useNow(10_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {at <= now ? 'now' : `in ${formatDuration(at - now)}`}
    </time>
  );
}
