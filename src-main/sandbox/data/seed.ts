import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { sandboxData } from '#shared/sandbox-data.ts';
import { age, resourceFile } from '../kubernetes/seed-schema.ts';

const text = z.string();
const texts = z.record(text, text);

const seed = z.strictObject({
  servers: z.array(
    z.strictObject({
      host: text,
      server: z.enum(['postgres', 'mysql_expired', 's3', 'http', 'tarpit', 'resets', 'foreign']).optional(),
      address: z.ipv4().optional(),
    }),
  ),
  connections: z.array(
    z.strictObject({
      name: text,
      type: text,
      tenant: text,
      settings: texts,
      ca: z.boolean().default(false),
      credentials: z.array(text),
    }),
  ),
  runners: sandboxData.shape.runners,
  assets: sandboxData.shape.assets,
  edges: z.array(
    z.strictObject({ app: text, from: text, to: text, kind: text, count: z.number(), seen: age }),
  ),
  findings: z.array(
    z.strictObject({
      id: text,
      title: text,
      severity: z.enum(['critical', 'warning', 'info']),
      subject: text,
      rule: text,
      detail: text.optional(),
      found: age,
      resolved: age.optional(),
    }),
  ),
});

/** What the sandbox has of data, as written in resources/sandbox/data.yaml. */
export type DataSeed = z.infer<typeof seed>;

/** Reads the seed. Throws where it is not as its schema says. */
export function readDataSeed(): DataSeed {
  return seed.parse(parse(readFileSync(resourceFile('sandbox', 'data.yaml'), 'utf8')));
}
