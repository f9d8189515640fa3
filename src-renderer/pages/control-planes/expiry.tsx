import type { HealthCheck } from '#shared/api/cluster.ts';
import { exactTime } from '../../components/format-time.ts';
import { Glyph } from '../../components/glyph.tsx';
import { useNow } from '../../core/use-now.ts';
import { expiryOf } from './control-plane-labels.ts';
import css from './control-planes-page.module.css';

type ExpiryProps = {
  readonly check: HealthCheck;
  /** Epoch ms from which the days are counted: when a bundle was taken. Now when it is undefined. */
  readonly asOf: number | undefined;
};

/** Shows when a check's subject expires, as `CA expires in 12 days (3 Dec 2026)`; nothing if it does not expire. */
export function Expiry({ check: { name, expires_at }, asOf }: ExpiryProps) {
  const now = useNow(60_000);
  if (expires_at === undefined) return null;
  const at = Date.parse(expires_at);
  const { state, label } = expiryOf(name, at, asOf ?? now);
  return (
    <time className={css.expiry} data-state={state} dateTime={expires_at} title={exactTime(at)}>
      {state !== 'healthy' && <Glyph state={state} />}
      {label}
    </time>
  );
}
