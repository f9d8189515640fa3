import type { Severity, Symptom } from '#shared/api/symptoms.ts';
import { gravestOf } from '#shared/health/worst-first.ts';
import type { Steps } from '#shared/steps.ts';
import { keyOf } from '../../../cluster-model/index.ts';
import type { Hit } from '../match/index.ts';

/** A symptom of one workload or object, with its evidence. */
export type Cause = {
  readonly symptom: Symptom;
  /** `keyOf` of what it is counted to. */
  readonly owner: string;
  /** Subject of an error. */
  readonly target?: string | undefined;
  readonly hits: readonly Hit[];
  /** Ids of symptoms that are folded into it. */
  readonly explained: readonly string[];
  /** Ids of findings that it competes with. */
  readonly rivals: readonly string[];
  readonly severity: Severity;
};

/**
 * Merges causes: several workloads that wait for one thing, such as a Secret that does not exist, have one
 * fault. It is reported once, with all of them, and their more general symptoms are folded into it. `idOf`
 * creates the ID of a finding.
 */
export function* withSharedCauses<T extends Cause>(
  all: readonly T[],
  idOf: (cause: Pick<Cause, 'symptom' | 'owner' | 'target'>) => string,
): Steps<T[]> {
  const renamed = new Map<string, string>();
  const taken = new Set<T>();
  const merged: T[] = [];
  for (const group of yield* groupsOf(all)) {
    yield;
    const found = leadOf(group);
    if (found === undefined) continue;
    const { lead, members } = found;
    const owner = group.cause;
    for (const one of members) {
      taken.add(one);
      renamed.set(
        idOf(one),
        idOf(
          ofTarget(owner)
            ? { symptom: lead.symptom, owner: '', target: lead.target }
            : { symptom: lead.symptom, owner },
        ),
      );
    }
    const explained = new Set(members.flatMap((one) => [one.symptom.id, ...one.explained]));
    explained.delete(lead.symptom.id);
    merged.push({
      ...lead,
      owner: ofTarget(owner) ? '' : owner,
      // Its own stand first: of them the texts speak.
      hits: [lead, ...members.filter((one) => one !== lead)].flatMap(({ hits }) => hits),
      explained: [...explained],
      rivals: [...new Set(members.flatMap(({ rivals }) => rivals))],
      severity: gravestOf(members.map(({ severity }) => severity)),
    });
  }
  yield;
  const left = all.filter((one) => !taken.has(one));
  const result: T[] = [];
  for (const one of [...merged, ...left]) {
    const rivals = new Set(one.rivals.map((id) => renamed.get(id) ?? id));
    rivals.delete(idOf(one));
    result.push({ ...one, rivals: [...rivals] });
    yield;
  }
  return result;
}

function* groupsOf<T extends Cause>(
  all: readonly T[],
): Steps<{ readonly cause: string; readonly members: T[] }[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    yield;
    const cause = causeOf(one);
    if (cause === undefined) continue;
    const members = groups.get(cause);
    if (members === undefined) groups.set(cause, [one]);
    else members.push(one);
  }
  return [...groups]
    .filter(([, members]) => new Set(members.map(({ owner }) => owner)).size > 1)
    .map(([cause, members]) => ({ cause, members }));
}

/**
 * Returns the symptom that explains most of the others of one cause, and the others that it explains.
 * Symptoms shared by several workloads on one node are attributed to the node only if the node has a symptom
 * that explains them.
 */
