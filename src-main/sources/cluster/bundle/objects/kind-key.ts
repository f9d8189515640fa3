// Apart from kinds.ts, which needs every kind's schema: the thread that looks through logs starts without them.

/** As kubectl writes it: `pods`, `deployments.apps`. */
export function kindKey(group: string, plural: string): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** Groups that kinds have left: what is read from them is the same object. */
export function currentGroup(group: string, kind: string): string {
  if (group !== 'extensions') return group;
  return kind === 'Ingress' || kind === 'NetworkPolicy' ? 'networking.k8s.io' : 'apps';
}

/** Group and version of an `apiVersion`. */
export function groupVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}
