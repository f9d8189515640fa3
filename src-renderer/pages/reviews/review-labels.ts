import type { Finding, Review, ReviewComment, Severity } from '#shared/api/runs.ts';
import { counted } from '#shared/text.ts';
import type { StateName } from '../../core/state-name.ts';

type SeverityLabels = {
  readonly state: StateName;
  readonly one: string;
  readonly many: string;
};

/** Severities by shape and word, the gravest first. */
export const severities: Readonly<Record<Severity, SeverityLabels>> = {
  error: { state: 'failing', one: 'error', many: 'errors' },
  warning: { state: 'degraded', one: 'warning', many: 'warnings' },
  note: { state: 'idle', one: 'note', many: 'notes' },
};

export const gravestFirst: readonly Severity[] = ['error', 'warning', 'note'];

/** Counts findings by severity. */
export function countsOf(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}

/** `3 errors`. */
export const severityCount = (severity: Severity, count: number): string =>
  `${count} ${count === 1 ? severities[severity].one : severities[severity].many}`;

/** Summarises a review's findings, such as `2 errors, 1 note`. */
export function findingsLabel(findings: readonly Finding[]): string {
  const counts = countsOf(findings);
  const label = gravestFirst.flatMap((severity) =>
    counts[severity] === 0 ? [] : [severityCount(severity, counts[severity])],
  );
  return label.length === 0 ? 'no findings' : label.join(', ');
}

/** `3 findings`. */
export const formatCount = (count: number): string =>
  count === 0 ? 'no findings' : counted(count, 'finding');

/** The change a review is of: its pull request and title, else its branch or commit. */
export function changeOf({ pull_request: pull, title, branch, sha }: Review): string {
  const label = title ?? branch ?? sha.slice(0, 7);
  return pull === undefined ? label : title === undefined ? `#${pull}` : `#${pull} ${title}`;
}

/** Findings of one severity, by file. */
export type FindingGroup = {
  readonly severity: Severity;
  readonly files: readonly { readonly path: string; readonly findings: readonly Finding[] }[];
};

/** Findings by severity, the gravest first, then by file, then down the file. */
export function groupsOf(findings: readonly Finding[]): readonly FindingGroup[] {
  return gravestFirst.flatMap((severity) => {
    const files = new Map<string, Finding[]>();
    for (const finding of findings) {
      if (finding.severity !== severity) continue;
      const known = files.get(finding.path);
      if (known === undefined) files.set(finding.path, [finding]);
      else known.push(finding);
    }
    if (files.size === 0) return [];
    return {
      severity,
      files: [...files]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([path, inFile]) => ({
          path,
          findings: inFile.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
        })),
    };
  });
}

/** `src/a.ts:12` or `src/a.ts:12-18`, as editors take it. */
export function lineLabel({ path, line, end_line: end }: Finding): string {
  if (line === undefined) return path;
  return end === undefined || end === line ? `${path}:${line}` : `${path}:${line}-${end}`;
}

/** Icon and label of a person's or agent's verdict on the change. */
export function verdictOf({ verdict }: ReviewComment): { state: StateName; label: string } {
  if (verdict === 'approved') return { state: 'healthy', label: 'Approved' };
  if (verdict === 'changes_requested') return { state: 'failing', label: 'Changes requested' };
  if (verdict === 'dismissed') return { state: 'idle', label: 'Dismissed' };
  return { state: 'idle', label: 'Commented' };
}
