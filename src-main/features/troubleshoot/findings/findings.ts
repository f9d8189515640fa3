import type { HealthState, ObjectRef } from '#shared/api/cluster.ts';
import type { Severity, Symptom } from '#shared/api/symptoms.ts';
import type { Finding } from '#shared/api/troubleshoot.ts';
import { compareObjects, gravestOf, severityOfState, severityRank } from '#shared/health/worst-first.ts';
import { atOnce, type Steps } from '#shared/steps.ts';
import { groupBy, keyOf } from '../../../cluster-model/index.ts';
import { requirementText } from '../../requirements/index.ts';
import { withSharedCauses } from '../evidence/shared-causes.ts';
import type { Hit } from '../match/index.ts';
import { evidenceRows } from './evidence-rows.ts';
import {
  aboutOnePod,
  filled,
  filledCommand,
  type PodOf,
  placeholdersOf,
  type Values,
  valuesOf,
} from './placeholders.ts';

/** A symptom on one object with everything that shows it. */
type Draft = {
  readonly symptom: Symptom;
  readonly owner: string;
  /** Subject of an error. */
  readonly target?: string | undefined;
  readonly hits: readonly Hit[];
};

/** The judgement of an object that a finding is counted to: what the pages call it, and in which state. */
export type JudgedObject = { readonly object: ObjectRef; readonly state: HealthState | undefined };

/** Returns how the pages judge an object; a Deployment of a control plane is judged with that. */
export type JudgedOf = (owner: ObjectRef) => JudgedObject;

const notJudged: JudgedOf = (object) => ({ object, state: undefined });

/** As `findingsInSteps`, at once. */
export function findingsOf(hits: readonly Hit[]): Finding[] {
  return atOnce(findingsInSteps(hits));
}

/**
 * Hits as findings, `most` of the gravest: one for each symptom and what it was found on. What rules a symptom out takes
 * its hits away; a general symptom is folded into the specific one that explains it; specific ones that explain the same
 * compete.
 */
export function* findingsInSteps(
  hits: readonly Hit[],
  {
    podOf = () => undefined,
    judgedOf = notJudged,
    most,
  }: { readonly podOf?: PodOf; readonly judgedOf?: JudgedOf; readonly most?: number } = {},
): Steps<Finding[]> {
  const byOwner = new Map<string, Draft[]>();
  for (const draft of yield* draftsOf(hits)) {
    const own = byOwner.get(draft.owner);
    if (own === undefined) byOwner.set(draft.owner, [draft]);
    else own.push(draft);
  }
  const left: Judged[] = [];
  for (const drafts of byOwner.values()) {
    left.push(...judged(drafts));
    yield;
  }
  const shared = yield* withSharedCauses(left, idOf);
  const all = (yield* asJudged(shared, judgedOf))
    .sort(
      (a, b) =>
        severityRank(a.one.severity) - severityRank(b.one.severity) || compareObjects(a.object, b.object),
    )
    .map(({ one }) => one);
  const findings: Finding[] = [];
  for (const one of all.slice(0, most)) findings.push(yield* findingOf(one, podOf));
  return findings;
}

type Placed = { readonly one: Judged; readonly object: ObjectRef | undefined };

/**
 * Gives findings the severity that the state of their object has, so that nothing is critical here and degraded on its
 * page: of what fails or is degraded the leading finding is as grave as that, and no other is graver. On what is judged
 * and is not ill, a finding is a warning at most.
 */
function* asJudged(all: readonly Judged[], judgedOf: JudgedOf): Steps<Placed[]> {
  const led = new Set<string>();
  const placed: Placed[] = [];
  for (const one of all) {
    yield;
    const owner = one.hits[0]?.origin.owner;
    if (owner === undefined) {
      placed.push({ one, object: undefined });
      continue;
    }
    const { object, state } = judgedOf(owner);
    const severity = state === undefined ? one.severity : severityIn(state, one, led, keyOf(object));
    placed.push({ one: severity === one.severity ? one : { ...one, severity }, object });
  }
  return placed;
}

