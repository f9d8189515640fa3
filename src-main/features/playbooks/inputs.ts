import { ConsoleError } from '#shared/errors.ts';
import type { PlaybookDefinition, PlaybookInput } from './definition.ts';

/** Inputs of a run by name; as texts where a person typed them. */
export type Inputs = Readonly<Record<string, string | number | boolean>>;

const longestInput = 2_000;
/** A name as Kubernetes has it (RFC 1123), of an object or a namespace. */
const kubernetesName = /^[a-z0-9]([-a-z0-9.:]{0,251}[a-z0-9])?$/;

/** Returns the inputs with their types and defaults. Throws `BadInput` naming the first one that is missing or wrong. */
export function checkInputs({ inputs }: PlaybookDefinition, given: Inputs): Inputs {
  const unknown = Object.keys(given).find((name) => !inputs.some((each) => each.name === name));
  if (unknown !== undefined)
    throw new ConsoleError('BadInput', `inputs.${unknown}: this playbook has no such input.`);
  const entries = inputs.flatMap((input): [string, string | number | boolean][] => {
    const value = given[input.name] ?? input.default;
    if (value === undefined || value === '') {
      if (input.required)
        throw new ConsoleError('BadInput', `inputs.${input.name}: ${input.title} is missing.`);
      return [[input.name, '']];
    }
    return [[input.name, typed(input, value)]];
  });
  return Object.fromEntries(entries);
}

function typed({ name, type, title }: PlaybookInput, value: string | number | boolean) {
  const wrong = (what: string): ConsoleError =>
    new ConsoleError('BadInput', `inputs.${name}: ${title} ${what}.`);
  if (type === 'number') {
    const number = Number(value);
    if (typeof value === 'boolean' || !Number.isFinite(number)) throw wrong('must be a number');
    return number;
  }
  if (type === 'boolean') {
    if (value !== true && value !== false && value !== 'true' && value !== 'false')
      throw wrong('must be true or false');
    return value === true || value === 'true';
  }
  const text = String(value);
  if (text.length > longestInput) throw wrong(`must have ${longestInput} characters at most`);
  if (type === 'name' && !kubernetesName.test(text))
    throw wrong('must be a name as Kubernetes has it: lower case letters, digits, - and .');
  return text;
}
