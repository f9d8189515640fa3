import type { ObjectRef } from '#shared/api/cluster.ts';
import type { Reading } from '../evidence/reading.ts';
import type { CheckSeen, Origin } from '../logs/seen.ts';

/** A check's observation of one object. */
export type Found = Omit<CheckSeen, 'kind' | 'check'>;

/** Looks at what was read; every thing found is one piece of evidence. */
export type Check = (reading: Reading) => readonly Found[];

/** A piece of evidence on an object; `owner` when it is counted to another. */
export function found(
  object: ObjectRef,
  text: string,
  origin: Partial<Origin> & { readonly ref: string },
): Found {
  return { object, owner: object, text, ...origin };
}

export function refOf(
  kind: string,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
): ObjectRef {
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
