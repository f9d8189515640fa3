/** The resource named by a path under `/api` or `/apis`. */
export type ResourceAddress = {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly namespace: string | undefined;
  readonly plural: string;
  readonly name: string | undefined;
  /** Such as `status`, `log` or `proxy`. */
  readonly subresource: string | undefined;
  /** The path after the subresource, with its slash; a proxy's path. */
  readonly rest: string;
};

/**
 * Reads `/api/v1/...` and `/apis/GROUP/VERSION/...` (Kubernetes API concepts, Resource URIs); undefined for a path that
 * names no resource, such as a discovery path. Throws URIError for an escape that is none.
 */
export function resourceAddress(path: string): ResourceAddress | undefined {
  const [, root, ...parts] = path.split('/').map(decodeURIComponent);
  const [group, version, ...steps] =
    root === 'api' ? ['', ...parts] : root === 'apis' ? parts : [undefined, undefined];
  if (group === undefined || version === undefined || version === '') return undefined;
  const inNamespace = steps[0] === 'namespaces' && steps.length > 2 && !isNamespacePart(steps);
  const namespace = inNamespace ? steps[1] : undefined;
  const [plural, name, subresource, ...rest] = inNamespace ? steps.slice(2) : steps;
  if (plural === undefined || plural === '') return undefined;
  return {
    group,
    version,
    namespace,
    plural,
    name: name === '' ? undefined : name,
    subresource,
    rest: rest.length === 0 ? '' : `/${rest.join('/')}`,
  };
}

/** `/namespaces/NAME/status` is of the namespace itself. */
function isNamespacePart([, , step]: readonly (string | undefined)[]): boolean {
  return step === 'status' || step === 'finalize';
}

/** The verb of a request, as access rules name it. */
export function verbOf(method: string, { name }: ResourceAddress, watches: boolean): string {
  if (method === 'GET' || method === 'HEAD') return name !== undefined ? 'get' : watches ? 'watch' : 'list';
  if (method === 'POST') return 'create';
  if (method === 'PUT') return 'update';
  if (method === 'PATCH') return 'patch';
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete';
  return method.toLowerCase();
}

/** A query parameter that is a boolean, as Go reads it. */
export function isTrue(value: string | null): boolean {
  return value !== null && /^(?:1|t|true)$/i.test(value);
}
