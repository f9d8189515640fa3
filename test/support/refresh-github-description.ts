import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { gitHubDescriptionFile } from './github-description-file.ts';

// node test/support/refresh-github-description.ts: writes test/fixtures/github-description.json anew from the package that
// GitHub's OpenAPI description is published in. The package is 385 MB for all versions of GitHub; the sandbox's code host
// answers these operations only. To hold another one against the description, add it here and run this.
const version = '23.0.2';
const operations = [
  'GET /app',
  'GET /app/installations',
  'GET /app/installations/{installation_id}',
  'POST /app/installations/{installation_id}/access_tokens',
  'GET /installation/repositories',
  'GET /orgs/{org}/installation',
  'GET /rate_limit',
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/actions/runs',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/logs',
  'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations',
  'GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs',
  'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
  'GET /repos/{owner}/{repo}/commits/{ref}',
  'GET /repos/{owner}/{repo}/commits/{ref}/status',
  'GET /repos/{owner}/{repo}/compare/{basehead}',
  'GET /repos/{owner}/{repo}/contents/{path}',
  'GET /repos/{owner}/{repo}/installation',
  'GET /repos/{owner}/{repo}/issues',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
];
/** Named by the test beside the answers of the operations. */
const alwaysKept = ['schemas/basic-error', 'schemas/installation'];
/** Prose and examples, of which no answer can be held against. */
const dropped = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'externalDocs',
  'x-github',
  'title',
]);

const named = z.record(z.string(), z.unknown());
const shape = z.object({
  paths: z.record(z.string(), named),
  components: z.object({ schemas: named, parameters: named }),
});
const operationShape = z.object({ parameters: z.array(named).optional(), responses: named });

function readPackage(): z.infer<typeof shape> {
  const folder = mkdtempSync(join(tmpdir(), 'github-description-'));
  try {
    const install = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--prefix', folder];
    execFileSync('npm', [...install, `@octokit/openapi@${version}`], { stdio: 'inherit' });
    const file = join(folder, 'node_modules/@octokit/openapi/generated/api.github.com.json');
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The value without prose; names of properties are kept whatever they are. */
function bare(value: unknown, names = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => bare(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => names || !dropped.has(key))
      .map(([key, entry]) => [key, bare(entry, !names && key === 'properties')] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Components that a value refers to, such as `schemas/issue`. */
function references(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/((?:schemas|parameters)\/[^"]+)"/g)].map(
    ([, name = '']) => name,
  );
}

const { paths, components } = readPackage();
const keptPaths = new Map<string, Record<string, unknown>>();
for (const operation of operations) {
  const [method = '', template = ''] = operation.split(' ');
  const { parameters, responses } = operationShape.parse(paths[template]?.[method.toLowerCase()]);
  const kept = bare({ ...(parameters && { parameters }), responses });
  keptPaths.set(template, { ...keptPaths.get(template), [method.toLowerCase()]: kept });
}
const kept = new Map<string, unknown>();
const waiting = [...alwaysKept, ...[...keptPaths.values()].flatMap(references)];
for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
  if (kept.has(name)) continue;
  const [kind = '', id = ''] = name.split('/');
  const component = bare(kind === 'schemas' ? components.schemas[id] : components.parameters[id]);
  if (component === undefined) throw new Error(`The description names ${name} and does not have it.`);
  kept.set(name, component);
  waiting.push(...references(component));
}

/** An object with an entry a line, so that a refresh shows what changed. */
function lines(entries: Iterable<readonly [string, unknown]>): string {
  const sorted = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{\n${sorted.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',\n')}\n}`;
}
const ofKind = (kind: string) =>
  [...kept].flatMap(([name, value]) =>
    name.startsWith(`${kind}/`) ? [[name.slice(kind.length + 1), value] as const] : [],
  );
const text = `{"source":"@octokit/openapi ${version} (MIT), api.github.com",
"paths":${lines(keptPaths)},
"components":{"parameters":${lines(ofKind('parameters'))},
"schemas":${lines(ofKind('schemas'))}}}
`;
writeFileSync(gitHubDescriptionFile, text);
console.log(`${operations.length} operations, ${kept.size} components, ${text.length} characters`);
