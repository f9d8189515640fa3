import { z } from 'zod';
import { isRecord } from '../../../../cluster-model/index.ts';
import type { RawObject } from '../../../../cluster-model/kinds/index.ts';
import { yamlObject } from '../../documents/yaml-object.ts';
import { contentOf, ownText } from '../archive/file-content.ts';
import type { BundleEntry } from '../archive/source.ts';
import type { Coverage } from '../coverage.ts';
import type { Holding, Layout } from '../layouts/index.ts';
import type { TakenClock } from '../taken-time.ts';
import type { EarlyPods } from './early-pods.ts';
import { currentGroup, groupVersion, kindKey } from './kind-key.ts';
import { commonKinds, type KindNames, likelyPlural } from './kinds.ts';
import type { ObjectStore } from './object-store.ts';
import { type Envelope, type FoundObject, readObjects } from './read-objects.ts';

export type ObjectFilesParts = {
  readonly store: ObjectStore;
  readonly names: KindNames;
  readonly coverage: Coverage;
  readonly clock: TakenClock;
  readonly scope: Layout['scope'];
  readonly onProblem: (key: string, path: string, clause: string) => void;
  readonly earlyPods: EarlyPods;
};

/** Reads files of Kubernetes objects, and what these say of the cluster as a whole. */
export type ObjectFiles = {
  /** `path` is from the root of the layout. Throws `UnreadFile`. */
  read(entry: BundleEntry, holding: Holding & { readonly what: 'objects' }, path: string): Promise<void>;
  count(): number;
  /** Kubelet versions, one for each node. */
  versions(): readonly string[];
  /** Returns whether objects were there that old programs wrote in a form of their own. */
  hasOldForm(): boolean;
  /** Number of objects that were left out because the bundle has too many kinds. */
  leftOut(): number;
};

/** Kinds beside those of Kubernetes and of the console: a cluster with many operators has some hundreds. */
export const mostKinds = 2000;
const alwaysRead = new Set(commonKinds.map(({ group, plural }) => kindKey(group, plural)));

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
/** Kinds that tell by more than their heads when a bundle was taken. */
const clocks = new Set(['nodes', 'leases.coordination.k8s.io']);

export function createObjectFiles({
  store,
  names,
  coverage,
  clock,
  scope,
  onProblem,
  earlyPods,
}: ObjectFilesParts): ObjectFiles {
  const kubelets: string[] = [];
  let count = 0;
  let others = 0;
  let leftOut = 0;
  let oldForm = false;

  const notice = (key: string, name: string, found: FoundObject): void => {
    // Output of kubectl may be of nothing but pods: their changes are then all that tells its time.
    const isClock = clocks.has(key) || (key === 'pods' && scope === 'unknown');
    const object = isClock ? found.whole() : found.head;
    clock.see(key, object);
    if (key === 'namespaces') coverage.namespace(name);
    if (key === 'nodes') {
      const kubelet = nodeVersion.safeParse(object).data?.status.nodeInfo.kubeletVersion;
      if (kubelet !== undefined) kubelets.push(ownText(kubelet));
    }
    if (key !== definitions) return;
    const { data } = definition.safeParse(definitionHead(found) ?? found.whole());
    if (data === undefined) return;
    const { group, names: called, versions, version: only } = data.spec;
    names.tell({
      group: ownText(group),
      version: ownText(versions?.[0]?.name ?? only ?? 'v1'),
      plural: ownText(called.plural),
      kind: ownText(called.kind),
      namespaced: data.spec.scope === 'Namespaced',
    });
    coverage.customKind(ownText(kindKey(group, called.plural)));
  };

  /** Identifies an object and stores it; undefined for anything that is not one. */
  const keep = async (
    found: FoundObject,
    holding: Holding & { what: 'objects' },
    file: string,
  ): Promise<string | undefined> => {
    const { head, envelope, offset } = found;
    const identity = identify(names, head, envelope, holding.key);
    const metadata = isRecord(head.metadata) ? head.metadata : undefined;
    const name = ownText(metadata?.name);
    if (identity === undefined || metadata === undefined || name === '') {
      // Up to kubectl 1.13 a dump holds Go's own form: fields in capitals, metadata among them.
      if ('Spec' in head || 'Status' in head) oldForm = true;
      return undefined;
    }
    const { key, kind, apiVersion } = identity;
    if (!store.has(key) && !alwaysRead.has(key)) {
      if (others >= mostKinds) {
        leftOut += 1;
        return undefined;
      }
      others += 1;
    }
    const known = names.byKind(identity.group, kind);
    const namespace =
      ownText(metadata.namespace) || (known?.namespaced === false ? undefined : holding.namespace);
    if (known === undefined) names.tell({ ...identity, namespaced: namespace !== undefined });
    const text = found.text();
    const isNew = await store.add(key, {
      apiVersion,
      kind,
      name,
      namespace,
      uid: ownText(metadata.uid) || undefined,
      isCopy: holding.isCopy,
      file,
      offset,
      ...text,
    });
    if (!isNew) return key;
    count += 1;
    if (namespace !== undefined) coverage.namespace(namespace);
    notice(key, name, found);
    if (key === 'pods') earlyPods.see(found, text, namespace);
    return key;
  };

  return {
    async read(entry, holding, path) {
      const bytes = await contentOf(entry);
      const keys = new Set<string>();
      const { envelopes, problems } = await readObjects(bytes, async (found) => {
        const key = await keep(found, holding, path);
        if (key !== undefined) keys.add(key);
      });
      const lists = envelopes.map((envelope) => keyOfList(names, envelope));
      // A list of what its path names; where the path does not tell, of what is in it.
      const collected = holding.key === '' ? [...keys, ...lists] : bytes.length === 0 ? [] : [holding.key];
      for (const key of collected)
        if (key !== undefined) coverage.collected(key, holding.namespace, holding.form);
      if (holding.namespace !== undefined) coverage.namespace(holding.namespace);
      for (const problem of problems) onProblem(holding.key || [...keys][0] || '', path, problem);
      if (bytes.length === 0 && holding.form === 'list') onProblem(holding.key, path, 'the file is empty');
    },
    count: () => count,
    versions: () => kubelets,
    hasOldForm: () => oldForm,
    leftOut: () => leftOut,
  };
}

