import type { ServedKind } from '#shared/api/objects.ts';

/** A kind in the address, as kubectl takes it: `pods`, `deployments.apps`. */
export const keyOfKind = ({ group, plural }: Pick<ServedKind, 'group' | 'plural'>): string =>
  group === '' ? plural : `${plural}.${group}`;

/** The kind that an address names, by its plural or its name; undefined when there is none. */
export function kindOf(kinds: readonly ServedKind[], key: string | null): ServedKind | undefined {
  if (key === null) return undefined;
  const dot = key.indexOf('.');
  const [name, group] = dot < 0 ? [key, ''] : [key.slice(0, dot), key.slice(dot + 1)];
  return (
    kinds.find((kind) => (kind.plural === name || kind.kind === name) && kind.group === group) ??
    (dot < 0 ? kinds.find((kind) => kind.plural === name || kind.kind === name) : undefined)
  );
}

/** An object in the address: `namespace/name`, or its name alone. */
export const keyOfObject = ({
  name,
  namespace,
}: {
  readonly name: string;
  readonly namespace?: string | undefined;
}): string => (namespace === undefined ? name : `${namespace}/${name}`);

/** The object of a key. */
export function objectOfKey(key: string): { readonly name: string; readonly namespace: string | undefined } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { name: key, namespace: undefined }
    : { name: key.slice(slash + 1), namespace: key.slice(0, slash) };
}

/** Kinds in the order of the rail: groups of Kubernetes itself first, custom ones after. */
export function groupedKinds(
  kinds: readonly ServedKind[],
  q: string,
): readonly { readonly title: string; readonly kinds: readonly ServedKind[] }[] {
  const wanted = q.toLowerCase();
  const matching = kinds.filter(({ kind, plural, group, short_names }) =>
    [kind, plural, group, ...short_names].join(' ').toLowerCase().includes(wanted),
  );
  const groups = new Map<string, ServedKind[]>();
  for (const kind of matching) groups.set(kind.group, [...(groups.get(kind.group) ?? []), kind]);
  return [...groups]
    .sort(([a], [b]) => rankOf(a) - rankOf(b) || a.localeCompare(b))
    .map(([group, members]) => ({
      title: group === '' ? 'core' : group,
      kinds: members.toSorted((a, b) => a.kind.localeCompare(b.kind)),
    }));
}

const firstGroups = ['', 'apps', 'batch', 'autoscaling', 'policy', 'networking.k8s.io'];

function rankOf(group: string): number {
  const first = firstGroups.indexOf(group);
  if (first >= 0) return first;
  return group.endsWith('.k8s.io') ? firstGroups.length : firstGroups.length + 1;
}
