import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { z } from 'zod';
import { gitHubDescriptionFile } from '../../support/github-description-file.ts';

/**
 * GitHub's own OpenAPI description of the operations that the sandbox answers. A further one is added to
 * `test/support/refresh-github-description.ts`, which takes it from npm's `@octokit/openapi`.
 */
export type GitHubDescription = {
  /** What an answer is not as described in; empty when it is. */
  faultsOf(answer: DescribedAnswer): string[];
  /** The path template an address belongs to, and the query parameters it may have. */
  operationOf(method: string, path: string): { template: string; query: string[] } | undefined;
};

export type DescribedAnswer = {
  readonly method: string;
  /** With or without query. */
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
};

type Schema = { readonly [key: string]: unknown };

const object = z.record(z.string(), z.unknown());
const operation = z.object({
  parameters: z.array(object).default([]),
  responses: z.record(z.string(), object),
});
const descriptionShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), object), parameters: z.record(z.string(), object) }),
});
const contentShape = z.object({ 'application/json': z.object({ schema: object }).optional() });

/** Statuses that the description leaves out for most operations; any operation may end with them. */
const everywhere = [400, 401, 403, 404, 410, 422, 429, 500, 502];

/**
 * The description writes the list's accounts with `allOf`, as if one were a person and an enterprise in one; its schema
 * of a single installation has `anyOf`. Items of the list are held against that one.
 */
const installations: Schema = { type: 'array', items: { $ref: '#/components/schemas/installation' } };

export function readGitHubDescription(): GitHubDescription {
  const text = readFileSync(gitHubDescriptionFile, 'utf8');
  const { paths, components } = descriptionShape.parse(JSON.parse(text));
  const schemas: Readonly<Record<string, Schema>> = components.schemas;
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false, formats: fullFormats });
  const compiled = new Map<string, ValidateFunction>();

  const meant = (schema: Schema): Schema => {
    const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
    return name === undefined ? schema : (schemas[name] ?? schema);
  };
  /** JSON Schema of an OpenAPI 3.0 one: what is nullable may be null, and what it names is added once to `used`. */
  const plain = (value: unknown, used: Map<string, unknown>): unknown => {
    if (Array.isArray(value)) return value.map((entry) => plain(entry, used));
    if (typeof value !== 'object' || value === null) return value;
    const { nullable, ...rest } = value as Schema;
    if (typeof rest.$ref === 'string') {
      const name = rest.$ref.split('/').at(-1) ?? '';
      if (!used.has(name)) {
        used.set(name, true);
        used.set(name, plain(schemas[name], used));
      }
      return { $ref: `#/definitions/${name}` };
    }
    const result = Object.fromEntries(
      Object.entries(rest)
        .filter(([key]) => !['example', 'examples', 'discriminator', 'default'].includes(key))
        .map(([key, entry]) => [key, plain(entry, used)]),
    );
    return nullable === true ? { anyOf: [result, { type: 'null' }] } : result;
  };
  const validatorOf = (key: string, schema: Schema): ValidateFunction => {
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const used = new Map<string, unknown>();
    const root = plain(schema, used);
    const made = ajv.compile({ allOf: [root], definitions: Object.fromEntries(used) });
    compiled.set(key, made);
    return made;
  };

  /** Properties that no part of the schema names: a name misspelt would otherwise pass wherever it is not required. */
  const unknown = (given: Schema, value: unknown, at: string): string[] => {
    const parts = partsOf(given);
    if (Array.isArray(value)) {
      const items = parts.flatMap(({ items: schema }) => (isSchema(schema) ? [schema] : []));
      if (items.length === 0) return [];
      return value.flatMap((entry, index) => unknown({ anyOf: items }, entry, `${at}/${index}`));
    }
    if (typeof value !== 'object' || value === null) return [];
    const named = parts.some(({ properties }) => properties !== undefined);
    if (!named || parts.some(({ additionalProperties }) => Boolean(additionalProperties))) return [];
    return Object.entries(value).flatMap(([name, entry]) => {
      const schemasOf = parts.flatMap(({ properties }) => {
        const found = isSchema(properties) ? properties[name] : undefined;
        return isSchema(found) ? [found] : [];
      });
      if (schemasOf.length === 0) return [`${at}/${name} is not described`];
      return unknown({ anyOf: schemasOf }, entry, `${at}/${name}`);
    });
  };
  const partsOf = (given: Schema): Schema[] => {
    const schema = meant(given);
    const more = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) =>
      Array.isArray(list) ? list.filter(isSchema) : [],
    );
    return [schema, ...more.flatMap(partsOf)];
  };

  const templates = Object.keys(paths).map((template) => ({ template, pattern: patternOf(template) }));
  const find = (method: string, path: string) => {
    const bare = path.split('?', 1)[0] ?? '';
    const [best] = templates
      .filter(
        ({ template, pattern }) => pattern.test(bare) && method.toLowerCase() in (paths[template] ?? {}),
      )
      // The one that leaves least to its names.
      .toSorted((a, b) => literals(b.template) - literals(a.template));
    const entry = best === undefined ? undefined : paths[best.template]?.[method.toLowerCase()];
    return best === undefined ? undefined : { template: best.template, ...operation.parse(entry) };
  };

  return {
    operationOf(method, path) {
      const found = find(method, path);
      if (found === undefined) return undefined;
      const parameters = found.parameters.map((entry) =>
        typeof entry.$ref === 'string'
          ? (components.parameters[entry.$ref.split('/').at(-1) ?? ''] ?? entry)
          : entry,
      );
      const query = parameters.filter((entry) => entry.in === 'query').map(({ name }) => String(name));
      return { template: found.template, query };
    },
    faultsOf({ method, path, status, body }) {
      const found = find(method, path);
      if (found === undefined) return [`${method} ${path} is not described`];
      const described = found.responses[status];
      const key = `${method} ${found.template} ${status}`;
      const content = contentShape.safeParse(described?.content).data?.['application/json']?.schema;
      if (described === undefined && !everywhere.includes(status)) return [`${key} is not described`];
      const error: Schema = { $ref: '#/components/schemas/basic-error' };
      const usual = content ?? (status >= 400 ? error : undefined);
      const schema = found.template === '/app/installations' && status === 200 ? installations : usual;
      if (schema === undefined) return [];
      const validate = validatorOf(key, schema);
      const wrong = validate(body)
        ? []
        : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
      return [...wrong, ...unknown(schema, body, '')];
    },
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** References and paths of files may have slashes in them. */
function patternOf(template: string): RegExp {
  const pattern = template
    .split(/(\{[^}]+\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return ['{ref}', '{path}', '{basehead}'].includes(part) ? '.+' : '[^/]+';
    })
    .join('');
  return new RegExp(`^${pattern}$`);
}

function literals(template: string): number {
  return template.split('/').filter((part) => !part.startsWith('{')).length;
}
