import type { AuditBreak, AuditOutcome, AuditVerdict, AuditVerification } from '#shared/api/audit.ts';
import { counted } from '#shared/text.ts';
import { formatDuration } from '../../components/format-time.ts';
import type { StateName } from '../../core/state-name.ts';

/** Icon and label of each outcome. */
export const outcomes: Readonly<Record<AuditOutcome, { readonly state: StateName; readonly label: string }>> =
  {
    success: { state: 'healthy', label: 'Success' },
    failure: { state: 'failing', label: 'Failed' },
    refused: { state: 'degraded', label: 'Refused' },
  };

/** A number as it is read: `61,337`. */
export const formatNumber = (value: number): string => value.toLocaleString('en');

/** A number of records: `1 record`, `61,337 records`. */
export const recordsLabel = (count: number): string => counted(count, 'record');

/** The first characters of a hash: enough to tell two apart by eye. */
export const shortHash = (hash: string): string => hash.slice(0, 8);

/** Meaning of each kind of break for whoever is accountable for the records. */
const meanings: Readonly<Record<AuditBreak['kind'], string>> = {
  edited: 'This record was changed after it was written.',
  removed: 'A record is missing here.',
  reordered: 'Records are not in the order in which they were written.',
  inserted: 'The console did not write the record in this place.',
  truncated: 'The newest records are missing: more were written than the store still has.',
  rewritten: 'The records are consistent, but they are not the ones that were written.',
};

/** Formatted verdict on the chain. */
export type VerdictLabels = {
  readonly state: StateName;
  readonly title: string;
  readonly detail: string;
  /** Meaning of the break and what can still be trusted; undefined without a break. */
  readonly meaning?: string;
  readonly brokenAt?: number;
  /** The record that shows the break best: the broken one, or the last before a gap. */
  readonly look?: number;
};

type Walk = { readonly result: AuditVerification; readonly at: number };

/**
 * The chain in words: from the newest page's verdict, and from the last whole walk of this window when there was one.
 * A break found by either is told.
 */
export function verdictLabel(verdict: AuditVerdict, walk: Walk | undefined): VerdictLabels {
  const broken = verdict.first_break ?? walk?.result.first_break;
  if (broken !== undefined) return brokenMessage(broken);
  const { head_seq } = verdict;
  if (head_seq === undefined) {
    return {
      state: 'idle',
      title: 'The chain is empty',
      detail: 'No privileged action yet: the first one writes record 1.',
    };
  }
  if (walk?.result.intact) {
    const since = head_seq - walk.result.checked;
    const took = `${recordsLabel(walk.result.checked)} in ${formatSeconds(walk.result.took_ms)}`;
    return {
      state: 'healthy',
      title: 'Verified intact',
      detail: since > 0 ? `${took}; ${formatNumber(since)} written since` : took,
    };
  }
  const whole = verdict.from_seq === undefined || verdict.from_seq === 1;
  return whole
    ? {
        state: 'healthy',
        title: 'Intact',
        detail:
          verdict.checked === 1 ? 'its only record checked' : `all ${recordsLabel(verdict.checked)} checked`,
      }
    : {
        state: 'healthy',
        title: 'Intact as far as checked',
        detail: `the newest ${formatNumber(verdict.checked)} of ${recordsLabel(head_seq)}; Verify walks them all`,
      };
}

function brokenMessage({ seq, kind, reason }: AuditBreak): VerdictLabels {
  const gone = kind === 'removed' || kind === 'truncated';
  const holds =
    seq > 1
      ? ` Records 1 to ${formatNumber(seq - 1)} are valid; nothing from record ${formatNumber(seq)} on can be trusted.`
      : ' No record can be trusted.';
  return {
    state: 'failing',
    title: `The chain breaks at record ${formatNumber(seq)}: ${kind}`,
    detail: reason,
    meaning: `${meanings[kind]}${holds}`,
    brokenAt: seq,
    ...(gone ? seq > 1 && { look: seq - 1 } : { look: seq }),
  };
}

type HeadLabels = { readonly where: string; readonly weakness: string | undefined };

/** Describes where the head is kept outside the store, and the consequence where that is a weakness. */
export function headLabel({ head_kept_in, head_unread }: AuditVerdict): HeadLabels {
  return head_unread === undefined
    ? headKept[head_kept_in]
    : {
        where: 'no head to believe',
        weakness: `Records cut off the end would not be noticed. ${head_unread}`,
      };
}

const headKept: Readonly<Record<AuditVerdict['head_kept_in'], HeadLabels>> = {
  keychain: { where: 'kept in the keychain', weakness: undefined },
  file: {
    where: 'kept in a file',
    weakness:
      'The head is kept in a file beside the store: records cut off the end are noticed, unless that file was changed too.',
  },
  nowhere: {
    where: 'kept nowhere else',
    weakness:
      'The head is kept only in the store: records cut off the end would not be noticed. A keychain would keep it.',
  },
};

type Pace = {
  readonly checked: number;
  readonly total: number;
  readonly startedAt: number;
  readonly at: number;
};

/** The pace of a walk: records per second and, once both are known, the time it still takes. */
export function formatPace({ checked, total, startedAt, at }: Pace): string {
  const seconds = (at - startedAt) / 1000;
  if (checked === 0 || seconds < 0.2) return '';
  const rate = checked / seconds;
  const left = Math.ceil((total - checked) / rate);
  const speed = `${formatNumber(rate >= 1000 ? Math.round(rate / 1000) * 1000 : Math.round(rate))} a second`;
  return total > checked && left >= 1 ? `${speed}, ${formatDuration(left * 1000)} left` : speed;
}

/** Formats what a stopped walk verified. */
export function stoppedMessage({ checked, total }: Pick<Pace, 'checked' | 'total'>): string {
  if (total === 0) return 'Stopped before the first record was checked.';
  return `Stopped after ${formatNumber(checked)} of ${recordsLabel(total)}, no break up to there.`;
}

/** A span of milliseconds with the digits a person can use: `0.3 s`, `12 s`. */
export function formatSeconds(milliseconds: number): string {
  return milliseconds < 10_000
    ? `${Math.max(0.1, Math.round(milliseconds / 100) / 10)} s`
    : formatDuration(milliseconds);
}
