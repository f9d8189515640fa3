import { z } from 'zod';
import type { RawObject } from '../types.ts';

const object = z.record(z.string(), z.unknown());

/** An answer as an object, without managedFields, which nobody reads and which is half of it; undefined when it is none. */
export function rawObject(answer: unknown): RawObject | undefined {
  const parsed = object.safeParse(answer).data;
  const metadata = object.safeParse(parsed?.metadata).data;
  if (parsed === undefined || metadata === undefined) return undefined;
  const { managedFields: _, ...kept } = metadata;
  return { ...parsed, metadata: kept };
}
