import { type Severity, type Symptom, type SymptomArea, symptomArea } from '#shared/api/symptoms.ts';
import { gravestFirst } from './severity-labels.ts';
import { areaTitles, clauseLabel, withPlaceholders } from './symptom-labels.ts';

/** Filter of the catalogue. */
export type CatalogueFilter = {
  readonly q?: string | undefined;
  readonly severity?: Severity | undefined;
};

export type AreaGroup = { readonly area: SymptomArea; readonly symptoms: readonly Symptom[] };

/** The symptoms that have every word of the filter, by area in the catalogue's order, the gravest first. */
export function areaGroups(
  symptoms: readonly Symptom[],
  { q = '', severity }: CatalogueFilter,
): readonly AreaGroup[] {
  const terms = q
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  const passing = symptoms.filter((symptom) => {
    if (severity !== undefined && symptom.severity !== severity) return false;
    if (terms.length === 0) return true;
    const text = textOf(symptom);
    return terms.every((term) => text.includes(term));
  });
  return symptomArea.options
    .map((area) => ({
      area,
      symptoms: passing
        .filter((symptom) => symptom.area === area)
        .sort((a, b) => gravestFirst.indexOf(a.severity) - gravestFirst.indexOf(b.severity)),
    }))
    .filter((group) => group.symptoms.length > 0);
}

const textOf = ({ id, area, title, cause, look_for, fix, ruled_out_by, reference }: Symptom): string =>
  [
    id,
    areaTitles[area],
    withPlaceholders(title),
    cause,
    ...look_for.map(clauseLabel),
    ...fix.flatMap(({ text, command = '' }) => [text, command]),
    ruled_out_by,
    reference,
  ]
    .join('\n')
    .toLowerCase();
