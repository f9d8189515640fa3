import type { Checked, NotChecked } from '#shared/api/troubleshoot.ts';
import { formatCount } from '../../components/format-quantity.ts';
import { exactTime, utcTime } from '../../components/format-time.ts';
import { Glyph } from '../../components/glyph.tsx';
import { asSentence } from '../../components/list/sentence.ts';
import { PageLink } from '../../components/page-link.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { IconCheck, IconChevronDown } from '../../core/icons/icons.ts';
import { usePageAddress } from '../../core/page-address.ts';
import css from './checks.module.css';
import { panelAddress } from './troubleshoot-address.ts';

/** The part of a report that tells how much was checked. */
export type CheckedReport = {
  readonly checked: readonly Checked[];
  readonly not_checked: readonly NotChecked[];
  readonly symptoms: number;
  readonly took_ms: number;
  /** Absent for a text. */
  readonly read_at?: string;
};

/** Shows what could not be checked, first and always, and what was. */
export function Checks({ report }: { readonly report: CheckedReport }) {
  const { checked, not_checked, symptoms } = report;
  return (
    <div className={css.checks}>
      <section aria-label="Could not check">
        <h2 className={css.heading}>
          Could not check <span>{not_checked.length}</span>
        </h2>
        {not_checked.length === 0 ? (
          <p className={css.quiet}>Everything could be checked.</p>
        ) : (
          <ul>
            {not_checked.map((each) => (
              <Unchecked key={`${each.what} ${each.reason}`} unchecked={each} />
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Checked">
        <h2 className={css.heading}>
          Checked <span>{formatCount(symptoms, 'symptom')}</span>
        </h2>
        {checked.length === 0 && <p className={css.quiet}>Nothing was read.</p>}
        <ul>
          {checked.map(({ what, count }) => (
            <li key={what} className={css.check}>
              <IconCheck size={14} stroke={2} aria-hidden />
              <span>{what}</span>
              <span className={css.count}>{count.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
      </section>
      <Took report={report} />
    </div>
  );
}

function Took({ report: { took_ms, read_at } }: { readonly report: CheckedReport }) {
  const at = read_at === undefined ? undefined : Date.parse(read_at);
  return (
    <p className={css.quiet}>
      Took {formatTook(took_ms)}
      {at !== undefined && (
        <>
          , read at <time title={exactTime(at)}>{utcTime(at, Date.now())} UTC</time>
        </>
      )}
      .
    </p>
  );
}

/** `840 ms`, `3.2 s`. */
const formatTook = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

function Unchecked({ unchecked: { what, reason, symptoms } }: { readonly unchecked: NotChecked }) {
  const [address] = usePageAddress();
  return (
    <li className={css.unchecked}>
      <Glyph state="unknown" />
      <div>
        <b>{what}</b>
        <p>
          <WithCode>{asSentence(reason)}</WithCode>
        </p>
        {symptoms.length > 0 && (
          <details>
            <summary>{formatCount(symptoms.length, 'check')} skipped</summary>
            <ul>
              {symptoms.map((symptom) => (
                <li key={symptom}>
                  <PageLink to={panelAddress('catalogue', address.target, symptom)}>
                    <code>{symptom}</code>
                  </PageLink>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}

/** The same in one row that opens, for a window without room beside the reading. */
export function ChecksRow({ report }: { readonly report: CheckedReport }) {
  const missing = report.not_checked.length;
  return (
    <details className={css.row}>
      <summary>
        {missing > 0 && <Glyph state="unknown" />}
        {missing === 0 ? 'Everything could be checked' : `${missing} not checked`}
        <span>{formatCount(report.symptoms, 'symptom')} looked for</span>
        <IconChevronDown size={14} stroke={2} aria-hidden />
      </summary>
      <Checks report={report} />
    </details>
  );
}
