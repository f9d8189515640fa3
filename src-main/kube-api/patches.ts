import { parse } from 'yaml';
import { isJsonObject, type JsonObject, sameValue } from './object-fields.ts';
import { badRequest, failure, type StatusError } from './status.ts';

/** The type of a PATCH body, by its content type. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const types: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Throws the 415 Status for a type that is none; custom kinds know no strategic merge. */
export function patchType(contentType: string, custom: boolean): PatchType {
  const type = types[contentType.split(';')[0]?.trim() ?? ''];
  if (type !== undefined && !(type === 'strategic' && custom)) return type;
  const accepted = Object.keys(types).filter((each) => !custom || types[each] !== 'strategic');
  throw unknownFormat(accepted);
}

function unknownFormat(accepted: readonly string[]): StatusError {
  return failure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    details: {},
  });
}

/**
 * Magic number of an `application/vnd.kubernetes.protobuf` body; kubectl 1.32 and later sends some of these.
 */
const protobufStart = 'k8s\0';

/** The object after a patch. Server-side apply is treated as a merge whose lists are merged by their keys. */
export function patched(object: JsonObject, type: PatchType, body: string): JsonObject {
  const patch: unknown = type === 'apply' ? parse(body) : parseJson(body);
  if (type === 'json') {
    const result = Array.isArray(patch) ? jsonPatch(object, patch) : undefined;
    if (!isJsonObject(result)) throw badRequest('a JSON patch is a list of operations on an object');
    return result;
  }
  if (!isJsonObject(patch)) throw badRequest('a patch is an object');
  return type === 'merge' ? mergePatch(object, patch) : strategicMerge(object, patch);
}

export function parseJson(body: string): unknown {
  if (body.startsWith(protobufStart)) throw unknownFormat(['application/json', 'application/yaml']);
  try {
    return JSON.parse(body);
  } catch (error) {
    throw badRequest(`error decoding the body: ${error instanceof Error ? error.message : 'no JSON'}`);
  }
}

/** RFC 7386. */
function mergePatch(into: JsonObject, patch: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...into };
  for (const [key, value] of Object.entries(patch)) {
    const old = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isJsonObject(value) ? mergePatch(isJsonObject(old) ? old : {}, value) : value;
  }
  return merged;
}

/** The field that elements of a list are told apart by (patchMergeKey in k8s.io/api); other lists are replaced. */
const mergeKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  imagePullSecrets: ['name'],
  secrets: ['name'],
  ports: ['containerPort', 'port'],
  conditions: ['type'],
  ownerReferences: ['uid'],
  addresses: ['type'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey'],
};

function strategicMerge(into: JsonObject, patch: JsonObject): JsonObject {
  if (patch.$patch === 'replace') return without(patch, '$patch');
  const merged: Record<string, unknown> = { ...into };
  for (const [key, value] of Object.entries(patch)) {
    if (key === '$patch' || key === '$retainKeys' || key.startsWith('$setElementOrder/')) continue;
    if (key.startsWith('$deleteFromPrimitiveList/')) {
      const field = key.slice('$deleteFromPrimitiveList/'.length);
      const old = merged[field];
      if (Array.isArray(old) && Array.isArray(value))
        merged[field] = old.filter((each) => !value.includes(each));
      continue;
    }
    const old = merged[key];
    if (value === null) delete merged[key];
    else if (isJsonObject(value)) merged[key] = strategicMerge(isJsonObject(old) ? old : {}, value);
    else merged[key] = Array.isArray(value) ? mergeLists(key, Array.isArray(old) ? old : [], value) : value;
  }
  if (Array.isArray(patch.$retainKeys))
    for (const key of Object.keys(merged)) if (!patch.$retainKeys.includes(key)) delete merged[key];
  return merged;
}

function mergeLists(field: string, old: readonly unknown[], patch: readonly unknown[]): readonly unknown[] {
  const elements = patch.filter(isJsonObject);
  const key = (mergeKeys[field] ?? []).find((name) => elements.some((each) => name in each));
  if (key === undefined || elements.length !== patch.length) return patch;
  if (elements.some(({ $patch }) => $patch === 'replace'))
    return elements.filter(({ $patch }) => $patch !== 'replace');
  const result = [...old];
  for (const element of elements) {
    const index = result.findIndex((each) => isJsonObject(each) && sameValue(each[key], element[key]));
    const found = result[index];
    if (element.$patch === 'delete') {
      if (index !== -1) result.splice(index, 1);
    } else if (isJsonObject(found)) result[index] = strategicMerge(found, element);
    else result.push(strategicMerge({}, element));
  }
  return result;
}

function without(object: JsonObject, field: string): JsonObject {
  const { [field]: _dropped, ...rest } = object;
  return rest;
}

/** RFC 6902. Throws the 422 Status when an operation cannot be done. */
function jsonPatch(object: JsonObject, operations: readonly unknown[]): unknown {
  let document: unknown = structuredClone(object);
  for (const operation of operations) {
    if (!isJsonObject(operation) || typeof operation.path !== 'string')
      throw badRequest('an operation of a JSON patch has an op and a path');
    const { op, path, value } = operation;
    const from = typeof operation.from === 'string' ? operation.from : '';
    if (op === 'test' && !sameValue(read(document, path), value))
      throw unprocessable(`the test operation failed for ${path}`);
    if (op === 'move' || op === 'copy') {
      const moved = structuredClone(read(document, from));
      if (op === 'move') document = changed(document, from, 'remove', undefined);
      document = changed(document, path, 'add', moved);
    }
    if (op === 'add' || op === 'replace' || op === 'remove') document = changed(document, path, op, value);
  }
  return document;
}

function steps(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function read(document: unknown, path: string): unknown {
  return steps(path).reduce<unknown>((found, step) => {
    if (Array.isArray(found)) return found[Number(step)];
    if (isJsonObject(found) && step in found) return found[step];
    throw unprocessable(`the path ${path} is not there`);
  }, document);
}

/** The document with a change at a path; its objects are its own already, and are changed in place. */
function changed(document: unknown, path: string, op: 'add' | 'replace' | 'remove', value: unknown): unknown {
  const all = steps(path);
  const last = all.pop();
  if (last === undefined) return op === 'remove' ? {} : value;
  const parent = read(
    document,
    all.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  );
  if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : Number(last);
    if (op === 'add') parent.splice(index, 0, value);
    else if (index >= parent.length) throw unprocessable(`the path ${path} is not there`);
    else if (op === 'replace') parent[index] = value;
    else parent.splice(index, 1);
    return document;
  }
  if (typeof parent !== 'object' || parent === null) throw unprocessable(`the path ${path} is not there`);
  if (op !== 'add' && !(last in parent)) throw unprocessable(`the path ${path} is not there`);
  if (op === 'remove') Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
  return document;
}

function unprocessable(message: string) {
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `the server rejected our request due to an error in our request: ${message}`,
    details: {},
  });
}
