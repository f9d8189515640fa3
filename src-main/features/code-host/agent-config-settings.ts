import { isMap, isScalar, isSeq } from 'yaml';
import { fieldsOf, isNothing, type Mistakes, noAlias } from './yaml-nodes.ts';

/** Maximum depth of an agent's settings. */
const deepest = 8;

/** Names of values that are never shown; names that only resemble one are removed first. */
const secretName = /token|passw|passphrase|secret|credential|key/i;
const soundsSecret = /keywords?|keyboards?|monkeys?/gi;

/**
 * Adds the values in `node` to `settings` as text, by path, such as `limits.minutes`; a list of values is one
 * text. A value whose name marks it as a secret is shown as `(set)`, including everything below it.
 */
export function putSettings(
  settings: Map<string, string>,
  node: unknown,
  path: readonly string[],
  mistakes: Mistakes,
): void {
  const name = path.join('.');
  if (isSecret(path.at(-1) ?? '', node)) {
    // Names below it are not told either: in a line with a slip they may be parts of the secret.
    settings.set(name, isNothing(node) ? '' : '(set)');
  } else if (path.length > deepest) {
    mistakes.at(node, `Setting "${name}" is nested too deeply.`);
  } else if (isMap(node)) {
    const fields = fieldsOf(node, path.length === 0 ? '"settings"' : `Setting "${name}"`, mistakes) ?? [];
    for (const [key, { value }] of fields) putSettings(settings, value, [...path, key], mistakes);
  } else if (isSeq(node) && !node.items.every((item) => isScalar(item))) {
    for (const [index, item] of node.items.entries())
      putSettings(settings, item, [...path, String(index)], mistakes);
  } else if (isSeq(node) || isScalar(node) || node === null) {
    if (settings.has(name)) mistakes.at(node, `Setting "${name}" is there twice: the last one counts.`);
    settings.set(name, isSeq(node) ? node.items.map(written).join(', ') : written(node));
  } else mistakes.at(node, noAlias(`Setting "${name}"`));
}

function isSecret(name: string, node: unknown): boolean {
  // A number of tokens is a limit of the model, not a token.
  if (/tokens$/i.test(name) && isScalar(node) && typeof node.value === 'number') return false;
  return secretName.test(name.replace(soundsSecret, ''));
}

function written(node: unknown): string {
  return isScalar(node) && !isNothing(node) ? (node.source ?? String(node.value)) : '';
}
