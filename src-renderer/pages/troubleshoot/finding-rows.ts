import type { Severity } from '#shared/api/symptoms.ts';
import type { Finding } from '#shared/api/troubleshoot.ts';
import type { RunDifference } from './diagnosis-runs.ts';
import { gravestFirst, severities } from './severity-labels.ts';

/** State of a finding relative to the run compared with. `unchecked`: it was found then, and not looked for again. */
export type Mark = 'new' | 'same' | 'gone' | 'unchecked';

/** Every mark, in the order they are told. */
export const marks: readonly Mark[] = ['new', 'gone', 'unchecked', 'same'];

/** A finding as the list has it. */
export type FindingRow = {
  /** Key in the address; the same in every run. */
  readonly key: string;
  readonly finding: Finding;
  readonly from: 'target' | 'text';
  /** Undefined where there is no run to compare to. */
  readonly mark: Mark | undefined;
};

/** The key of a finding of a pasted text, whose id may be that of one of the target. */
export const textKey = (id: string): string => `text:${id}`;

/** True for the key of a finding of a text: the text is not kept, so it leads nowhere later. */
export const isTextKey = (key: string): boolean => key.startsWith(textKey(''));

type RowSources = {
  readonly found: readonly Finding[];
  /** Findings of a pasted text. */
  readonly text: readonly Finding[];
  readonly difference: RunDifference | undefined;
};

/** Everything the list may show, in the order it was reported; what is gone stands last. */
export function rowsOf({ found, text, difference }: RowSources): readonly FindingRow[] {
  const markOf = ({ id }: Finding): Mark | undefined =>
    difference === undefined ? undefined : difference.added.has(id) ? 'new' : 'same';
  return [
    ...found.map((finding) => row(finding, 'target', markOf(finding))),
    ...text.map((finding) => row(finding, 'text', undefined)),
    ...(difference?.gone ?? []).map(({ finding, checked }) =>
      row(finding, 'target', checked ? 'gone' : 'unchecked'),
    ),
  ];
}

const row = (finding: Finding, from: FindingRow['from'], mark: Mark | undefined): FindingRow => ({
  key: from === 'text' ? textKey(finding.id) : finding.id,
  finding,
  from,
  mark,
});

/** Filter of the list. */
export type FindingFilter = {
  readonly q?: string | undefined;
  readonly namespace?: string | undefined;
  readonly mark?: Mark | undefined;
};

/** The rows that have every word of the filter, in the namespace, with the mark. */
export function narrowedRows(
  rows: readonly FindingRow[],
  { q = '', namespace, mark }: FindingFilter,
): readonly FindingRow[] {
  const terms = q
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  return rows.filter(
    (candidate) =>
      (mark === undefined || candidate.mark === mark) &&
      (namespace === undefined || namespacesOf(candidate.finding).includes(namespace)) &&
      (terms.length === 0 || hasAll(textOf(candidate.finding), terms)),
  );
}

const hasAll = (text: string, terms: readonly string[]): boolean =>
  terms.every((term) => text.includes(term));

/** The namespaces that a finding is about. */
export const namespacesOf = ({ objects }: Finding): readonly string[] => [
  ...new Set(
    objects.flatMap(({ kind, name, namespace }) =>
      namespace !== undefined ? [namespace] : kind === 'Namespace' ? [name] : [],
    ),
  ),
];

/** Returns the searchable text, including the pods of the evidence, as a finding is about their workload. */
function textOf({ title, cause, symptom, severity, objects, evidence }: Finding): string {
  const seen = [...objects, ...evidence.flatMap(({ object }) => (object === undefined ? [] : [object]))];
  return [
    title,
    cause,
    symptom,
    severities[severity].label,
    ...seen.flatMap(({ kind, name, namespace }) => [
      kind,
      namespace === undefined ? name : `${namespace}/${name}`,
    ]),
  ]
    .join('\n')
    .toLowerCase();
}

/** The rows in the order in which the list shows them. */
export const inOrder = (rows: readonly FindingRow[]): readonly FindingRow[] =>
  groupsOf(rows).flatMap((group) => group.rows);

/**
 * The row to read while the person has chosen none: the first, of rows in order. Findings come one after another while a
 * diagnosis runs, so the one that is being read gives way only to a graver one.
 */
export function rowToRead(
  [first, ...others]: readonly FindingRow[],
  reading: string | undefined,
): FindingRow | undefined {
  if (first === undefined) return undefined;
  const kept = others.find(({ key }) => key === reading);
  const alike =
    kept !== undefined && isPast(kept) === isPast(first) && kept.finding.severity === first.finding.severity;
  return alike ? kept : first;
}

/** Rows under one head. */
export type FindingGroup = {
  readonly head: Severity | 'not_found_again';
  readonly rows: readonly FindingRow[];
};

/** True for what only the run compared to found. */
export const isPast = ({ mark }: FindingRow): boolean => mark === 'gone' || mark === 'unchecked';

/** The rows by severity, the gravest first, then those that were not found again. Empty groups are left out. */
export function groupsOf(rows: readonly FindingRow[]): readonly FindingGroup[] {
  const now = rows.filter((candidate) => !isPast(candidate));
  const groups: readonly FindingGroup[] = [
    ...gravestFirst.map((severity) => ({
      head: severity,
      rows: now.filter(({ finding }) => finding.severity === severity),
    })),
    { head: 'not_found_again', rows: rows.filter(isPast) },
  ];
  return groups.filter((group) => group.rows.length > 0);
}
