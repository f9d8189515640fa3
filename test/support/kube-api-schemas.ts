import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { z } from 'zod';
import type { KubeObject, StatusCause, Validate } from '../../src-main/kube-api/index.ts';
import { repoRoot } from './repo-root.ts';

const shared = join(repoRoot, '../shared/kubernetes/recorded');

/** The reason tests against real answers are skipped; undefined when they can run. */
export const noRecordings: string | undefined = existsSync(shared)
  ? undefined
  : `skipped: the recorded answers of a real API server are not in ${shared}`;
if (noRecordings !== undefined) console.warn(noRecordings);

const recording = z.object({
  request: z.object({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown().optional(),
  }),
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string().default(''),
  stream: z.array(z.tuple([z.number(), z.string()])).default([]),
});
export type Recording = z.infer<typeof recording>;

/** One recorded exchange by the beginning of its file name, such as `37-get-404`. */
export function recorded(name: string): Recording {
  const file = readdirSync(shared).find((each) => each.startsWith(`${name}.`));
  if (file === undefined) throw new Error(`there is no recording ${name}`);
  return recording.parse(JSON.parse(readFileSync(join(shared, file), 'utf8')));
}

const documents: Readonly<Record<string, string>> = {
  v1: 'api_v1',
  'apps/v1': 'apis_apps_v1',
  'batch/v1': 'apis_batch_v1',
  'networking.k8s.io/v1': 'apis_networking.k8s.io_v1',
  'argoproj.io/v1alpha1': 'apis_argoproj.io_v1alpha1',
};
const named = z.object({
  components: z.object({
    schemas: z.record(
      z.string(),
      z.looseObject({
        'x-kubernetes-group-version-kind': z.array(z.object({ kind: z.string() })).optional(),
      }),
    ),
  }),
});

/**
 * Checks objects and lists against the real server's OpenAPI: what is wrong, a line each; undefined for a kind that it
 * does not describe.
 */
export function openapiChecker(): (value: { apiVersion?: string; kind?: string }) => string[] | undefined {
  const ajv = lenientAjv();
  const compiled = new Map<string, ValidateFunction | undefined>();
  const names = new Map<string, ReadonlyMap<string, string>>();
  for (const [apiVersion, name] of Object.entries(documents)) {
    const text: unknown = JSON.parse(readFileSync(join(shared, 'openapi', `${name}.json`), 'utf8'));
    const { schemas } = named.parse(text).components;
    ajv.addSchema({ $id: name, components: { schemas } });
    const kinds = Object.entries(schemas).flatMap(([id, schema]) =>
      (schema['x-kubernetes-group-version-kind'] ?? []).map(({ kind }) => [kind, id] as const),
    );
    names.set(apiVersion, new Map(kinds));
  }
  const checkOf = (apiVersion: string, kind: string): ValidateFunction | undefined => {
    const key = `${apiVersion} ${kind}`;
    const id = names.get(apiVersion)?.get(kind);
    if (!compiled.has(key))
      compiled.set(
        key,
        id === undefined ? undefined : ajv.getSchema(`${documents[apiVersion]}#/components/schemas/${id}`),
      );
    return compiled.get(key);
  };
  return (value) => {
    const check = checkOf(value.apiVersion ?? '', value.kind ?? '');
    if (check === undefined) return undefined;
    check(value);
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

function lenientAjv(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, useDefaults: true });
  addFormats.default(ajv);
  ajv.addFormat('int-or-string', true);
  return ajv;
}

const definition = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({
        name: z.string(),
        schema: z.object({ openAPIV3Schema: z.record(z.string(), z.unknown()) }),
      }),
    ),
  }),
});

/** The platform's own definitions, as resources/crds has them. */
export function platformDefinitions(): KubeObject[] {
  const folder = join(repoRoot, 'resources/crds');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file): KubeObject => parse(readFileSync(join(folder, file), 'utf8')));
}

/** Returns a validator that refuses the custom resources that their definition's schema does not allow. */
export function definitionValidator(definitions: readonly KubeObject[]): Validate {
  const ajv = lenientAjv();
  const schemas = definitions.flatMap((each) => {
    const { spec } = definition.parse(each);
    return spec.versions.map(({ name, schema }) => ({
      key: `${spec.group}/${name}/${spec.names.kind}`,
      check: ajv.compile(schema.openAPIV3Schema),
    }));
  });
  return (kind, object) => {
    const found = schemas.find(({ key }) => key === `${kind.group}/${kind.version}/${kind.kind}`);
    if (found === undefined) return [];
    // Checking fills in defaults, which are not kept.
    const defaulted: unknown = structuredClone(object);
    found.check(defaulted);
    return (found.check.errors ?? []).map(causeOf);
  };
}

function causeOf({ instancePath, message, keyword, params }: ErrorObject): StatusCause {
  const path = instancePath.slice(1).replaceAll('/', '.');
  return keyword === 'required'
    ? {
        reason: 'FieldValueRequired',
        message: 'Required value',
        field: [path, String(params.missingProperty)].filter(Boolean).join('.'),
      }
    : { reason: 'FieldValueInvalid', message: `Invalid value: ${message}`, field: path };
}
