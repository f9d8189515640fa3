import { ShareBar } from '../../components/share-bar.tsx';
import type { CertificateRow } from './certificate-row.ts';
import css from './validity.module.css';

/** Shows how much of its validity period a certificate has used. */
export function Validity({ ca }: { readonly ca: CertificateRow }) {
  const whole = (Date.parse(ca.not_after) - Date.parse(ca.not_before)) / 86_400_000;
  const used = whole <= 0 ? 1 : 1 - ca.days_left / whole;
  return (
    <span className={css.validity}>
      <ShareBar share={used} strained={ca.state === 'degraded' || ca.state === 'failing'} />
    </span>
  );
}
