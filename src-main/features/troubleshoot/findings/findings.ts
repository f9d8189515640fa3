import type { ObjectRef } from '#shared/api/cluster.ts';
import type { Severity, Symptom } from '#shared/api/symptoms.ts';
import type { Finding } from '#shared/api/troubleshoot.ts';
import { keyOf } from '../../../cluster-model/index.ts';
import { requirementText } from '../../requirements/index.ts';
import { withSharedCauses } from '../evidence/shared-causes.ts';
import type { Hit } from '../match/index.ts';
import { evidenceRows } from './evidence-rows.ts';
import { filled, filledCommand, type PodOf, placeholdersOf, valuesOf } from './placeholders.ts';

/** A symptom on one object with everything that shows it. */
type Draft = { readonly symptom: Symptom; readonly owner: string; readonly hits: readonly Hit[] };

/**
 * Hits as findings: one for each symptom and what it was found on. What rules a symptom out takes its hits away; a general
 * symptom is folded into the specific one that explains it; specific ones that explain the same compete.
 */
export function findingsOf(hits: readonly Hit[], podOf: PodOf = () => undefined): Finding[] {
  const byOwner = new Map<string, Draft[]>();
  for (const draft of draftsOf(hits)) byOwner.set(draft.owner, [...(byOwner.get(draft.owner) ?? []), draft]);
  return withSharedCauses(
    [...byOwner.values()].flatMap((drafts) => judged(drafts)),
    idOf,
  )
    .map((one) => findingOf(one, podOf))
    .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

const severities: readonly Severity[] = ['critical', 'warning', 'info'];

function draftsOf(hits: readonly Hit[]): Draft[] {
  const excluding = new Map<string, Hit[]>();
  for (const hit of hits)
    if (hit.rule.excludes) {
      const { id } = hit.rule.symptom;
      excluding.set(id, [...(excluding.get(id) ?? []), hit]);
    }
  const drafts = new Map<string, Draft & { readonly hits: Hit[] }>();
  for (const hit of hits) {
    const { symptom, excludes } = hit.rule;
    if (excludes || excluding.get(symptom.id)?.some((other) => isOfTheSame(hit, other))) continue;
    const owner = hit.origin.owner === undefined ? '' : keyOf(hit.origin.owner);
    const key = `${symptom.id} ${owner}`;
    const draft = drafts.get(key);
    if (draft === undefined) drafts.set(key, { symptom, owner, hits: [hit] });
    else draft.hits.push(hit);
  }
  return [...drafts.values()];
}

/**
 * True when both are of the same container where both name one, of the same pod where both are of pods, else
 * of the same workload.
 */
function isOfTheSame({ origin: a }: Hit, { origin: b }: Hit): boolean {
  const keyed = (object: ObjectRef | undefined): string => (object === undefined ? '' : keyOf(object));
  if (keyed(a.owner) !== keyed(b.owner)) return false;
  if (a.object?.kind !== 'Pod' || b.object?.kind !== 'Pod') return true;
  if (keyed(a.object) !== keyed(b.object)) return false;
  return a.container === undefined || b.container === undefined || a.container === b.container;
}

type Judged = Draft & {
  readonly explained: readonly string[];
  readonly rivals: readonly string[];
  readonly severity: Severity;
};

/**
 * Returns the symptoms of one object that remain after those explained by others are folded in, most specific
 * first.
 */
function judged(drafts: readonly Draft[]): Judged[] {
  const found = new Map(drafts.map((draft) => [draft.symptom.id, draft]));
  const explainedBy = new Map(drafts.map((draft) => [draft.symptom.id, explained(draft.symptom, found)]));
  const folded = new Set([...explainedBy.values()].flatMap((ids) => [...ids]));
  const left = drafts.filter(({ symptom }) => !folded.has(symptom.id)).sort(bySpecificity);
  return left.map((draft) => {
    const own = explainedBy.get(draft.symptom.id) ?? new Set();
    const rivals = left.filter(
      (other) => other !== draft && [...(explainedBy.get(other.symptom.id) ?? [])].some((id) => own.has(id)),
    );
    // What follows from it is as grave as it is itself.
    const severity = gravest([draft, ...[...own].flatMap((id) => found.get(id) ?? [])].map(severityOf));
    return { ...draft, explained: [...own], rivals: rivals.map(idOf), severity };
  });
}

/** Returns the severity of a finding; one that is over and has recovered is only `info`. */
function severityOf({ symptom, hits }: Draft): Severity {
  return hits.every(({ origin }) => origin.past === true) ? 'info' : symptom.severity;
}

function gravest(all: readonly Severity[]): Severity {
  return severities.find((severity) => all.includes(severity)) ?? 'info';
}

/** Every symptom found here that this one explains, also through another. */
function explained(symptom: Symptom, found: ReadonlyMap<string, Draft>): Set<string> {
  const ids = new Set<string>();
  const follow = ({ explains }: Symptom): void => {
    for (const id of explains) {
      const draft = found.get(id);
      if (draft === undefined || ids.has(id) || id === symptom.id) continue;
      ids.add(id);
      follow(draft.symptom);
    }
  };
  follow(symptom);
  return ids;
}

/**
 * Compares drafts: more kinds of agreeing evidence first; then a message of a program or a component before a
 * state; then the more severe.
 */
function bySpecificity(a: Draft, b: Draft): number {
  const kinds = ({ hits }: Draft): number => new Set(hits.map(({ kind }) => kind)).size;
  const matchedLength = ({ hits }: Draft): number =>
    hits.some(
      ({ kind, matched }) =>
        kind === 'log' || kind === 'text' || (kind !== 'check' && matched.match !== undefined),
    )
      ? 1
      : 0;
  return (
    kinds(b) - kinds(a) ||
    matchedLength(b) - matchedLength(a) ||
    severities.indexOf(a.symptom.severity) - severities.indexOf(b.symptom.severity)
  );
}

const idOf = ({ symptom, owner }: Pick<Draft, 'symptom' | 'owner'>): string =>
  owner === '' ? symptom.id : `${symptom.id}:${owner}`;

function findingOf(one: Judged, podOf: PodOf): Finding {
  const { symptom, hits } = one;
  const known = placeholdersOf(symptom);
  // Those whose pattern has names stand first: what they call is what the texts speak of.
  const telling = [...hits].sort(
    (a, b) => Object.keys(b.matched.named).length - Object.keys(a.matched.named).length,
  );
  const values = valuesOf(telling, podOf);
  const fill = (text: string): string => filled(text, known, values);
  const { evidence, count } = evidenceRows(hits);
  const since = hits
    .flatMap(({ origin }) => origin.since ?? origin.at ?? [])
    .sort()
    .at(0);
  const sentence = requirementText(symptom.reference);
  return {
    id: idOf(one),
    symptom: symptom.id,
    area: symptom.area,
    severity: one.severity,
    title: fill(symptom.title),
    cause: fill(symptom.cause),
    fix: symptom.fix.map(({ text, command }) => ({
      text: fill(text),
      ...(command === undefined ? {} : { command: filledCommand(command, known, values) }),
    })),
    objects: objectsOf(hits),
    evidence,
    evidence_count: count,
    ...(since === undefined ? {} : { since }),
    competes_with: [...one.rivals],
    explains: [...one.explained],
    ruled_out_by: fill(symptom.ruled_out_by),
    reference: symptom.reference,
    ...(sentence === undefined ? {} : { reference_text: sentence }),
  };
}

/** Kinds that a workload owns; the workload stands for them in a finding. */
const ownedKinds = new Set(['Pod', 'ReplicaSet', 'Job']);
const mostObjects = 20;

function objectsOf(hits: readonly Hit[]): ObjectRef[] {
  const objects = new Map<string, ObjectRef>();
  for (const { origin } of hits) {
    if (origin.owner !== undefined) objects.set(keyOf(origin.owner), origin.owner);
  }
  for (const { origin } of hits) {
    const { object, owner } = origin;
    if (object === undefined || (ownedKinds.has(object.kind) && owner !== undefined)) continue;
    objects.set(keyOf(object), object);
  }
  return [...objects.values()].slice(0, mostObjects);
}
