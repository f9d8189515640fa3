import { mostSteps } from '../../cel/index.ts';
import { isJsonObject, sameValue } from '../object-fields.ts';
import type { StatusCause } from '../status.ts';
import { type CompiledRule, compileRule, type RuleValues } from './compile-rule.ts';
import {
  atFieldPath,
  hasRules,
  itemsOf,
  listMapKeys,
  propertiesOf,
  propertyOf,
  type Rule,
  rulesOf,
  type Schema,
  valuesOf,
} from './schemas.ts';
import { inOrderOf, keyOf, ruleValue } from './values.ts';

/** A value and what it was before; `old` is undefined where nothing was, or it cannot be told which. */
type Place = {
  readonly schema: Schema;
  readonly value: unknown;
  readonly old: unknown;
  readonly path: string;
};

const compiled = new WeakMap<Schema, ReadonlyMap<string, CompiledRule | string>>();

/** Returns an expression of a schema's rules, compiled once; or why it cannot be, a sentence. */
export function compiledAt(schema: Schema, expression: string): CompiledRule | string {
  const known = compiled.get(schema);
  const found = known?.get(expression);
  if (found !== undefined) return found;
  const made = compileRule(expression, schema);
  compiled.set(schema, new Map(known).set(expression, made));
  return made;
}

/**
 * Returns the rules of a schema that a value breaks, as the API server says them; `old` is what it replaces. A rule that
 * cannot be compiled or evaluated refuses the value. Together they take a bounded number of steps.
 */
export function brokenRules(schema: Schema, value: unknown, old?: unknown, path = ''): StatusCause[] {
  const causes: StatusCause[] = [];
  let left: number = mostSteps.write;
  const places: Place[] = [{ schema, value, old, path }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (!hasRules(place.schema)) continue;
    const { taken, broken } = brokenAt(place, left);
    causes.push(...broken);
    left -= taken;
    if (left < 0) break;
    places.push(...placesIn(place).toReversed());
  }
  return causes;
}

/** Returns the places directly in a place, in order. */
function placesIn({ schema, value, old, path }: Place): Place[] {
  const items = itemsOf(schema);
  if (Array.isArray(value)) {
    if (items === undefined) return [];
    const keys = listMapKeys(schema);
    const before = new Map(
      keys === undefined || !Array.isArray(old) ? [] : old.map((each: unknown) => [keyOf(each, keys), each]),
    );
    return value.map((each: unknown, index) => ({
      schema: items,
      value: each,
      old: before.get(keyOf(each, keys)),
      path: `${path}[${index}]`,
    }));
  }
  if (!isJsonObject(value)) return [];
  const was = isJsonObject(old) ? old : {};
  const values = valuesOf(schema);
  const named = propertiesOf(schema).flatMap(([name, part]) =>
    Object.hasOwn(value, name)
      ? [{ schema: part, value: value[name], old: was[name], path: path === '' ? name : `${path}.${name}` }]
      : [],
  );
  if (values === undefined) return named;
  return Object.entries(value).flatMap(([key, each]) =>
    propertyOf(schema, key) === undefined
      ? [{ schema: values, value: each, old: was[key], path: `${path}[${key}]` }]
      : [],
  );
}

function brokenAt(place: Place, most: number): { readonly taken: number; readonly broken: StatusCause[] } {
  const { schema, value, old, path } = place;
  const rules = rulesOf(schema);
  if (rules.length === 0 || (value === null && schema.nullable !== true)) return { taken: 0, broken: [] };
  const broken: StatusCause[] = [];
  const refuse = (message: string): void => {
    const field = path === '' ? '<nil>' : path;
    broken.push({
      reason: 'FieldValueInvalid',
      message: `Invalid value: "${String(schema.type)}": ${message}`,
      field,
    });
  };
  let values: RuleValues;
  try {
    values = valuesAt(place);
  } catch (error) {
    refuse(`${error instanceof Error ? error.message : String(error)}: no rule could be asked`);
    return { taken: 0, broken };
  }
  const unchanged = old !== undefined && sameValue(value, old);
  let taken = 0;
  for (const rule of rules) {
    const expression = compiledAt(schema, rule.rule);
    if (typeof expression === 'string') {
      refuse(`rule compile error: ${expression}`);
      continue;
    }
    // What a change leaves as it was is not held against it, unless the rule is about changes.
    if (expression.usesOldSelf ? old === undefined && !rule.optionalOldSelf : unchanged) continue;
    const outcome = expression.evaluate(values, Math.min(mostSteps.rule, most - taken));
    taken += outcome.taken;
    if ('outOfSteps' in outcome) {
      refuse(
        outcome.taken >= mostSteps.rule
          ? `no further validation rules will be run due to call cost exceeds limit for rule: ${rule.rule}`
          : 'validation failed due to running out of cost budget, no further validation rules will be run',
      );
      return { taken: most + 1, broken };
    }
    if ('error' in outcome)
      refuse(`${outcome.error} evaluating rule: ${rule.message.trim() || oneLine(rule.rule)}`);
    else if (outcome.value !== true)
      broken.push(causeOf(rule, place, messageOf(rule, schema, values, most - taken)));
  }
  return { taken, broken };
}

function valuesAt({ schema, value, old }: Place): RuleValues {
  const self = ruleValue(schema, value);
  const bytes = JSON.stringify(value).length;
  return old === undefined
    ? { self, bytes }
    : { self, oldSelf: ruleValue(schema, inOrderOf(schema, old, value)), bytes };
}

/** Returns the text of a rule's `messageExpression`; undefined where it has none, or it came to nothing sayable. */
function messageOf(rule: Rule, schema: Schema, values: RuleValues, most: number): string | undefined {
  if (rule.messageExpression === '') return undefined;
  const expression = compiledAt(schema, rule.messageExpression);
  if (typeof expression === 'string') return undefined;
  const outcome = expression.evaluate(values, Math.max(0, Math.min(mostSteps.rule, most)));
  const text = 'value' in outcome && typeof outcome.value === 'string' ? outcome.value.trim() : '';
  return text === '' || text.includes('\n') || text.length > 5 * 1024 ? undefined : text;
}

/** Returns what is said of a broken rule. */
function said({ rule, message }: Rule, expressed: string | undefined): string {
  return expressed ?? (message === '' ? `failed rule: ${oneLine(rule)}` : message.trim());
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' ');

function causeOf(rule: Rule, { schema, value, path }: Place, expressed: string | undefined): StatusCause {
  const message = said(rule, expressed);
  const below = atFieldPath(schema, rule.fieldPath) ?? '';
  const at = `${path}${below}`.replace(/^\./, '');
  const field = at === '' ? '<nil>' : at;
  // Only what is short is told back.
  const isScalar = typeof value !== 'object' && below === '';
  const given = isScalar ? `${JSON.stringify(value)}: ` : '';
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return { reason: rule.reason, message: `Forbidden: ${message}`, field };
    case 'FieldValueRequired':
      return { reason: rule.reason, message: `Required value: ${message}`, field };
    case 'FieldValueDuplicate':
      return {
        reason: rule.reason,
        message: isScalar ? `Duplicate value: ${JSON.stringify(value)}` : 'Duplicate value',
        field,
      };
    default:
      return { reason: 'FieldValueInvalid', message: `Invalid value: ${given}${message}`, field };
  }
}