function severityIn(state: HealthState, one: Judged, led: Set<string>, key: string): Severity {
  const { severity } = one;
  if (severity === 'info') return severity;
  const most = severityOfState[state];
  if (most === 'info') return severity === 'critical' ? 'warning' : severity;
  const leads = !led.has(key);
  led.add(key);
  return leads || severityRank(severity) < severityRank(most) ? most : severity;
}

function* draftsOf(hits: readonly Hit[]): Steps<Draft[]> {
  const isExcluded = yield* exclusionsOf(hits);
  const drafts = new Map<string, Draft & { readonly hits: Hit[] }>();
  for (const [index, hit] of hits.entries()) {
    if (index % 100 === 0) yield;
    const { symptom, excludes } = hit.rule;
    if (excludes || isExcluded(hit)) continue;
    const owner = ownerKey(hit);
    const target = hit.error?.target;
    const key = `${symptom.id} ${owner} ${target ?? ''}`;
    const draft = drafts.get(key);
    if (draft === undefined) drafts.set(key, { symptom, owner, target, hits: [hit] });
    else draft.hits.push(hit);
  }
  return [...drafts.values()];
}

const ownerKey = ({ origin: { owner } }: Hit): string => (owner === undefined ? '' : keyOf(owner));

/** Facts that rule a symptom out on one workload. */
type Exclusion = {
  /** Facts of the workload itself, not of one of its pods. */
  ofWorkload: boolean;
  /** Containers of pods by the pod's key; undefined for the pod as a whole. */
  readonly containers: Map<string, Set<string | undefined>>;
};

/**
 * Returns whether a hit is ruled out by another: of the same container where both name one, of the same pod where both
 * are of pods, else of the same workload.
 */
function* exclusionsOf(hits: readonly Hit[]): Steps<(hit: Hit) => boolean> {
  /** By symptom, then by workload. */
  const exclusions = new Map<string, Map<string, Exclusion>>();
  for (const [index, hit] of hits.entries()) {
    if (index % 100 === 0) yield;
    if (!hit.rule.excludes) continue;
    const { id } = hit.rule.symptom;
    const ofSymptom = exclusions.get(id) ?? new Map<string, Exclusion>();
    exclusions.set(id, ofSymptom);
    const owner = ownerKey(hit);
    const exclusion = ofSymptom.get(owner) ?? { ofWorkload: false, containers: new Map() };
    ofSymptom.set(owner, exclusion);
    const { object, container } = hit.origin;
    if (object?.kind !== 'Pod') exclusion.ofWorkload = true;
    else {
      const key = keyOf(object);
      const own = exclusion.containers.get(key) ?? new Set();
      exclusion.containers.set(key, own);
      own.add(container);
    }
  }
  return (hit) => {
    const exclusion = exclusions.get(hit.rule.symptom.id)?.get(ownerKey(hit));
    if (exclusion === undefined) return false;
    const { object, container } = hit.origin;
    if (object?.kind !== 'Pod' || exclusion.ofWorkload) return true;
    const own = exclusion.containers.get(keyOf(object));
    if (own === undefined) return false;
    return container === undefined || own.has(undefined) || own.has(container);
  };
}

/** The last error of a log alone. */
const isEnding = ({ hits }: Draft): boolean => hits.every((hit) => hit.isEnding === true);
/** Something more exact that a log shows. */
const explainsLog = ({ hits }: Draft): boolean =>
  hits.some((hit) => hit.kind === 'log' && hit.isEnding !== true);

type Judged = Draft & {
  readonly explained: readonly string[];
  readonly rivals: readonly string[];
  readonly severity: Severity;
};

/**
 * Returns the symptoms of one object that remain after those explained by others are folded in, most specific
 * first.
 */
