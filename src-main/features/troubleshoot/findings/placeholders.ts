import type { ObjectRef } from '#shared/api/cluster.ts';
import { placeholders, type Symptom } from '#shared/api/symptoms.ts';
import { clipped, keyOf } from '../../../cluster-model/index.ts';
import type { Hit } from '../match/index.ts';

export type Values = ReadonlyMap<string, string>;

/**
 * Returns the names used as placeholders in the texts of a symptom: anything else in braces, such as a
 * jsonpath, stays.
 */
export function placeholdersOf(symptom: Symptom): ReadonlySet<string> {
  const known = ofSymptoms.get(symptom);
  if (known !== undefined) return known;
  const groups = JSON.stringify(symptom.look_for).matchAll(/\(\?<([A-Za-z_]\w*)>/g);
  const names = new Set([...placeholders, ...[...groups].map(([, name = '']) => name)]);
  ofSymptoms.set(symptom, names);
  return names;
}

/** Kept, because thousands of findings may be of one symptom. */
const ofSymptoms = new WeakMap<Symptom, ReadonlySet<string>>();

/**
 * Returns the values commands need for a workload: one of its pods with that pod's first container, and the
 * custom resource it was created from, as `kind/name`.
 */
export type PodOf = (owner: ObjectRef) =>
  | {
      readonly pod?: string | undefined;
      readonly container?: string | undefined;
      readonly plane?: string | undefined;
    }
  | undefined;

/** Kinds that a person looks at through what controls them. */
const through = new Set(['Pod', 'ReplicaSet', 'Job']);

/**
 * Returns the values of a finding's placeholders: from its first piece of evidence, and from the others where
 * that has none.
 */
export function valuesOf(hits: readonly Hit[], podOf: PodOf): Values {
  const values = new Map<string, string>();
  const give = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '' && !values.has(name)) values.set(name, value);
  };
  for (const { matched, origin } of hits) {
    for (const [name, value] of Object.entries(matched.named)) give(name, value);
    for (const [name, value] of Object.entries(origin.values ?? {})) give(name, value);
    const { object, owner, container } = origin;
    if (object === undefined) continue;
    const shown = owner !== undefined && through.has(object.kind) ? owner : object;
    if (!values.has('name')) {
      give('kind', shown.kind);
      give('name', shown.name);
    }
    give('namespace', object.namespace ?? owner?.namespace);
    if (object.kind === 'Pod' && !values.has('pod')) {
      give('pod', object.name);
      give('container', container);
    }
    give('workload', owner?.name ?? object.name);
  }
  give(others, othersOf(hits));
  const [first] = hits;
  const behind = first?.origin.owner && podOf(first.origin.owner);
  give('pod', behind?.pod);
  give('container', first?.origin.container ?? behind?.container);
  give('plane', behind?.plane);
  return values;
}

/**
 * Key of the suffix after the name of the first of several workloads that share one cause; no text can use it
 * as a placeholder.
 */
const others = 'other workloads';
const mostNamed = 3;

function othersOf(hits: readonly Hit[]): string | undefined {
  const owners = hits.flatMap(({ origin: { owner } }) => owner ?? []);
  const [first, ...rest] = [...new Map(owners.map((owner) => [keyOf(owner), owner])).values()];
  // What is wrong with a node is told of the node, not of who is on it.
  if (rest.length === 0 || first?.kind === 'Node') return undefined;
  const names = rest.map(({ name }) => name);
  const more = names.length - mostNamed;
  return ` (and ${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
}

/** Wording for placeholders without a value, as in a pasted text. */
const unnamed: Readonly<Record<string, string>> = {
  workload: 'the workload',
  pod: 'the pod',
  container: 'the container',
  namespace: 'its namespace',
  node: 'the node',
  host: 'the host',
  image: 'the image',
  target: 'another system',
  account: 'its user',
  object: 'what it needs',
};
/** Nouns that say already what an unnamed thing is. */
const nounBefore = /\b(?:backend|cockpit|runner|node|namespace|pod|container)$/;

/**
 * Returns a text with its placeholders filled; one without a value becomes a description of what it is, else
 * stays as `<key>`.
 */
export function filled(text: string, known: ReadonlySet<string>, values: Values): string {
  return replaced(withoutUnknown(text, known, values), known, (name, before) => {
    const value = values.get(name);
    const own = unnamed[name];
    // What a program logged may be long, and of several lines.
    if (value !== undefined)
      return (
        clipped(/^$|\.$/.test(before) ? value.replace(/^the /, 'The ') : value) +
        (name === 'workload' || name === 'name' ? (values.get(others) ?? '') : '')
      );
    if (own === undefined) return undefined;
    if (nounBefore.test(before)) return '';
    return /^$|\.$/.test(before) ? own.charAt(0).toUpperCase() + own.slice(1) : own;
  });
}

/** Verbs after `Pods of {workload}`, of many and of one. */
const verbs: Readonly<Record<string, string>> = {
  are: 'is',
  were: 'was',
  have: 'has',
  do: 'does',
  want: 'wants',
  wait: 'waits',
  had: 'had',
  cannot: 'cannot',
};
const ofPods = /^Pods of \{workload\}(?: ([a-z]+))?/;

/** Returns a title about pods of a workload in the singular when its evidence is of one pod. */
export function aboutOnePod(title: string, hits: readonly Hit[]): string {
  const [found, verb] = ofPods.exec(title) ?? [];
  if (found === undefined) return title;
  const owner = hits[0]?.origin.owner;
  const pods = new Set(
    hits.flatMap(({ origin: { object } }) => (object?.kind === 'Pod' ? keyOf(object) : [])),
  );
  if (owner?.kind !== 'Pod' && pods.size !== 1) return title;
  const subject = owner?.kind === 'Pod' ? 'Pod {workload}' : 'A pod of {workload}';
  return `${subject}${verb === undefined ? '' : ` ${verbs[verb] ?? verb}`}${title.slice(found.length)}`;
}

/** Leaves out a name after a colon at the end, or in brackets, that has no value. */
const withoutUnknown = (text: string, known: ReadonlySet<string>, values: Values): string =>
  text.replace(/: \{(\w+)\}$| \(\{(\w+)\}\)/g, (whole, last?: string, bracketed?: string) => {
    const name = last ?? bracketed ?? '';
    return known.has(name) && !values.has(name) ? '' : whole;
  });

/** Characters that mean nothing to a shell. */
const plain = /^[\w.:/@%+=,-]+$/;

/** A command with its placeholders filled. What a program logged comes into no command unless a shell takes it as one word. */
export function filledCommand(command: string, known: ReadonlySet<string>, values: Values): string {
  return replaced(command, known, (name) => {
    const value = values.get(name);
    return value !== undefined && plain.test(value) && !value.startsWith('-') ? value : undefined;
  });
}

/** `textFor` gets the text before; for an empty result the space before is removed, too. */
function replaced(
  text: string,
  known: ReadonlySet<string>,
  textFor: (name: string, before: string) => string | undefined,
): string {
  return text.replace(/( ?)\{([A-Za-z_]\w*)\}/g, (whole, space: string, name: string, at: number) => {
    if (!known.has(name)) return whole;
    const value = textFor(name, text.slice(0, at)) ?? `<${name}>`;
    return value === '' ? '' : space + value;
  });
}
