import { isJsonObject, sameValue } from '../../base/json-fields.ts';
import type { ObjectAccess } from '../../sources/cluster/index.ts';
import { uidOf } from './plans/identity.ts';
import type { Evidence } from './types.ts';

/** Whether a write was carried out, as the object says now; `unknown` when it could not be read. */
export type Found = { readonly state: 'done' | 'not_done' | 'unknown'; readonly sentence: string };

/** Finds out by reading whether a write was carried out whose answer was lost. */
export async function findOut(access: ObjectAccess, evidence: Evidence): Promise<Found> {
  const { kind, name, namespace } = evidence;
  const read = await access.read(kind, name, namespace);
  if (read.state === 'unread') return { state: 'unknown', sentence: read.reason };
  if (evidence.shows === 'exists')
    return read.state === 'read'
      ? { state: 'done', sentence: `${kind.kind} ${name} is there.` }
      : { state: 'not_done', sentence: `There is no ${kind.kind} ${name}.` };
  const same = read.state === 'read' && uidOf(read.object) === evidence.uid;
  if (evidence.shows === 'gone') {
    const stays = same && !isJsonObject(read.object.metadata) ? true : same && !isDeleted(read.object);
    return stays
      ? { state: 'not_done', sentence: `${kind.kind} ${name} is still there.` }
      : { state: 'done', sentence: `${kind.kind} ${name} is gone.` };
  }
  if (!same) return { state: 'not_done', sentence: `${kind.kind} ${name} was deleted meanwhile.` };
  return shows(read.object, evidence.fields)
    ? { state: 'done', sentence: `${kind.kind} ${name} has the new values.` }
    : { state: 'not_done', sentence: `${kind.kind} ${name} does not have the new values.` };
}

function isDeleted({ metadata }: { readonly metadata?: unknown }): boolean {
  return isJsonObject(metadata) && metadata.deletionTimestamp !== undefined;
}

/** Returns whether an object has the given fields, whatever else it has; `null` asks that a field is absent. */
function shows(value: unknown, fields: unknown): boolean {
  if (fields === null) return value === undefined || value === null;
  if (isJsonObject(fields))
    return isJsonObject(value)
      ? Object.entries(fields).every(([name, inner]) => shows(value[name], inner))
      : Object.values(fields).every((inner) => inner === null);
  if (Array.isArray(fields))
    // The server adds defaults to the elements of a list, and keeps their order.
    return (
      Array.isArray(value) &&
      value.length === fields.length &&
      fields.every((inner, index) => shows(value[index], inner))
    );
  return sameValue(value, fields);
}
