import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { isJsonObject, type JsonObject, listAt, objectAt, textAt } from '../../src-main/base/json-fields.ts';
import { serverOf } from './real-server.ts';
import { repoRoot } from './repo-root.ts';
import { objectsOfBuiltInKinds } from './table-objects.ts';

// Records what a real API server prints, for test/contract/kube-objects:
//   TEST_KUBECONFIG=… node test/support/record-tables.ts --definitions FOLDER[,FOLDER…]
// Definitions keep their names and printer columns; their schemas are opened, so that every path can be given any value. All
// that is made is removed at the end. The server must be one to try things on.

const { values: given } = parseArgs({ options: { definitions: { type: 'string', default: '' } } });
const server = serverOf(process.env.TEST_KUBECONFIG ?? '');

/** A table with the objects it was printed of. `at`: epoch milliseconds of the answer. */
type Recorded = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly definition?: JsonObject;
  readonly at: number;
  readonly columns: readonly JsonObject[];
  readonly rows: readonly { readonly object: JsonObject; readonly cells: readonly unknown[] }[];
};

const table = z.object({
  columnDefinitions: z.array(
    z.object({ name: z.string(), type: z.string(), format: z.string(), priority: z.number() }),
  ),
  rows: z.array(z.object({ cells: z.array(z.unknown()), object: z.record(z.string(), z.unknown()) })),
});

const mostRows = 8;

/** Reads a table a third of a second after a whole one: no age turns while it is printed. */
async function record(kind: {
  group: string;
  version: string;
  plural: string;
}): Promise<Recorded | undefined> {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  await delay((1_300 - (Date.now() % 1_000)) % 1_000);
  const at = Date.now();
  const { status, body } = await server.get(
    `${root}/${kind.plural}?includeObject=Object&limit=500`,
    'application/json;as=Table;v=v1;g=meta.k8s.io',
  );
  const read = table.safeParse(body);
  if (status !== 200 || !read.success || read.data.rows.length === 0) return undefined;
  const { columnDefinitions, rows } = read.data;
  // Ours first; then what the server made itself.
  const ours = rows.filter(({ object }) => textAt(object, 'metadata', 'name').startsWith('rec-'));
  const others = rows.filter((row) => !ours.includes(row)).slice(0, Math.max(0, mostRows - ours.length));
  return {
    ...kind,
    at,
    columns: columnDefinitions,
    rows: [...ours, ...others].map(({ cells, object }) => ({ cells, object: bare(object) })),
  };
}

/** Without what no column reads and a machine fills. */
function bare(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = objectAt(object, 'metadata');
  return JSON.parse(
    JSON.stringify({ ...object, metadata }, (key, value: unknown) =>
      // Certificates of the server's own.
      key === 'caBundle' || key === 'ca.crt' || key === 'request' ? 'left out' : value,
    ),
  );
}

async function recordBuiltIns(): Promise<Recorded[]> {
  for (const { object, status } of objectsOfBuiltInKinds()) {
    const made = await server.create(object);
    if (made.status >= 300)
      console.warn(
        textAt(object, 'kind'),
        textAt(object, 'metadata', 'name'),
        made.status,
        textAt(made.body, 'message'),
      );
    else if (status !== undefined) {
      const patched = await server.patchStatus(object, status);
      if (patched.status >= 300)
        console.warn('status of', textAt(object, 'kind'), patched.status, textAt(patched.body, 'message'));
    }
  }
  const recorded: Recorded[] = [];
  for (const kind of await server.kinds()) {
    const found = await record(kind);
    if (found !== undefined) recorded.push(found);
  }
  return recorded;
}

function definitionsIn(folder: string): JsonObject[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file))
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .map((document): unknown => document.toJS())
    .flatMap((value) => (isJsonObject(value) && value.kind === 'CustomResourceDefinition' ? [value] : []));
}

/** The definition as far as columns go. */
function openDefinition(definition: JsonObject): JsonObject | undefined {
  const versions = listAt(definition, 'spec', 'versions');
  const version = versions.find(({ storage }) => storage === true) ?? versions[0];
  const group = textAt(definition, 'spec', 'group');
  const columns = listAt(version, 'additionalPrinterColumns');
  if (version === undefined || columns.length === 0) return undefined;
  const names = objectAt(definition, 'spec', 'names');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: textAt(definition, 'metadata', 'name'),
      annotations: { 'api-approved.kubernetes.io': 'unapproved, to try things on' },
    },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: names.plural, singular: names.singular, kind: names.kind, listKind: names.listKind },
      versions: [
        {
          name: textAt(version, 'name'),
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          additionalPrinterColumns: columns.map(({ name, type, format, jsonPath, priority }) => ({
            name,
            type,
            ...(format === undefined ? {} : { format }),
            jsonPath,
            ...(priority === undefined ? {} : { priority }),
          })),
        },
      ],
    },
  };
}

