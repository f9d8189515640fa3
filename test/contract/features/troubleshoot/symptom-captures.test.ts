import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { load, loadAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RawObject } from '../../../../src-main/cluster-model/index.ts';
import { resources } from '../../../../src-main/cluster-model/index.ts';
import { diagnose, diagnoseText, readCatalogue } from '../../../../src-main/features/troubleshoot/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { repoRoot } from '../../../support/repo-root.ts';

// Objects and logs of real clusters, which are not part of the project: `../shared/bundles`, or where BUNDLE_SAMPLES says.

const samples = resolve(repoRoot, process.env.BUNDLE_SAMPLES ?? '../shared/bundles');
const catalogue = readCatalogue();

const capture = z.union([
  z.strictObject({
    files: z.array(z.string()).min(1),
    /** Between the newest time in the files and the diagnosis. */
    minutes: z.number().default(1),
  }),
  z.strictObject({ text: z.string() }),
]);
type Capture = z.infer<typeof capture>;
const captures = z
  .record(z.string(), z.strictObject({ finds: z.array(capture), passes: z.array(capture).min(1) }))
  .parse(load(readFileSync(join(repoRoot, 'test/fixtures/symptoms/captures.yaml'), 'utf8')));

const rawObject = z.looseObject({ kind: z.string(), metadata: z.looseObject({}) });
const rawList = z.looseObject({
  kind: z.string(),
  apiVersion: z.string(),
  items: z.array(z.looseObject({ metadata: z.looseObject({}) })),
});

/** A file of one object, of several, or of a list whose items may leave out what they are. */
function objectsIn(text: string): RawObject[] {
  // Times are read as such by YAML, and are text in the API.
  const documents: unknown[] = loadAll(text).flatMap((one: unknown) => one ?? []);
  return documents.flatMap((document): RawObject[] => {
    const list = rawList.safeParse(document);
    if (!list.success) return [plain(rawObject.parse(document))];
    const { apiVersion, kind, items } = list.data;
    return items.map((item) => plain({ apiVersion, kind: kind.replace(/List$/, ''), ...item }));
  });
}

const plain = (object: object): RawObject => z.looseObject({}).parse(JSON.parse(JSON.stringify(object)));

async function found(one: Capture): Promise<string[]> {
  const read = (file: string): string => readFileSync(join(samples, file), 'utf8');
  const { findings } =
    'text' in one ? await diagnoseText(read(one.text), catalogue) : await diagnosed(one, read);
  return findings.flatMap(({ symptom, explains }) => [symptom, ...explains]);
}

function diagnosed({ files, minutes }: Extract<Capture, { files: unknown }>, read: (file: string) => string) {
  const texts = files.map(read);
  const objects = texts.flatMap(objectsIn);
  const times = texts.flatMap((text) => text.match(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g) ?? []);
  const newest = Math.max(...times.map((time) => Date.parse(time)));
  // Of what the files do not hold nothing is known.
  const absent = resources.everyKind.filter(({ kind }) => !objects.some((object) => object.kind === kind));
  const states = absent.map(({ group, plural }) => [
    group === '' ? plural : `${plural}.${group}`,
    { state: 'forbidden' as const, gaps: [`Not among the files: ${plural}.`] },
  ]);
  return diagnose(
    { id: 'capture', cluster: objectCluster(objects, { states: Object.fromEntries(states) }) },
    {
      catalogue,
      now: () => newest + minutes * 60_000,
      signal: AbortSignal.timeout(60_000),
      onProgress: () => undefined,
    },
  );
}

describe.skipIf(!existsSync(samples))('in what real clusters held', () => {
  it.each(Object.entries(captures))(
    '%s is found, and not in what is like it',
    async (id, { finds, passes }) => {
      for (const one of finds) expect.soft(await found(one), JSON.stringify(one)).toContain(id);
      for (const one of passes) expect.soft(await found(one), JSON.stringify(one)).not.toContain(id);
    },
  );
});
