import { customVersionOf } from './discovery.ts';
import { groupVersion, valueAt } from './object-fields.ts';
import type { KubeKind, World } from './world.ts';

/** `/openapi/v3`: where the description of each group version is. */
export function openapiIndex(world: World): object {
  const paths = [...new Set(world.kinds().map(openapiPath))].map((path) => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}` },
  ]);
  return { paths: Object.fromEntries(paths) };
}

/** `api/v1` or `apis/GROUP/VERSION`. */
function openapiPath(kind: KubeKind): string {
  return `${kind.group === '' ? 'api' : 'apis'}/${groupVersion(kind)}`;
}

/**
 * The description of one group version, as much of it as kubectl reads: that a PATCH takes `fieldValidation` (it then
 * leaves validation to the server) and the schemas of custom kinds, for `kubectl explain`. Undefined for one not served.
 */
export async function openapiOf(world: World, path: string): Promise<object | undefined> {
  const kinds = world.kinds().filter((kind) => openapiPath(kind) === path);
  if (kinds.length === 0) return undefined;
  const schemas = await Promise.all(
    kinds.map(async (kind) => {
      const declared = valueAt(await customVersionOf(world, kind), 'schema', 'openAPIV3Schema');
      return [
        schemaName(kind),
        { ...(typeof declared === 'object' ? declared : { type: 'object' }), ...gvk(kind, true) },
      ];
    }),
  );
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: world.version },
    paths: Object.fromEntries(kinds.map((kind) => [`/${path}${objectPath(kind)}`, patchPath(kind)])),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

function objectPath({ namespaced, plural }: KubeKind): string {
  return `${namespaced ? '/namespaces/{namespace}' : ''}/${plural}/{name}`;
}

function schemaName({ group, version, kind }: KubeKind): string {
  return `${group === '' ? 'core' : group}.${version}.${kind}`;
}

function gvk({ group, version, kind }: KubeKind, list: boolean) {
  const name = { group, version, kind };
  return { 'x-kubernetes-group-version-kind': list ? [name] : name };
}

function patchPath(kind: KubeKind): object {
  return {
    patch: {
      operationId: `patch${kind.kind}`,
      parameters: [
        { name: 'dryRun', in: 'query', schema: { type: 'string', uniqueItems: true } },
        { name: 'fieldManager', in: 'query', schema: { type: 'string', uniqueItems: true } },
        { name: 'fieldValidation', in: 'query', schema: { type: 'string', uniqueItems: true } },
      ],
      requestBody: { content: { 'application/merge-patch+json': { schema: { type: 'object' } } } },
      responses: {
        200: {
          description: 'OK',
          content: {
            'application/json': { schema: { $ref: `#/components/schemas/${schemaName(kind)}` } },
          },
        },
      },
      ...gvk(kind, false),
    },
  };
}
