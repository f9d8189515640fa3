import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeTable } from '../../../src-shared/api/index.ts';

type Schema = { readonly [key: string]: unknown };
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** The names of all fields of a JSON schema, however deep. */
function fieldsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldsOf);
  if (!isSchema(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' && isSchema(value) ? Object.keys(value) : []),
    ...fieldsOf(value),
  ]);
}

describe('every body (RTE-001)', () => {
  it('has fields in snake_case, but for those the requirements of the console spell otherwise', () => {
    const others = routeTable.flatMap((route) => {
      const schemas = ['body' in route ? route.body : undefined, route.answer].filter(
        (each) => each instanceof z.ZodType,
      );
      return schemas
        .flatMap((schema) => fieldsOf(z.toJSONSchema(schema, { unrepresentable: 'any' })))
        .filter((field) => !/^[a-z][a-z0-9_]*$/.test(field))
        .map((field) => `${route.id}: ${field}`);
    });
    expect([...new Set(others)]).toEqual([
      'signIn.me: authRequired',
      'signIn.me: passwordAuth',
      'signIn.me: googleAuth',
      'signIn.me: googleClientId',
      'signIn.me: recaptchaSiteKey',
      'signIn.me: voiceTts',
      'signIn.me: voiceStt',
      'studio.list: statusComplete',
    ]);
  });
});
