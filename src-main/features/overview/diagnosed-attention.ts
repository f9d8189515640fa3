import type { Attention } from '#shared/api/cluster.ts';
import type { Finding, Report } from '#shared/api/troubleshoot.ts';
import { clipped, keyOf } from '../../cluster-model/index.ts';
import type { OpenTarget } from '../../sources/cluster/index.ts';
import type { LastDiagnosis } from '../troubleshoot/index.ts';
import { firstOf, type Gathered, worstFirst } from './attention.ts';

/** Maximum age of a diagnosis while nothing changes, in ms: a diagnosis reads a lot. */
const unchangedFor = 5 * 60_000;
/** Maximum age of a diagnosis, in ms, once the objects needing attention have changed since it was made. */
const changedFor = 30_000;
/** Matters that are named. */
const most = 20;

/** The rows a report had when first seen: a finding whose row is gone has been fixed since. */
type Sight = { readonly rows: string; readonly rowed: ReadonlySet<string> };

export type DiagnosedAttention = (
  target: OpenTarget,
  gathered: Gathered,
) => {
  readonly attention: Attention[];
  readonly diagnosis: { running: boolean; at?: string };
};

/** Joins what is seen to need a person with what the last diagnosis says of it. */
export function diagnosedAttention(lastDiagnosis: LastDiagnosis): DiagnosedAttention {
  const sights = new WeakMap<Report, Sight>();
  /** The last answer for the same rows: a window asks every few seconds, and mostly nothing has changed. */
  const answered = new WeakMap<Gathered, { readonly report: Report; readonly attention: Attention[] }>();
  return (target, gathered) => {
    const { rows, rowOf } = gathered;
    const ids = rows.map(({ id }) => id).join(' ');
    const known = lastDiagnosis(target, Number.POSITIVE_INFINITY).last;
    const seen = known && sights.get(known.report);
    const isChanged = seen !== undefined && seen.rows !== ids;
    const { last, running } = lastDiagnosis(target, isChanged ? changedFor : unchangedFor);
    if (last === undefined) return { attention: firstOf(rows, worstFirst, most), diagnosis: { running } };
    const { report, at } = last;
    const diagnosis = { running, at: new Date(at).toISOString() };
    const before = answered.get(gathered);
    if (before?.report === report) return { attention: before.attention, diagnosis };
    const findings = report.findings.filter(({ severity }) => severity !== 'info');
    const sight = sights.get(report) ?? {
      rows: ids,
      rowed: new Set(findings.flatMap((each) => (rowIdOf(each, rowOf) === undefined ? [] : [each.id]))),
    };
    sights.set(report, sight);
    const open = findings.filter((each) => rowIdOf(each, rowOf) !== undefined || !sight.rowed.has(each.id));
    const attention = withFindings({ rows, rowOf }, open);
    answered.set(gathered, { report, attention });
    return { attention, diagnosis };
  };
}

/** Keys of a finding's objects: a report is told of again and again. */
const keys = new WeakMap<Finding, readonly string[]>();

function rowIdOf(finding: Finding, rowOf: Gathered['rowOf']): string | undefined {
  const known = keys.get(finding) ?? finding.objects.map(keyOf);
  keys.set(finding, known);
  for (const key of known) {
    const id = rowOf.get(key);
    if (id !== undefined) return id;
  }
  return undefined;
}

/**
 * Rows with the gravest finding of each in the place of what only is to be seen, and one for each finding that is of none;
 * the first of them, which alone are put into words.
 */
function withFindings({ rows, rowOf }: Gathered, findings: readonly Finding[]): Attention[] {
  const byRow = new Map<string, Finding>();
  const others: Finding[] = [];
  for (const finding of findings) {
    const id = rowIdOf(finding, rowOf);
    if (id === undefined) others.push(finding);
    else if (!byRow.has(id)) byRow.set(id, finding);
  }
  const told = [
    ...rows.map((row) => ({ state: row.state, object: row.object, row })),
    ...others.map((finding) => ({ state: stateOf(finding), object: finding.objects[0], finding })),
  ];
  return firstOf<(typeof told)[number]>(told, worstFirst, most).map((each) => {
    if ('finding' in each) return rowFor(each.finding);
    const finding = byRow.get(each.row.id);
    return finding === undefined ? each.row : explained(each.row, finding);
  });
}

const stateOf = ({ severity }: Finding): Attention['state'] =>
  severity === 'critical' ? 'failing' : 'degraded';

function explained(row: Attention, finding: Finding): Attention {
  return {
    ...row,
    title: finding.title,
    cause: row.cause === undefined ? row.title : `${row.title}: ${row.cause}`,
    place: placeOf(finding),
  };
}

function rowFor(finding: Finding): Attention {
  const { id, title, cause, objects, since } = finding;
  const [object] = objects;
  return {
    id,
    state: stateOf(finding),
    title,
    // The first sentence; the finding has the others.
    cause: clipped(cause.split(/(?<=\.) /)[0]?.replace(/\.$/, '') ?? cause),
    ...(object === undefined ? {} : { object }),
    place: placeOf(finding),
    ...(since === undefined ? {} : { since }),
  };
}

const placeOf = ({ id }: Finding): Record<string, string> => ({ tab: 'troubleshoot', record: id });
