import { z } from 'zod';

/**
 * The fields every answer read from another system has (RTE-002). `source` is the source of the facts, or
 * `unavailable`; `complete` is false when anything was not read; `unmeasured` says what, and why, one
 * sentence each.
 */
export const readingFields = {
  source: z.string(),
  complete: z.boolean(),
  read_at: z.iso.datetime(),
  unmeasured: z.array(z.string()),
} as const;

const reading = z.object(readingFields);
export type Reading = z.infer<typeof reading>;

/** Returns the reading of an answer from the console's own store, `at` in epoch ms: complete unless something is said. */
export const storeReading = (at: number, unmeasured: string[] = []): Reading => ({
  source: 'store',
  complete: unmeasured.length === 0,
  read_at: new Date(at).toISOString(),
  unmeasured,
});

/** A repository's name as the code host allows it; without its owner, who is always the console's organisation. */
export const repositoryName = z
  .string()
  .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/, 'must be the name of a repository');

/** A web address another system sent; only http and https, so that it can be linked to. */
export const webLink = z.url({ protocol: /^https?$/ });
