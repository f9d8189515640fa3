import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  builtInColumns,
  type Column,
  declaredColumns,
  versionOf,
} from '../../src-main/kube-objects/index.ts';
import { repoRoot } from './repo-root.ts';

const json = z.record(z.string(), z.unknown());
const recorded = z.array(
  z.object({
    group: z.string(),
    version: z.string(),
    plural: z.string(),
    definition: json.optional(),
    at: z.number(),
    columns: z.array(
      z.object({ name: z.string(), type: z.string(), format: z.string(), priority: z.number() }),
    ),
    rows: z.array(z.object({ object: json, cells: z.array(z.unknown()) })),
  }),
);
export type RecordedTable = z.infer<typeof recorded>[number];

/** Tables of a real API server with the objects they were printed of (record-tables.ts). */
export const recordedTables = (name: 'built-in' | 'custom'): readonly RecordedTable[] =>
  recorded.parse(JSON.parse(readFileSync(join(repoRoot, `test/fixtures/tables/${name}.json`), 'utf8')));

/** Our columns of a recorded kind. */
export const columnsOf = ({ group, version, plural, definition }: RecordedTable): readonly Column[] =>
  definition === undefined
    ? builtInColumns({ group, plural })
    : declaredColumns(versionOf(definition, version));
