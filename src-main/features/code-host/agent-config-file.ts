import { isMap, isScalar } from 'yaml';
import type { AgentConfig } from '#shared/api/code-host.ts';
import { putSettings } from './agent-config-settings.ts';
import { type Fields, fieldsOf, isNothing, itemsOf, type Mistakes, parseFile, textOf } from './yaml-nodes.ts';

type Agent = AgentConfig['agents'][number];
type BiasRule = Agent['bias_rules'][number];
export type AgentFile = Pick<AgentConfig, 'agents' | 'errors'>;

/** Hundreds of agents. The parser takes up to 3 s for a megabyte that is made to be slow, and nothing else is served meanwhile. */
const mostCharacters = 256 * 1024;

const textFields = ['family', 'description', 'model', 'schedule', 'workflow'] as const;
const agentFields: readonly string[] = ['name', 'enabled', ...textFields];
const ruleFields: readonly string[] = ['id', 'rule', 'severity', 'applies_to'];

/**
 * Reads `.platform/agents.yaml`. Mistakes are reported by line, and everything that could be read is kept.
 *
 * ```yaml
 * agents:
 *   - name: security-review          # required, once in the file
 *     family: review
 *     enabled: false                 # true when it is left out
 *     description: Reads each change for what an outsider could do with it.
 *     model: northgate-large
 *     schedule: "0 5 * * 1"
 *     workflow: .github/workflows/review-security.yml
 *     settings:                      # anything; a field not listed here is a setting, too
 *       depth: 3
 *       limits: { minutes: 20 }      # shown as `limits.minutes`
 *       api_token: sealed:campaign   # shown as `(set)`, as is any name with token, password, secret or key
 *     bias_rules:
 *       - id: consent-first          # required, once in the agent
 *         rule: Treat a message to somebody who withdrew consent as the worst outcome.   # required
 *         severity: error
 *         applies_to: ["internal/audience/**"]
 * ```
 */
export function readAgentFile(text: string): AgentFile {
  if (text.length > mostCharacters)
    return {
      agents: [],
      errors: [{ line: 1, message: 'The file is larger than 256 KB: it was not read.' }],
    };
  const { root, mistakes, list } = parseFile(text);
  return { agents: agentsIn(root, mistakes), errors: list() };
}

function agentsIn(root: unknown, mistakes: Mistakes): Agent[] {
  if (isNothing(root)) {
    mistakes.at(root, 'The file is empty: it has no "agents".');
    return [];
  }
  const fields = fieldsOf(root, 'The file', mistakes);
  if (fields === undefined) return [];
  for (const [name, { key }] of fields) {
    if (name !== 'agents') mistakes.at(key, `"${name}" is not known here: only "agents" is read.`);
  }
  const list = fields.get('agents');
  if (list === undefined) {
    mistakes.at(root, 'The file has no "agents".');
    return [];
  }
  const names = new Set<string>();
  return itemsOf(list.value, list.key, '"agents"', mistakes).flatMap((node) => {
    const agent = agentOf(node, mistakes);
    if (agent === undefined) return [];
    if (names.has(agent.name)) mistakes.at(node, `Agent "${agent.name}" is there twice.`);
    names.add(agent.name);
    return agent;
  });
}

function agentOf(node: unknown, mistakes: Mistakes): Agent | undefined {
  const fields = fieldsOf(node, 'An agent', mistakes);
  if (fields === undefined) return undefined;
  const name = required(fields, 'name', node, 'An agent', mistakes);
  if (name === undefined) return undefined;
  const what = `agent "${name}"`;
  const settings = new Map<string, string>();
  for (const [key, { value }] of fields) {
    if (key === 'settings' || key === 'bias_rules' || agentFields.includes(key)) continue;
    putSettings(settings, value, [key], mistakes);
  }
  const set = fields.get('settings');
  if (set !== undefined && isMap(set.value)) putSettings(settings, set.value, [], mistakes);
  else if (set !== undefined && !isNothing(set.value))
    mistakes.at(set.key, `"settings" of ${what} must be a map of names and values.`);
  return {
    name,
    enabled: enabledOf(fields, what, mistakes),
    ...textsOf(fields, textFields, what, mistakes),
    settings: Object.fromEntries(settings),
    bias_rules: rulesOf(fields, what, mistakes),
    line: mistakes.lineOf(node),
  };
}

function enabledOf(fields: Fields, agent: string, mistakes: Mistakes): boolean {
  const field = fields.get('enabled');
  if (field === undefined) return true;
  if (isScalar(field.value) && typeof field.value.value === 'boolean') return field.value.value;
  mistakes.at(field.key, `"enabled" of ${agent} is neither true nor false: it counts as true.`);
  return true;
}

function rulesOf(fields: Fields, agent: string, mistakes: Mistakes): BiasRule[] {
  const list = fields.get('bias_rules');
  if (list === undefined) return [];
  const ids = new Set<string>();
  return itemsOf(list.value, list.key, `"bias_rules" of ${agent}`, mistakes).flatMap((node) => {
    const rule = ruleOf(node, agent, mistakes);
    if (rule === undefined) return [];
    if (ids.has(rule.id)) mistakes.at(node, `Bias rule "${rule.id}" of ${agent} is there twice.`);
    ids.add(rule.id);
    return rule;
  });
}

function ruleOf(node: unknown, agent: string, mistakes: Mistakes): BiasRule | undefined {
  const fields = fieldsOf(node, `A bias rule of ${agent}`, mistakes);
  if (fields === undefined) return undefined;
  const id = required(fields, 'id', node, `A bias rule of ${agent}`, mistakes);
  const what = id === undefined ? `a bias rule of ${agent}` : `bias rule "${id}" of ${agent}`;
  const rule = required(fields, 'rule', node, what.charAt(0).toUpperCase() + what.slice(1), mistakes);
  for (const [name, { key }] of fields) {
    if (!ruleFields.includes(name)) mistakes.at(key, `"${name}" of ${what} is not known.`);
  }
  const applies = fields.get('applies_to');
  const about = `"applies_to" of ${what}`;
  const items = applies === undefined ? [] : itemsOf(applies.value, applies.key, about, mistakes);
  const texts = textsOf(fields, ['severity'], what, mistakes);
  const applies_to = items.flatMap((item) => textOf(item, item, about, mistakes) ?? []);
  return id === undefined || rule === undefined ? undefined : { id, rule, ...texts, applies_to };
}

/** Returns those of the fields that are present, as text. */
function textsOf<Name extends string>(
  fields: Fields,
  names: readonly Name[],
  what: string,
  mistakes: Mistakes,
): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const field = fields.get(name);
    if (field === undefined || isNothing(field.value)) continue;
    const text = textOf(field.value, field.key, `"${name}" of ${what}`, mistakes);
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

/** A text without which `what` is left out. */
function required(
  fields: Fields,
  name: string,
  node: unknown,
  what: string,
  mistakes: Mistakes,
): string | undefined {
  const field = fields.get(name);
  if (field === undefined || isNothing(field.value)) {
    mistakes.at(field?.key ?? node, `${what} has no "${name}": it is left out.`);
    return undefined;
  }
  return textOf(field.value, field.key, `"${name}" of ${what}`, mistakes);
}