function judged(all: readonly Draft[]): Judged[] {
  const isTold = all.some(({ symptom }) => !symptom.last_resort && symptom.severity !== 'info');
  const drafts = isTold ? all.filter(({ symptom }) => !symptom.last_resort) : all;
  const found = new Map(drafts.map((draft) => [draft.symptom.id, draft]));
  const ofId = (id: string): readonly Draft[] => drafts.filter(({ symptom }) => symptom.id === id);
  const explainedBy = new Map(drafts.map((draft) => [draft.symptom.id, explained(draft.symptom, found)]));
  const folded = new Set([...explainedBy.values()].flatMap((ids) => [...ids]));
  const open = drafts.filter(({ symptom }) => !folded.has(symptom.id));
  const left = open.filter((draft) => !isEnding(draft) || !open.some(explainsLog)).sort(bySpecificity);
  return left.map((draft) => {
    const own = explainedBy.get(draft.symptom.id) ?? new Set();
    const rivals = left.filter(
      (other) => other !== draft && [...(explainedBy.get(other.symptom.id) ?? [])].some((id) => own.has(id)),
    );
    // What follows from it is as grave as it is itself.
    const severity = gravestOf([draft, ...[...own].flatMap(ofId)].map(severityOf));
    return { ...draft, explained: [...own], rivals: rivals.map(idOf), severity };
  });
}

/** Returns the severity of a finding; one that is over and has recovered is only `info`. */
function severityOf({ symptom, hits }: Draft): Severity {
  return gravestOf(
    hits.map(({ origin, most = symptom.severity }) =>
      origin.past === true ? 'info' : milder(most, symptom.severity),
    ),
  );
}

const milder = (a: Severity, b: Severity): Severity => (severityRank(a) > severityRank(b) ? a : b);

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
    severityRank(a.symptom.severity) - severityRank(b.symptom.severity)
  );
}

const idOf = ({ symptom, owner, target = '' }: Pick<Draft, 'symptom' | 'owner' | 'target'>): string =>
  [symptom.id, owner, target].filter((part) => part !== '').join(':');

function* findingOf(one: Judged, podOf: PodOf): Steps<Finding> {
  const { symptom, hits } = one;
  yield;
  const { evidence, count } = evidenceRows(hits);
  yield;
  const known = placeholdersOf(symptom);
  const values = valuesOf(tellingFirst(hits), podOf);
  yield;
  const fill = (text: string): string => filled(text, known, values);
  const since = hits.reduce<string | undefined>((first, { origin }) => {
    const time = origin.since ?? origin.at;
    return first === undefined || (time !== undefined && time < first) ? time : first;
  }, undefined);
  const sentence = requirementText(symptom.reference);
  return {
    id: idOf(one),
    symptom: symptom.id,
    area: symptom.area,
    severity: one.severity,
    title: fill(aboutOnePod(symptom.title, hits)),
    cause: fill(symptom.cause),
    fix: stepsOf(symptom, values, hits).map(({ text, command }) => ({
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

/** Returns the steps whose conditions hold. */
function stepsOf({ fix }: Symptom, values: Values, hits: readonly Hit[]): Symptom['fix'] {
  const wasRead = hits.some(({ kind }) => kind === 'log');
  const given = fix.filter(
    ({ needs = [], lacks = [], command = '' }) =>
      // A log that was read is quoted, and nobody is sent to read it.
      !(wasRead && /\blogs \{pod\}/.test(command)) &&
      needs.every((name) => values.has(name)) &&
      !lacks.some((name) => values.has(name)),
  );
  return given.length > 0 ? given : fix.slice(-1);
}

/** Those whose pattern has names stand first: what they call is what the texts speak of. */
function tellingFirst(hits: readonly Hit[]): readonly Hit[] {
  const groups = groupBy(hits, ({ matched }) => String(Object.keys(matched.named).length));
  return [...groups].sort(([a], [b]) => Number(b) - Number(a)).flatMap(([, group]) => group);
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
