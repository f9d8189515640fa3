import { isJsonObject, listAt } from '../object-fields.ts';
import type { StatusCause } from '../status.ts';
import type { KubeObject } from '../world.ts';
import { brokenRules, compiledAt } from './check-object.ts';
import {
  atFieldPath,
  hasRules,
  listMapKeys,
  partsOf,
  type Rule,
  rulesOf,
  type Schema,
  withDefaults,
} from './schemas.ts';

/** Reasons a rule may give, as the API server lists them. */
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** A schema of a definition, its path in it, and the list that no element can be followed through, if there is one. */
type At = { readonly schema: Schema; readonly path: string; readonly uncorrelated: string | undefined };

/**
 * Returns what is wrong with the rules of a definition, as the API server refuses it: an expression that cannot be compiled,
 * what a rule says of itself, and defaults that break the rules.
 */
export function brokenDefinition(definition: KubeObject): StatusCause[] {
  const versions = listAt(definition, 'spec', 'versions');
  const schemas = versions.map((version) => schemaOf(version));
  const isOne = new Set(schemas.map((schema) => JSON.stringify(schema))).size === 1;
  return (isOne ? schemas.slice(0, 1) : schemas).flatMap((schema, index) => {
    const path = isOne ? 'spec.validation.openAPIV3Schema' : `spec.versions[${index}].schema.openAPIV3Schema`;
    return schema === undefined ? [] : brokenSchema({ schema, path, uncorrelated: undefined });
  });
}

/** Returns the schema of a definition's version, with what every object has. */
function schemaOf(version: unknown): Schema | undefined {
  const schema = isJsonObject(version) && isJsonObject(version.schema) ? version.schema : undefined;
  const given = schema?.openAPIV3Schema;
  if (!isJsonObject(given)) return undefined;
  const known = roots.get(given);
  if (known !== undefined) return known;
  const made: Schema = {
    ...given,
    properties: { ...(isJsonObject(given.properties) ? given.properties : {}), ...objectProperties },
  };
  roots.set(given, made);
  return made;
}

const roots = new WeakMap<Schema, Schema>();

/** Fields that rules read of every object. */
const objectProperties = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: {
    type: 'object',
    properties: { name: { type: 'string' }, generateName: { type: 'string' } },
  },
};

/** Returns the causes for which an object breaks its kind's rules; `old` is what it replaces. */
export function brokenObject(
  version: unknown,
  object: KubeObject,
  old: KubeObject | undefined,
): StatusCause[] {
  const schema = schemaOf(version);
  if (schema === undefined || !hasRules(schema)) return [];
  return brokenRules(
    schema,
    withDefaults(schema, object),
    old === undefined ? undefined : withDefaults(schema, old),
  );
}

function brokenSchema(at: At): StatusCause[] {
  const { schema, path, uncorrelated } = at;
  if (!hasRules(schema)) return [];
  const standard = schema.default;
  return [
    ...rulesOf(schema).flatMap((rule, index) =>
      brokenRule(rule, at, `${path}.x-kubernetes-validations[${index}]`),
    ),
    // Before the defaults within it are filled in.
    ...(standard === undefined
      ? []
      : brokenRules(schema, standard).map((cause) => ({
          ...cause,
          field: `${path}.default${below(cause)}`,
        }))),
    ...partsOf(schema).flatMap(({ step, part }) =>
      brokenSchema({
        schema: part,
        path: `${path}${step}`,
        uncorrelated:
          uncorrelated ?? (step === '.items' && listMapKeys(schema) === undefined ? path : undefined),
      }),
    ),
  ];
}

function below({ field }: StatusCause): string {
  if (field === '<nil>') return '';
  return field.startsWith('[') ? field : `.${field}`;
}

function brokenRule(rule: Rule, { schema, uncorrelated }: At, path: string): StatusCause[] {
  const invalid = (part: string, value: string, message: string): StatusCause[] => [
    { reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${message}`, field: `${path}.${part}` },
  ];
  if (rule.rule.trim() === '')
    return [
      {
        reason: 'FieldValueRequired',
        message: 'Required value: rule is not specified',
        field: `${path}.rule`,
      },
    ];
  if (rule.message.trim().includes('\n'))
    return invalid('message', JSON.stringify(rule.message), 'must not contain line breaks');
  if (rule.reason !== '' && !reasons.includes(rule.reason))
    return [
      {
        reason: 'FieldValueNotSupported',
        message: `Unsupported value: "${rule.reason}": supported values: ${reasons.map((each) => `"${each}"`).join(', ')}`,
        field: `${path}.reason`,
      },
    ];
  if (rule.fieldPath !== '' && atFieldPath(schema, rule.fieldPath) === undefined)
    return invalid('fieldPath', `"${rule.fieldPath}"`, 'must be a valid path');
  const expression = compiledAt(schema, rule.rule);
  if (typeof expression === 'string') return invalid('rule', asGiven(rule), expression);
  if (expression.type !== undefined && expression.type !== 'bool')
    return invalid('rule', asGiven(rule), 'cel expression must evaluate to a bool');
  if (expression.usesOldSelf && uncorrelated !== undefined)
    return invalid(
      'rule',
      JSON.stringify(rule.rule),
      `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`,
    );
  if (rule.messageExpression === '') return [];
  const message = compiledAt(schema, rule.messageExpression);
  if (typeof message === 'string') return invalid('messageExpression', asGiven(rule), message);
  return message.type !== undefined && message.type !== 'string'
    ? invalid('messageExpression', asGiven(rule), 'messageExpression must evaluate to a string')
    : [];
}

/** A rule as the API server repeats it, in the encoding of Go. */
function asGiven({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: Rule): string {
  return JSON.stringify({
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason === '' ? null : reason,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf ? true : null,
  }).replaceAll(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}
