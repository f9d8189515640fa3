import { type Clause, placeholders, type Symptom } from '#shared/api/symptoms.ts';
import { severityRank } from '#shared/health/worst-first.ts';

/** An entry with its location, such as `pods.yaml, crash-loop`. */
export type PlacedSymptom = { readonly origin: string; readonly symptom: Symptom };

/** Returns what is wrong with the entries as a set and with their texts, one sentence each. */
export function faultsOf(entries: readonly PlacedSymptom[]): string[] {
  const byId = new Map<string, PlacedSymptom>();
  const faults: string[] = [];
  for (const entry of entries) {
    const { id } = entry.symptom;
    const other = byId.get(id);
    if (other === undefined) byId.set(id, entry);
    else faults.push(`${entry.origin}: id is taken by ${other.origin}.`);
  }
  for (const { origin, symptom } of entries)
    faults.push(
      ...[...explanationFaults(symptom, byId), ...placeholderFaults(symptom)].map(
        (fault) => `${origin}: ${fault}`,
      ),
    );
  return faults;
}

/** All that a symptom explains, also through another. Ends for circles, too. */
export function allExplained(
  { explains }: Symptom,
  byId: ReadonlyMap<string, PlacedSymptom>,
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  for (const id of explains) {
    const general = byId.get(id);
    if (general === undefined || found.has(id)) continue;
    found.add(id);
    allExplained(general.symptom, byId, found);
  }
  return found;
}

function explanationFaults(symptom: Symptom, byId: ReadonlyMap<string, PlacedSymptom>): string[] {
  const missing = symptom.explains.filter((id) => !byId.has(id));
  const all = allExplained(symptom, byId);
  // What is folded into another is not shown: nothing may become milder by being explained.
  const worse = [...all].filter((id) => {
    const general = byId.get(id)?.symptom;
    return general !== undefined && severityRank(general.severity) < severityRank(symptom.severity);
  });
  return [
    ...missing.map((id) => `explains names ${id}, which is no entry.`),
    ...worse.map((id) => `explains names ${id}, directly or through another, which is worse than itself.`),
    ...(all.has(symptom.id) ? ['explains leads back to itself.'] : []),
  ];
}

/** Names in braces; `{end}` is of kubectl's jsonpath. */
const named = /\{([A-Za-z_]\w*)\}/g;
const general: ReadonlySet<string> = new Set([...placeholders, 'end']);

function placeholderFaults({ title, cause, fix, look_for }: Symptom): string[] {
  const texts: Readonly<Record<string, string>> = {
    title,
    cause,
    ...Object.fromEntries(
      fix.flatMap(({ text, command = '' }, index) => [
        [`fix.${index}.text`, text],
        [`fix.${index}.command`, command],
      ]),
    ),
  };
  const groups = look_for.map(groupsOf);
  return Object.entries(texts).flatMap(([field, text]) =>
    [...text.matchAll(named)].flatMap(([, name = '']) =>
      general.has(name) || groups.every((each) => each.has(name))
        ? []
        : [`${field} holds {${name}}, which not every clause of look_for gives.`],
    ),
  );
}

function groupsOf(clause: Clause): ReadonlySet<string> {
  return new Set(
    patternsOf(clause).flatMap(({ source }) =>
      [...source.matchAll(/\(\?<([A-Za-z_]\w*)>/g)].map(([, name = '']) => name),
    ),
  );
}

type Pattern = { readonly field: string; readonly source: string };

/** The regular expressions of a clause. */
export function patternsOf(clause: Clause): Pattern[] {
  if ('log' in clause) return given({ pattern: clause.log.pattern });
  if ('container' in clause) return given({ message: clause.container.message });
  if ('pod' in clause) return given({ message: clause.pod.message });
  if ('event' in clause) return given({ message: clause.event.message });
  if ('http' in clause) return given({ detail: clause.http.detail });
  if ('condition' in clause) return given({ message: clause.condition.message });
  if ('environment' in clause) {
    const { matches, not_matches } = clause.environment;
    return given({ matches, not_matches });
  }
  return [];
}

function given(patterns: Readonly<Record<string, string | undefined>>): Pattern[] {
  return Object.entries(patterns).flatMap(([field, source]) =>
    source === undefined ? [] : [{ field, source }],
  );
}
