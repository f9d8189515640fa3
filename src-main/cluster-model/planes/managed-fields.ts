/** An entry of `metadata.managedFields` (metav1.ManagedFieldsEntry): who set which fields. */
export type ManagedEntry = {
  readonly manager?: unknown;
  readonly time?: unknown;
  readonly fieldsV1?: unknown;
};

/**
 * Returns the manager that last set a drifted field of a Deployment, such as `kubectl-edit`; undefined when
 * it is not recorded.
 */
export function managerOf(
  entries: readonly ManagedEntry[],
  container: string,
  field: string,
): string | undefined {
  const path = pathOf(container, field);
  const owners = entries
    .filter(({ fieldsV1 }) => owns(fieldsV1, path))
    .toSorted((a, b) => String(a.time ?? '').localeCompare(String(b.time ?? '')));
  const manager = owners.at(-1)?.manager;
  return typeof manager === 'string' ? manager : undefined;
}

/** Returns the manager that made a container of a Deployment, and so set its name; undefined when it is not recorded. */
export function creatorOf(entries: readonly ManagedEntry[], container: string): string | undefined {
  const [first] = entries
    .filter(({ fieldsV1 }) => owns(fieldsV1, [...containerPath(container), 'f:name']))
    .toSorted((a, b) => String(a.time ?? '').localeCompare(String(b.time ?? '')));
  return typeof first?.manager === 'string' ? first.manager : undefined;
}

const containerPath = (container: string): string[] => [
  'f:spec',
  'f:template',
  'f:spec',
  'f:containers',
  `k:${JSON.stringify({ name: container })}`,
];

/** The keys of FieldsV1 down to a field of drift.ts (structured-merge-diff, path elements `f:` and `k:`). */
function pathOf(container: string, field: string): string[] {
  if (field === 'replicas') return ['f:spec', 'f:replicas'];
  const inContainer = containerPath(container);
  if (field === 'image') return [...inContainer, 'f:image'];
  if (field.startsWith('env.'))
    return [...inContainer, 'f:env', `k:${JSON.stringify({ name: field.slice('env.'.length) })}`];
  return [...inContainer, `f:${field.split('.')[1]}Probe`];
}

function owns(fields: unknown, path: readonly string[]): boolean {
  let at: unknown = fields;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !(key in at)) return false;
    at = Reflect.get(at, key);
  }
  return true;
}
