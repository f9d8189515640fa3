import type { Finding } from '#shared/api/troubleshoot.ts';
import type { FindingRow } from './finding-rows.ts';

/** The rows of what could be the cause as well, the most specific first. */
export const competing = (row: FindingRow, all: readonly FindingRow[]): readonly FindingRow[] =>
  row.finding.competes_with.flatMap(
    (id) => all.find((other) => other.from === row.from && other.finding.id === id) ?? [],
  );

/** Each symptom that a finding explains, with its own finding on one of the same objects where there is one. */
export const explained = (
  row: FindingRow,
  all: readonly FindingRow[],
): readonly { readonly symptom: string; readonly row: FindingRow | undefined }[] =>
  row.finding.explains.map((symptom) => ({
    symptom,
    row: all.find(
      (other) =>
        other.from === row.from &&
        other.finding.symptom === symptom &&
        (row.from === 'text' || shareObject(row.finding, other.finding)),
    ),
  }));

const shareObject = (one: Finding, other: Finding): boolean =>
  one.objects.some((object) =>
    other.objects.some(
      ({ kind, name, namespace }) =>
        kind === object.kind && name === object.name && namespace === object.namespace,
    ),
  );
