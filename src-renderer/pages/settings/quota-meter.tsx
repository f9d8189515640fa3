import type { CodeHostQuota } from '#shared/api/code-host.ts';
import { exactTime, formatDuration } from '../../components/format-time.ts';
import { useNow } from '../../core/use-now.ts';
import { formatQuota, quotaShares } from './code-host-labels.ts';
import css from './quota-meter.module.css';
import { Section } from './section.tsx';

type QuotaMeterProps = { readonly quota: CodeHostQuota; readonly waitingUntil: string | undefined };

/** Shows the remaining quota of the code host for this hour, and the agents' share of it. */
export function QuotaMeter({ quota, waitingUntil }: QuotaMeterProps) {
  const now = useNow(10_000);
  const { free, reserved, used } = quotaShares(quota);
  const reset = Date.parse(quota.reset_at);
  return (
    <Section title="Quota">
      {/* The words below say the same. */}
      <div className={css.meter} aria-hidden>
        <span className={css.used} style={{ width: `${used}%` }} />
        <span className={css.free} style={{ width: `${free}%` }} />
        <span className={css.reserved} style={{ width: `${reserved}%` }} />
      </div>
      <ul className={css.legend}>
        <li data-part="used">used</li>
        <li data-part="free">for this console</li>
        <li data-part="reserved">reserved for the agents</li>
      </ul>
      <p className={css.words}>
        {formatQuota(quota)}{' '}
        <time dateTime={quota.reset_at} title={exactTime(reset)}>
          It resets {reset <= now ? 'now' : `in ${formatDuration(reset - now)}`}.
        </time>{' '}
        Unchanged answers cost nothing.
      </p>
      {waitingUntil !== undefined && (
        <p className={css.words}>
          Rate limited by the code host; retrying{' '}
          <time dateTime={waitingUntil} title={exactTime(Date.parse(waitingUntil))}>
            in {formatDuration(Math.max(0, Date.parse(waitingUntil) - now))}
          </time>
          .
        </p>
      )}
    </Section>
  );
}
