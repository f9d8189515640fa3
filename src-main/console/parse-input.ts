import type { z } from 'zod';
import { ConsoleError } from '#shared/errors.ts';

/**
 * Returns a part of a request as its schema has it. Throws `BadInput`, naming the field. A part without a schema is
 * undefined.
 */
export function parseInput(schema: z.ZodType | undefined, value: unknown, location: string): unknown {
  if (schema === undefined) {
    if (location === 'query') refuseUnknown(value);
    return undefined;
  }
  // No name here has one, and PostgreSQL stores none.
  if (location !== 'body' && Object.values(value ?? {}).some((part) => String(part).includes('\0')))
    throw new ConsoleError('BadInput', `In the ${location}, a NUL character is not valid.`);
  const result = schema.safeParse(value ?? {});
  if (result.success) {
    if (location === 'query') refuseUnknown(value, result.data);
    return result.data;
  }
  const [issue] = result.error.issues;
  const name = issue?.path.join('.') ?? '';
  throw new ConsoleError(
    'BadInput',
    `In the ${location}, ${name === '' ? 'the value' : `"${name}"`} is not valid: ${issue?.message}.`,
  );
}

/** An unknown parameter is a spelling mistake: named, not ignored (RTE-005). */
function refuseUnknown(query: unknown, known: unknown = {}): void {
  if (typeof query !== 'object' || query === null) return;
  const knownNames = typeof known === 'object' && known !== null ? Object.keys(known) : [];
  const unknown = Object.keys(query).find((name) => !knownNames.includes(name));
  if (unknown !== undefined)
    throw new ConsoleError('BadInput', `"${unknown}" is not a parameter of this address.`);
}