type Identity = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly key: string;
};

/** An object by its own word, else by its list's, else by what its path tells (`hint`). */
function identify(
  names: KindNames,
  object: RawObject,
  envelope: Envelope,
  hint: string,
): Identity | undefined {
  const [hintPlural = '', ...hintGroup] = hint.split('.');
  const hinted = hint === '' ? undefined : names.byPlural(hintGroup.join('.'), hintPlural);
  const listKind = envelope.kind === 'List' ? '' : envelope.kind.replace(/List$/, '');
  const kind = ownText(object.kind) || listKind || hinted?.kind;
  if (kind === undefined || kind === '') return undefined;
  const apiVersion =
    ownText(object.apiVersion) ||
    (listKind === '' ? '' : envelope.apiVersion) ||
    (hinted === undefined ? '' : versionText(hinted.group, hinted.version));
  const parsed = groupVersion(apiVersion);
  const group = currentGroup(parsed.group, kind);
  const plural =
    names.byKind(group, kind)?.plural ??
    (hint !== '' && group === hintGroup.join('.') ? hintPlural : likelyPlural(kind));
  return { kind, apiVersion, group, version: parsed.version, plural, key: kindKey(group, plural) };
}

/** Returns the kind of a list's items, as the list's own `kind` names it. */
function keyOfList(names: KindNames, { kind, apiVersion }: Envelope): string | undefined {
  const ofItems = kind.replace(/List$/, '');
  const group = currentGroup(groupVersion(apiVersion).group, ofItems);
  const plural = names.byKind(group, ofItems)?.plural;
  return plural === undefined ? undefined : kindKey(group, plural);
}

/** A CRD without its schemas, which may be 1 MB of YAML and come last; undefined when it is not written so. */
function definitionHead(found: FoundObject): unknown {
  const { form, text } = found.text();
  const yaml = form === 'yaml' ? text.toString('utf8') : '';
  const schemas = yaml.indexOf('\n  versions:\n');
  const version = /^ {2}(?:- | {2})name: (v\w+)$/m.exec(yaml.slice(schemas))?.[1];
  if (schemas < 0 || version === undefined) return undefined;
  const value = yamlObject(yaml.slice(0, schemas));
  if (!isRecord(value) || !isRecord(value.spec)) return undefined;
  return { ...value, spec: { ...value.spec, versions: [{ name: version }] } };
}

const versionText = (group: string, version: string): string =>
  group === '' ? version : `${group}/${version}`;

const nodeVersion = z.object({
  status: z.object({ nodeInfo: z.object({ kubeletVersion: z.string() }) }),
});
const definition = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ plural: z.string(), kind: z.string() }),
    scope: z.string(),
    versions: z.array(z.object({ name: z.string() })).nullish(),
    version: z.string().optional(),
  }),
});
