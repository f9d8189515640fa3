import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import type { Cluster } from '../../../../src-main/sources/cluster/index.ts';
import { routeTable } from '../../../../src-shared/api/index.ts';
import type { CodedCheck, Symptom } from '../../../../src-shared/api/symptoms.ts';
import { type Finding, type Report, report } from '../../../../src-shared/api/troubleshoot.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { readingCluster } from '../cluster/harness.ts';

const catalogueRoute = routeTable.find(({ id }) => id === 'troubleshoot.catalogue');

/** What a console that reads this cluster finds, and every symptom it knows. */
export async function diagnosisOf(
  cluster: Cluster,
): Promise<{ readonly report: Report; readonly catalogue: readonly Symptom[] }> {
  const { get } = await readingCluster(cluster);
  const [run, known] = await Promise.all([get('/api/troubleshoot'), get('/api/troubleshoot/catalogue')]);
  if (run.status !== 200) throw new Error(`it answered ${run.status}: ${run.text}`);
  if (catalogueRoute?.id !== 'troubleshoot.catalogue') throw new Error('there is no route of the catalogue');
  return {
    report: report.parse(JSON.parse(run.text)),
    catalogue: catalogueRoute.answer.parse(JSON.parse(known.text)).symptoms,
  };
}

/** As `diagnosisOf`, of plain objects. */
export const diagnosed = (objects: RawObject[], options: Parameters<typeof objectCluster>[1] = {}) =>
  diagnosisOf(objectCluster(objects, options));

/** Findings by a coded check, also those that something more specific explains. */
export function byCheck(
  { report: { findings }, catalogue }: Awaited<ReturnType<typeof diagnosisOf>>,
  check: CodedCheck,
): Finding[] {
  const ids = new Set(
    catalogue
      .filter(({ look_for }) => look_for.some((clause) => 'check' in clause && clause.check === check))
      .map(({ id }) => id),
  );
  if (ids.size === 0) throw new Error(`no symptom of the catalogue asks for ${check}`);
  return findings.filter(({ symptom, explains }) => ids.has(symptom) || explains.some((id) => ids.has(id)));
}

/** Everything that findings say they were found by. */
export const seenIn = ({ findings }: Report): string[] =>
  findings.flatMap(({ evidence }) => evidence.map(({ text }) => text));
