import { builtInOf } from './built-in-kinds.ts';
import { byNamespaceAndName, isKubeObject } from './object-fields.ts';
import type { KubeKind, KubeObject, World } from './world.ts';

/** The objects a bundle holds of its cluster. */
export type CollectedObjects = {
  readonly facts: { readonly version?: string | undefined };
  readonly kinds: readonly (KubeKind & { readonly count: number })[];
  /** Objects as they are in the bundle, with apiVersion and kind, of all namespaces. */
  objects(kind: Pick<KubeKind, 'group' | 'plural'>): Promise<readonly unknown[]>;
  readonly cluster: {
    logs(log: {
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
      readonly previous?: boolean;
      readonly signal: AbortSignal;
    }): Promise<
      | { readonly state: 'read'; readonly bytes: AsyncIterable<Uint8Array> }
      | { readonly state: 'missing' | 'unread' }
    >;
  };
};

/** Kinds whose objects are kept at hand; a page of a list, or kubectl describe, asks for the same ones again. */
const mostKept = 8;
/** Version of a bundle that does not record its cluster's. */
const unknownVersion = 'v0.0.0';

/**
 * A read-only world of what a bundle holds. It serves the kinds that were collected and no others, so that a kind that
 * was not collected is told from one of which there was nothing.
 */
export function bundleWorld({ cluster, facts, kinds: collected, objects }: CollectedObjects): World {
  const kinds = collected.map(({ count: _count, ...kind }): KubeKind => {
    const shortNames = builtInOf(kind)?.shortNames;
    return { ...kind, ...(shortNames === undefined ? {} : { shortNames }) };
  });
  const kept = new Map<string, Promise<readonly KubeObject[]>>();
  const all = (kind: KubeKind): Promise<readonly KubeObject[]> => {
    const key = `${kind.group}/${kind.plural}`;
    const found = kept.get(key);
    const read = found ?? objects(kind).then(servable);
    // Set again, so that the least recently used kind is evicted.
    kept.delete(key);
    kept.set(key, read);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    if (found === undefined) read.catch(() => kept.delete(key));
    return read;
  };
  const inNamespace = async (kind: KubeKind, namespace?: string): Promise<readonly KubeObject[]> => {
    const read = await all(kind);
    return namespace === undefined || !kind.namespaced
      ? read
      : read.filter(({ metadata }) => metadata.namespace === namespace);
  };
  return {
    version: facts.version ?? unknownVersion,
    kinds: () => kinds,
    list: inNamespace,
    async get(kind, name, namespace) {
      const read = await inNamespace(kind, namespace);
      return read.find(({ metadata }) => metadata.name === name);
    },
    revision: () => 1,
    async logs({ namespace, pod, container, previous, signal }) {
      const read = await cluster.logs({ namespace, pod, container, previous, signal });
      return read.state === 'read' ? read.bytes : undefined;
    },
  };
}

/**
 * Returns the objects that have a name, in the API's order; skips those redacted or truncated until invalid.
 */
function servable(objects: readonly unknown[]): readonly KubeObject[] {
  return objects.filter(isKubeObject).sort(byNamespaceAndName);
}