/** Values that columns are tried with: of their own type first, then of every other. */
const valuesOf: Readonly<Record<string, readonly unknown[]>> = {
  string: ['Ready', '', 7, 2.5, true, { b: '<1>', a: [1, 'x & y'] }, ['one', 'two'], null],
  integer: [3, 0, 2.7, '4', -1, null, true],
  number: [0.25, 12, '1', null],
  boolean: [true, false, 'true', null],
  date: [
    '2026-11-20T10:00:00Z',
    '2031-01-01T00:00:00Z',
    'yesterday',
    '',
    '2020-02-29T12:00:00.5+02:00',
    5,
    null,
  ],
};

/** Puts a value where a simple path leads; false for one that is not simple. */
function put(object: Record<string, unknown>, path: string, value: unknown): boolean {
  const steps = [
    ...path.matchAll(
      /\.((?:\\.|[^.[\]\\])+)|\[\?\(@\.(\w+)\s*==\s*["'](.*?)["']\)\]|\[(\d+)\]|\[['"](.+?)['"]\]/g,
    ),
  ];
  if (steps.map(([whole]) => whole).join('') !== path) return false;
  if (/^\.(metadata|apiVersion|kind)\b/.test(path)) return false;
  let at: Record<string, unknown> = object;
  for (const [index, [, plain, by, wanted, position, quoted]] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const name = (plain ?? quoted)?.replace(/\\(.)/g, '$1');
    if (name !== undefined) {
      if (isLast) at[name] = value;
      else {
        const next = steps[index + 1];
        const isList = next?.[2] !== undefined || next?.[4] !== undefined;
        if (isList ? !Array.isArray(at[name]) : !isJsonObject(at[name])) at[name] = isList ? [] : {};
        const inner = at[name];
        if (!isList) at = inner as Record<string, unknown>;
        else {
          const list = inner as Record<string, unknown>[];
          let found = list.find(
            (each) => by === undefined && next?.[2] !== undefined && each[next[2]] === next[3],
          );
          if (found === undefined) {
            found = next?.[2] === undefined ? {} : { [next[2]]: next[3] };
            list.push(found);
          }
          at = found;
        }
      }
    } else if (isLast && (position !== undefined || wanted !== undefined)) return true;
  }
  return true;
}

async function recordCustom(): Promise<Recorded[]> {
  const folders = given.definitions.split(',').filter(Boolean);
  const definitions = new Map<string, JsonObject>();
  for (const folder of [join(repoRoot, 'resources/crds'), ...folders])
    for (const each of definitionsIn(folder)) {
      const open = openDefinition(each);
      const name = textAt(each, 'metadata', 'name');
      if (open !== undefined && !definitions.has(name)) definitions.set(name, open);
    }
  const recorded: Recorded[] = [];
  for (const definition of definitions.values()) {
    const { status, body } = await server.create(definition);
    if (status >= 300) {
      console.warn(textAt(definition, 'metadata', 'name'), status, textAt(body, 'message'));
      continue;
    }
    const [version = {}] = listAt(definition, 'spec', 'versions');
    const columns = listAt(version, 'additionalPrinterColumns');
    const group = textAt(definition, 'spec', 'group');
    const kind = {
      group,
      version: textAt(version, 'name'),
      plural: textAt(definition, 'spec', 'names', 'plural'),
    };
    await server.until(`/apis/${group}/${kind.version}/${kind.plural}`);
    const most = Math.max(...columns.map(({ type }) => (valuesOf[String(type)] ?? []).length)) + 1;
    for (let turn = 0; turn < most; turn += 1) {
      const object: Record<string, unknown> = {
        apiVersion: `${group}/${kind.version}`,
        kind: textAt(definition, 'spec', 'names', 'kind'),
        metadata: { name: `rec-${turn}` },
      };
      // The last has nothing at all.
      if (turn < most - 1)
        for (const [index, { jsonPath, type }] of columns.entries()) {
          const values = valuesOf[String(type)] ?? [];
          put(object, String(jsonPath), values[(turn + (turn === 0 ? 0 : index)) % values.length]);
        }
      const made = await server.create(object);
      if (made.status >= 300) console.warn(kind.plural, turn, made.status, textAt(made.body, 'message'));
    }
    const found = await record(kind);
    if (found === undefined) console.warn('no table of', kind.plural);
    else recorded.push({ ...found, definition });
    await server.remove(definition);
  }
  return recorded;
}

function write(name: string, recorded: readonly Recorded[]): void {
  const lines = recorded.map((each) => JSON.stringify(each));
  writeFileSync(join(repoRoot, 'test/fixtures/tables', name), `[\n${lines.join(',\n')}\n]\n`);
  console.log(
    name,
    recorded.length,
    'kinds',
    recorded.reduce((sum, { rows }) => sum + rows.length, 0),
    'rows',
  );
}

write('custom.json', await recordCustom());
write('built-in.json', await recordBuiltIns());
for (const { object } of objectsOfBuiltInKinds().toReversed()) await server.remove(object);
