import { type FactType, factType } from '#shared/api/rules-recon.ts';
import {
  type Fields,
  fieldsOf,
  isNothing,
  itemsOf,
  type Mistakes,
  parseFile,
  textOf,
} from '../code-host/index.ts';

/** A rule as its file declares it. */
export type FileRule = {
  readonly tenant: string;
  readonly id: string;
  readonly title: string;
  readonly condition: string;
  readonly facts: Readonly<Record<string, FactType>>;
  readonly line: number;
};

export type RulesFile = {
  readonly rules: readonly FileRule[];
  readonly errors: readonly { readonly line: number; readonly message: string }[];
};

/** Hundreds of rules. The parser takes seconds for a megabyte that is made to be slow, and nothing else is served meanwhile. */
const mostCharacters = 256 * 1024;

/** Rules of one file. */
const mostRules = 500;

const ruleFields: readonly string[] = ['id', 'tenant', 'title', 'condition', 'facts'];
const factName = /^[a-z][a-z0-9_]{0,62}$/;

/**
 * Reads `.platform/rules.yaml`. Mistakes are reported by line, and every rule that could be read is kept.
 *
 * ```yaml
 * rules:
 *   - id: refunds-in-time            # required, once for a tenant in the file
 *     tenant: willow                 # required
 *     title: Refunds are paid within 14 days          # required
 *     facts:                         # what an observer reports: int, double, bool, string, strings
 *       oldest_days: double
 *       regions: strings
 *     condition: facts.oldest_days <= 14.0            # required: CEL, true where the rule holds
 * ```
 */
export function readRulesFile(text: string): RulesFile {
  if (text.length > mostCharacters)
    return { rules: [], errors: [{ line: 1, message: 'The file is larger than 256 KB: it was not read.' }] };
  const { root, mistakes, list } = parseFile(text);
  const rules = rulesIn(root, mistakes);
  return { rules, errors: list().map(({ line, message }) => ({ line, message })) };
}

function rulesIn(root: unknown, mistakes: Mistakes): FileRule[] {
  if (isNothing(root)) {
    mistakes.at(root, 'The file is empty: it has no "rules".');
    return [];
  }
  const fields = fieldsOf(root, 'The file', mistakes);
  const list = fields?.get('rules');
  for (const [name, { key }] of fields ?? [])
    if (name !== 'rules') mistakes.at(key, `"${name}" is not known here: only "rules" is read.`);
  if (fields !== undefined && list === undefined) mistakes.at(root, 'The file has no "rules".');
  if (list === undefined) return [];
  const nodes = itemsOf(list.value, list.key, '"rules"', mistakes);
  if (nodes.length > mostRules)
    mistakes.at(
      nodes[mostRules],
      `The file has ${nodes.length} rules: only the first ${mostRules} are read.`,
    );
  const known = new Set<string>();
  return nodes.slice(0, mostRules).flatMap((node) => {
    const rule = ruleOf(node, mistakes);
    if (rule === undefined) return [];
    const key = JSON.stringify([rule.tenant, rule.id]);
    if (known.has(key)) {
      mistakes.at(node, `Rule "${rule.id}" of ${rule.tenant} is there twice: the first one counts.`);
      return [];
    }
    known.add(key);
    return [rule];
  });
}

function ruleOf(node: unknown, mistakes: Mistakes): FileRule | undefined {
  const fields = fieldsOf(node, 'A rule', mistakes);
  if (fields === undefined) return undefined;
  const required = (name: string, what: string): string | undefined => {
    const field = fields.get(name);
    if (field === undefined || isNothing(field.value)) {
      mistakes.at(field?.key ?? node, `${what} has no "${name}".`);
      return undefined;
    }
    return textOf(field.value, field.key, `"${name}" of ${what.toLowerCase()}`, mistakes);
  };
  const id = required('id', 'A rule');
  if (id === undefined) return undefined;
  const what = `Rule "${id}"`;
  const [tenant, title, condition] = ['tenant', 'title', 'condition'].map((name) => required(name, what));
  for (const [name, { key }] of fields)
    if (!ruleFields.includes(name)) mistakes.at(key, `"${name}" is not known in a rule: it is left out.`);
  if (tenant === undefined || title === undefined || condition === undefined) return undefined;
  return {
    tenant,
    id,
    title,
    condition,
    facts: factsOf(fields, what, mistakes),
    line: mistakes.lineOf(node),
  };
}

function factsOf(fields: Fields, what: string, mistakes: Mistakes): Readonly<Record<string, FactType>> {
  const field = fields.get('facts');
  if (field === undefined || isNothing(field.value)) return {};
  const named = fieldsOf(field.value, `"facts" of ${what.toLowerCase()}`, mistakes) ?? new Map();
  return Object.fromEntries(
    [...named].flatMap(([name, { key, value }]) => {
      const type = factType.safeParse(textOf(value, key, `The type of fact "${name}"`, mistakes));
      if (!factName.test(name))
        mistakes.at(key, `"${name}" is no name of a fact: write one such as open_refunds.`);
      else if (!type.success)
        mistakes.at(key, `The type of fact "${name}" is none of ${factType.options.join(', ')}.`);
      else return [[name, type.data]];
      return [];
    }),
  );
}
