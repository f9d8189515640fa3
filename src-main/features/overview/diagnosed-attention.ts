import type { Attention } from '#shared/api/cluster.ts';
import type { Finding, Report } from '#shared/api/troubleshoot.ts';
import { clipped, keyOf } from '../../cluster-model/index.ts';
import type { OpenTarget } from '../../sources/cluster/index.ts';
import type { LastDiagnosis } from '../troubleshoot/index.ts';
import { type Gathered, worstFirst } from './attention.ts';

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
  return (target, { rows, rowOf }) => {
    const ids = rows.map(({ id }) => id).join(' ');
    const known = lastDiagnosis(target, Number.POSITIVE_INFINITY).last;
    const before = known && sights.get(known.report);
    const isChanged = before !== undefined && before.rows !== ids;
    const { last, running } = lastDiagnosis(target, isChanged ? changedFor : unchangedFor);
    if (last === undefined) return { attention: rows.slice(0, most), diagnosis: { running } };
    const { report, at } = last;
    const findings = report.findings.filter(({ severity }) => severity !== 'info');
    const sight = sights.get(report) ?? {
      rows: ids,
      rowed: new Set(findings.flatMap((each) => (rowIdOf(each, rowOf) === undefined ? [] : [each.id]))),
    };
    sights.set(report, sight);
    const open = findings.filter((each) => rowIdOf(each, rowOf) !== undefined || !sight.rowed.has(each.id));
    return {
      attention: withFindings({ rows, rowOf }, open).slice(0, most),
      diagnosis: { running, at: new Date(at).toISOString() },
    };
  };
}

const rowIdOf = ({ objects }: Finding, rowOf: Gathered['rowOf']): string | undefined =>
  objects.map((object) => rowOf.get(keyOf(object))).find((id) => id !== undefined);

/** Rows with the gravest finding of each in the place of what only is to be seen, and one for each finding that is of none. */
function withFindings({ rows, rowOf }: Gathered, findings: readonly Finding[]): Attention[] {
  const byRow = new Map<string, Finding>();
  const others: Attention[] = [];
  for (const finding of findings) {
    const id = rowIdOf(finding, rowOf);
    if (id === undefined) others.push(rowFor(finding));
    else if (!byRow.has(id)) byRow.set(id, finding);
  }
  const reported = rows.map((row): Attention => {
    const finding = byRow.get(row.id);
    if (finding === undefined) return row;
    return {
      ...row,
      title: finding.title,
      cause: row.cause === undefined ? row.title : `${row.title}: ${row.cause}`,
      place: placeOf(finding),
    };
  });
  return [...reported, ...others].sort(worstFirst);
}

function rowFor(finding: Finding): Attention {
  const { id, severity, title, cause, objects, since } = finding;
  const [object] = objects;
  return {
    id,
    state: severity === 'critical' ? 'failing' : 'degraded',
    title,
    // The first sentence; the finding has the others.
    cause: clipped(cause.split(/(?<=\.) /)[0]?.replace(/\.$/, '') ?? cause),
    ...(object === undefined ? {} : { object }),
    place: placeOf(finding),
    ...(since === undefined ? {} : { since }),
  };
}

const placeOf = ({ id }: Finding): Record<string, string> => ({ tab: 'troubleshoot', record: id });
