import { parse } from 'yaml';
import type { ResourceAddress } from './addresses.ts';
import { builtInOf } from './built-in-kinds.ts';
import { hasStatus } from './discovery.ts';
import { groupVersion, isJsonObject, type JsonObject, objectAt } from './object-fields.ts';
import { parseJson, patched, patchType } from './patches.ts';
import { brokenByRules } from './rules/index.ts';
import type { StatusCause } from './status.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  invalid,
  methodNotAllowed,
  notFound,
  type Status,
} from './status.ts';
import type { KubeKind, KubeObject, World } from './world.ts';

/** Returns the violations of an object's kind's rules; empty when the object is valid. */
export type Validate = (kind: KubeKind, object: KubeObject) => readonly StatusCause[];

/** A requested change. */
export type WriteRequest = {
  readonly world: World;
  readonly kind: KubeKind;
  readonly address: ResourceAddress;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly contentType: string;
  readonly validate: Validate;
};

export type Written = { readonly code: 200 | 201; readonly body: object };

const namePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const nameRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
/** Roles may have names with colons, such as `system:node`. */
const freelyNamed = 'rbac.authorization.k8s.io';

function writerOf({ world }: WriteRequest) {
  if (world.write === undefined)
    throw methodNotAllowed('this cluster is served from an offline bundle: it can be read, not changed');
  return world.write;
}

export async function create(request: WriteRequest): Promise<Written> {
  const write = writerOf(request);
  const { world, kind, address } = request;
  const object = named(request, bodyObject(request));
  if (kind.namespaced && address.namespace === undefined) throw methodNotAllowed();
  const { name, namespace } = object.metadata;
  await check(request, object, undefined);
  if ((await world.get(kind, name, namespace)) !== undefined) throw alreadyExists(kind, name);
  const kept =
    (await hasStatus(world, kind)) && builtInOf(kind) === undefined ? without(object, 'status') : object;
  return { code: 201, body: isDryRun(request) ? kept : await write.create(kind, kept) };
}

export async function update(request: WriteRequest): Promise<Written> {
  const write = writerOf(request);
  const object = named(request, bodyObject(request));
  const current = await currentOf(request);
  const next = await onlyItsPart(request, current, object);
  checkRevision(request, current, object);
  await check(request, next, current);
  return { code: 200, body: isDryRun(request) ? next : await write.replace(request.kind, next) };
}

export async function patch(request: WriteRequest): Promise<Written> {
  const write = writerOf(request);
  const { kind, world, address } = request;
  const type = patchType(request.contentType, builtInOf(kind) === undefined);
  const current = await world.get(kind, address.name ?? '', address.namespace);
  if (current === undefined && type !== 'apply') throw notFound(kind, address.name ?? '');
  // Apply makes what is not there yet.
  const base: JsonObject = current ?? { apiVersion: groupVersion(kind), kind: kind.kind, metadata: {} };
  const object = named(request, patched(base, type, request.body));
  if (current === undefined) {
    await check(request, object, undefined);
    return { code: 201, body: isDryRun(request) ? object : await write.create(kind, object) };
  }
  checkRevision(request, current, object);
  const next = await onlyItsPart(request, current, object);
  await check(request, next, current);
  return { code: 200, body: isDryRun(request) ? next : await write.replace(kind, next) };
}

export async function remove(request: WriteRequest): Promise<{ code: 200; body: Status }> {
  const write = writerOf(request);
  const { kind, address } = request;
  const current = await currentOf(request);
  const { uid } = current.metadata;
  const options = request.body === '' ? {} : bodyValue(request);
  const wanted = objectAt(options, 'preconditions');
  if (wanted.uid !== undefined && wanted.uid !== uid) throw conflict(kind, current.metadata.name);
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== current.metadata.resourceVersion)
    throw conflict(kind, current.metadata.name);
  // A list in JSON; the one element of it where the body was protobuf.
  const { dryRun } = isJsonObject(options) ? options : {};
  const tried = Array.isArray(dryRun) ? dryRun.includes('All') : dryRun === 'All';
  if (!tried && !isDryRun(request)) await write.remove(kind, current.metadata.name, address.namespace);
  return {
    code: 200,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {
        name: current.metadata.name,
        ...(kind.group === '' ? {} : { group: kind.group }),
        kind: kind.plural,
        ...(uid === undefined ? {} : { uid }),
      },
      code: 200,
    },
  };
}

