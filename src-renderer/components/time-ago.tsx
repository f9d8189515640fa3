import { useAsOf } from '../core/as-of.ts';
import { useNow } from '../core/use-now.ts';
import { exactTime, formatAgo } from './format-time.ts';

/** Clocks of a cluster differ a little from the time that its bundle has, in ms. */
const skew = 3_600_000;

type TimeAgoProps = {
  readonly at: number;
  /** Counts from now also on a page that is read from a bundle: for what is not in the bundle. */
  readonly fromNow?: boolean;
};

/** A moment as "12 min ago", exact on hover; of what is in a bundle as of when that was taken. */
export function TimeAgo({ at, fromNow = false }: TimeAgoProps) {
  const now = useNow(10_000);
  const asOf = useAsOf();
  // What is later than a bundle is not in it.
  const isCaptured = asOf !== undefined && !fromNow && at <= asOf + skew;
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={`${exactTime(at)}${isCaptured ? ', counted from when the bundle was taken' : ''}`}
    >
      {formatAgo(at, isCaptured ? asOf : now)}
    </time>
  );
}
