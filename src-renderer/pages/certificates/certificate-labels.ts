import { formatCount } from '../../components/format-quantity.ts';
import type { CertificateRow, CertificateUse } from './certificate-row.ts';

/** `9 days`, or how long ago it expired. Of whole days left, rounded down, so that -1 is the day that has just begun. */
export function daysLabel(daysLeft: number): string {
  if (daysLeft >= 0) return daysLeft < 1 ? 'below 1 day' : formatCount(Math.floor(daysLeft), 'day');
  const ago = Math.ceil(-daysLeft) - 1;
  return ago < 1 ? 'expired today' : `expired ${formatCount(ago, 'day')} ago`;
}

/** The common name in a distinguished name, else its organisation; undefined when it has neither. */
export function commonName(name: string): string | undefined {
  const found = /(?:^|, )CN=((?:\\.|[^,\\])+)/.exec(name) ?? /(?:^|, )O=((?:\\.|[^,\\])+)/.exec(name);
  // A comma inside a name is escaped.
  return found?.[1]?.replace(/\\(.)/g, '$1');
}

/** The common name of a certificate, of which a namespace may hold several; else whose it is. */
export function certificateName({ subject, namespace, use }: CertificateRow): string {
  return commonName(subject) ?? (use === 'mesh_ca' ? `Mesh CA of ${namespace}` : subject);
}

/** Uses as a person reads them. */
export const useLabels: Readonly<Record<CertificateUse, string>> = {
  mesh_ca: 'Mesh CA',
  tls: 'TLS',
  ca_bundle: 'CA bundle',
  kubeconfig: 'Kubeconfig',
};

/** Tells whether the certificate chain verifies. */
export function chainLabel({
  use,
  chain_ok: chainOk,
}: Pick<CertificateRow, 'use' | 'chain_ok'>): string | undefined {
  // Of others the issuer need not be in the same place.
  if (use !== 'mesh_ca') return undefined;
  if (chainOk === undefined) return 'Self-signed';
  return chainOk ? 'Verifies' : 'Does not verify';
}

/** Spans of time in which certificates expire, nearest first. `until` in days, not reached. */
export const spans = [
  { name: 'Expired', until: 0 },
  { name: 'Within 7 days', until: 7 },
  { name: 'Within 30 days', until: 30 },
  { name: 'Within 90 days', until: 90 },
  { name: 'Within a year', until: 365 },
  { name: 'Later', until: Number.POSITIVE_INFINITY },
] as const;

/** Certificates by the span they expire in, each span's nearest first. */
export const bySpan = (items: readonly CertificateRow[]): readonly (readonly CertificateRow[])[] =>
  spans.map(({ until }, index) => {
    const from = index === 0 ? Number.NEGATIVE_INFINITY : (spans[index - 1]?.until ?? 0);
    return items
      .filter(({ days_left }) => days_left >= from && days_left < until)
      .sort((a, b) => a.days_left - b.days_left);
  });

/** Marks of a span that fit without being grouped. */
const mostMarks = 4;

/** One certificate, or several of one issuer in one state. */
export type Mark = {
  readonly first: CertificateRow;
  readonly count: number;
  /** Common name of the issuer of several. */
  readonly issuer: string | undefined;
};

/**
 * A span's certificates as marks: each its own while they fit, else those of one issuer in one state together. The one
 * that expires first stands for its group.
 */
export function marksOf(span: readonly CertificateRow[]): readonly Mark[] {
  if (span.length <= mostMarks) return span.map((first) => ({ first, count: 1, issuer: undefined }));
  const groups = new Map<string, CertificateRow[]>();
  for (const row of span) {
    const key = `${row.state} ${row.issuer ?? row.subject}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].flatMap((group): Mark[] => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      {
        first,
        count: group.length,
        issuer: group.length === 1 ? undefined : commonName(first.issuer ?? first.subject),
      },
    ];
  });
}
