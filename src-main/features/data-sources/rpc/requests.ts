import type { z } from 'zod';
import { ConsoleError } from '#shared/errors.ts';

/** Checks a request by the schema that the HTTP alias is checked by. Throws `BadInput` naming the field. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = issue?.path.join('.') ?? '';
  throw new ConsoleError(
    'BadInput',
    `${name === '' ? 'The request' : `"${name}"`} is not valid: ${issue?.message}.`,
  );
}
