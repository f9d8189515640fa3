import { z } from 'zod';
import type { RawObject } from '../../../cluster-model/kinds/index.ts';

const object = z.record(z.string(), z.unknown());

/** An answer as an object; undefined when it is none. */
export function rawObject(answer: unknown): RawObject | undefined {
  const parsed = object.safeParse(answer).data;
  return parsed !== undefined && object.safeParse(parsed.metadata).success ? parsed : undefined;
}
