import { redactValue } from '../../../cluster-model/index.ts';
import type { EnvironmentSeen } from '../logs/seen.ts';
import type { Rule } from '../rules.ts';
import { type Matched, matchText } from './pattern.ts';

/** A variable of a backend's container. What has a value that is not known is set, and matches no pattern. */
export function matchEnvironment(
  { clause, pattern, notPattern }: Rule<'environment'>,
  seen: EnvironmentSeen,
): Matched | undefined {
  const { name, part, is } = clause;
  if (!part.includes(seen.part)) return undefined;
  const variable = seen.variables.get(name);
  if (variable === undefined) {
    // Of what was not read whole it may be there.
    return is === 'unset' && seen.whole ? { text: `${name} is not set`, named: {} } : undefined;
  }
  if (is === 'unset') return undefined;
  if (variable.is === 'reference') {
    const asks = pattern !== undefined || notPattern !== undefined || is === 'blank';
    return asks ? undefined : { text: `${name} from ${variable.description}`, named: {} };
  }
  const { value } = variable;
  const blank = value.trim() === '';
  if (is === 'blank') return blank ? { text: `${name}=${JSON.stringify(value)}`, named: {} } : undefined;
  if (blank) return undefined;
  if (notPattern !== undefined && matchText(value, notPattern) !== undefined) return undefined;
  const matched = matchText(value, pattern);
  if (matched === undefined) return undefined;
  const shown = redactValue(name, value);
  const text = `${name}=${shown}`;
  const from = name.length + 1;
  return shown === value && matched.match !== undefined
    ? { text, named: matched.named, match: [matched.match[0] + from, matched.match[1] + from] }
    : { text, named: shown === value ? matched.named : {} };
}