function leadOf<T extends Cause>({
  cause,
  members: all,
}: {
  readonly cause: string;
  readonly members: readonly T[];
}): { readonly lead: T; readonly members: T[] } | undefined {
  const counts = new Map<string, number>();
  for (const { symptom } of all) counts.set(symptom.id, (counts.get(symptom.id) ?? 0) + 1);
  /** Ids of the symptoms that one takes with it, wherever they are. */
  const taken = new Map<string, ReadonlySet<string>>();
  const takenBy = ({ symptom }: T): ReadonlySet<string> => {
    const ids =
      taken.get(symptom.id) ??
      new Set([
        ...(mayFailVariously(cause) ? [] : symptom.explains.filter((id) => counts.has(id))),
        ...(isOfNode(cause) ? [] : [symptom.id]),
      ]);
    taken.set(symptom.id, ids);
    return ids;
  };
  let most: { readonly lead: T; readonly count: number } | undefined;
  for (const lead of all) {
    if (isOfNode(lead.owner) !== isOfNode(cause)) continue;
    const ids = takenBy(lead);
    let count = ids.has(lead.symptom.id) ? 0 : 1;
    for (const id of ids) count += counts.get(id) ?? 0;
    if (count > Math.max(1, most?.count ?? 0)) most = { lead, count };
  }
  if (most === undefined) return undefined;
  const { lead } = most;
  const ids = takenBy(lead);
  return { lead, members: all.filter((one) => one === lead || ids.has(one.symptom.id)) };
}

/**
 * True when the cause may affect objects differently: a missing object is missing for all, but a webhook may
 * refuse one request and not answer another.
 */
const mayFailVariously = (cause: string): boolean => cause.startsWith(`${webhook}/`);
const webhook = 'Webhook';

const ofTarget = (key: string): boolean => key.startsWith('Target/');

const isOfNode = (key: string): boolean => key.startsWith('Node/');

/**
 * Returns the one thing that causes all of it; undefined when there is no evidence, or several things are
 * missing.
 */
function causeOf({ symptom, hits, owner, target }: Cause): string | undefined {
  // One server that fails everybody is told once.
  if (target !== undefined && target !== '') return `Target/${symptom.id}/${target}`;
  const causes = new Set(hits.flatMap((hit) => causeIn(hit) ?? []));
  const [cause] = causes;
  if (cause !== undefined) return causes.size === 1 ? cause : undefined;
  const nodes = new Set(hits.map(({ origin }) => origin.values?.node));
  const [node] = nodes;
  // What is said of a node is its own; what is said of pods on one node may be of it.
  if (isOfNode(owner)) return owner;
  return nodes.size === 1 && node !== undefined ? keyOf({ kind: 'Node', name: node }) : undefined;
}

/**
 * Patterns of messages in which a component names something missing or blocking it: kind, and the name given
 * in the message.
 */
const patterns: readonly (readonly [pattern: RegExp, kind: string, isNamespaced: boolean])[] = [
  [/\bsecrets? "(?<name>[^"]{1,253})" (?:is )?not found/i, 'Secret', true],
  [/\bconfigmaps? "(?<name>[^"]{1,253})" (?:is )?not found/i, 'ConfigMap', true],
  [/\bpersistentvolumeclaims? "(?<name>[^"]{1,253})" not found/i, 'PersistentVolumeClaim', true],
  [/\bserviceaccounts? "(?<name>[^"]{1,253})" not found/i, 'ServiceAccount', true],
  [/exceeded quota: (?<name>[^,\s]{1,253})/i, 'ResourceQuota', true],
  [/storageclass\S{0,20} "(?<name>[^"]{1,253})" not found/i, 'StorageClass', false],
  [/failed calling webhook "(?<name>[^"]{1,253})"/i, webhook, false],
];

function causeIn({ kind, origin, matched }: Hit): string | undefined {
  // A program may write of anything.
  if (kind === 'log' || kind === 'text') return undefined;
  const { cause } = origin.values ?? {};
  if (cause !== undefined) return cause;
  const namespace = origin.object?.namespace ?? '';
  for (const [pattern, of, isNamespaced] of patterns) {
    const name = pattern.exec(matched.text)?.groups?.name;
    if (name !== undefined) return keyOf({ kind: of, name, ...(isNamespaced ? { namespace } : {}) });
  }
  const key = /couldn't find key (\S{1,253}) in (Secret|ConfigMap) [^\s/]{1,63}\/(\S{1,253})/.exec(
    matched.text,
  );
  return key === null
    ? undefined
    : keyOf({ kind: key[2] ?? '', namespace, name: `${key[3]}, key ${key[1]}` });
}