/** Removes all of a collection. The caller writes the list of what they were. */
export async function removeAll(request: WriteRequest, objects: readonly KubeObject[]): Promise<void> {
  const write = writerOf(request);
  for (const { metadata } of objects)
    if (!isDryRun(request)) await write.remove(request.kind, metadata.name, metadata.namespace);
}

/** A PUT or PATCH of the object leaves its status, one of the status everything else, where the kind keeps them apart. */
async function onlyItsPart(
  request: WriteRequest,
  current: KubeObject,
  object: KubeObject,
): Promise<KubeObject> {
  const { kind, world, address } = request;
  if (!(await hasStatus(world, kind))) return object;
  if (address.subresource === 'status') return { ...current, status: object.status };
  return current.status === undefined ? without(object, 'status') : { ...object, status: current.status };
}

function without(object: KubeObject, field: 'status'): KubeObject {
  const { [field]: _dropped, ...rest } = object;
  return { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

async function currentOf({ world, kind, address }: WriteRequest): Promise<KubeObject> {
  const current = await world.get(kind, address.name ?? '', address.namespace);
  if (current === undefined) throw notFound(kind, address.name ?? '');
  return current;
}

function checkRevision({ kind }: WriteRequest, current: KubeObject, object: KubeObject): void {
  const { resourceVersion } = object.metadata;
  if (
    resourceVersion !== undefined &&
    resourceVersion !== '' &&
    resourceVersion !== current.metadata.resourceVersion
  )
    throw conflict(kind, current.metadata.name);
}

async function check(
  { world, kind, validate }: WriteRequest,
  object: KubeObject,
  current: KubeObject | undefined,
): Promise<void> {
  const { name } = object.metadata;
  const causes: readonly StatusCause[] = [
    ...(namePattern.test(name) || kind.group === freelyNamed
      ? []
      : [
          {
            reason: 'FieldValueInvalid',
            message: `Invalid value: "${name}": ${nameRule}`,
            field: 'metadata.name',
          },
        ]),
    ...validate(kind, object),
  ];
  if (causes.length > 0) throw invalid(kind, name, causes);
  // Rules are asked of what the schema admits.
  const broken = await brokenByRules(world, kind, object, current);
  if (broken.length > 0) throw invalid(kind, name, broken);
}

/** A body with the name and namespace of the address. Throws the 400 Status when it names others. */
function named({ kind, address }: WriteRequest, given: JsonObject): KubeObject {
  const metadata = objectAt(given, 'metadata');
  if (given.kind !== undefined && given.kind !== kind.kind)
    throw badRequest(`the kind of the body, ${String(given.kind)}, does not match the path, ${kind.kind}`);
  if (metadata.namespace !== undefined && kind.namespaced && metadata.namespace !== address.namespace)
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  if (address.name !== undefined && metadata.name !== undefined && metadata.name !== address.name)
    throw badRequest(
      `the name of the object (${String(metadata.name)}) does not match the name on the URL (${address.name})`,
    );
  return {
    ...given,
    apiVersion: groupVersion(kind),
    kind: kind.kind,
    metadata: {
      ...metadata,
      name: address.name ?? nameOf(metadata),
      ...(kind.namespaced && address.namespace !== undefined ? { namespace: address.namespace } : {}),
    },
  };
}

function nameOf(metadata: JsonObject): string {
  if (typeof metadata.name === 'string') return metadata.name;
  if (typeof metadata.generateName !== 'string') throw badRequest('name or generateName is required');
  return `${metadata.generateName}${Math.random().toString(36).slice(2, 7)}`;
}

/** Returns a body that is an object. Throws the 400 Status. */
export function bodyObject(request: WriteRequest): JsonObject {
  const value = bodyValue(request);
  if (!isJsonObject(value)) throw badRequest('the body is no object');
  return value;
}

function bodyValue({ body, contentType }: WriteRequest): unknown {
  return contentType.includes('yaml') ? parse(body) : parseJson(body);
}

/** Returns whether a write is only tried out. */
export function isDryRun({ query }: Pick<WriteRequest, 'query'>): boolean {
  return query.get('dryRun') === 'All';
}
