import { type CelEnv, type CelType, type Expression, ExpressionFault } from '../../cel/index.ts';
import { celName, itemsOf, propertiesOf, type Schema, valuesOf } from './schemas.ts';

/** Type of an expression before it is evaluated: a place in the schema, or the name of a type. */
type Known = { readonly schema: Schema } | { readonly type: string } | undefined;

/** Names in scope. */
type Scope = ReadonlyMap<string, Known>;

/**
 * Returns the type of an expression (`bool`, `string`, …), as far as it is known before it is evaluated. Throws an ExpressionFault
 * for a field that the schema does not have, and for a function or variable that nobody declared.
 */
export function typeOf(expression: Expression, schema: Schema, env: CelEnv): string | undefined {
  const known = infer(
    expression,
    new Map([
      ['self', { schema }],
      ['oldSelf', { schema }],
    ]),
    env,
  );
  return known === undefined || 'type' in known ? known?.type : typeOfSchema(known.schema);
}

/** Names of types, which are values of their own. */
const typeNames = new Set(
  'bool bytes double dyn duration int list map null_type string timestamp type uint google'.split(' '),
);

/** Operators that the evaluator knows without a function. */
const special: Readonly<Record<string, string | undefined>> = {
  '_&&_': 'bool',
  '_||_': 'bool',
  '!_': 'bool',
};

function infer(expression: Expression, scope: Scope, env: CelEnv): Known {
  const { exprKind, id } = expression;
  switch (exprKind.case) {
    case 'constExpr':
      return { type: constantTypes[exprKind.value.constantKind.case ?? ''] ?? 'dyn' };
    case 'identExpr': {
      const { name } = exprKind.value;
      if (scope.has(name)) return scope.get(name);
      if (!typeNames.has(name)) throw undeclared(name, id);
      return { type: 'type' };
    }
    case 'selectExpr': {
      const { operand, field, testOnly } = exprKind.value;
      const of = operand === undefined ? undefined : infer(operand, scope, env);
      const found = of !== undefined && 'schema' in of ? fieldOf(of.schema, field, id) : undefined;
      return testOnly ? { type: 'bool' } : found;
    }
    case 'callExpr': {
      const { function: name, target, args } = exprKind.value;
      // `sets.contains(a, b)` is read as a method of `sets`, which is no variable.
      const qualified = target === undefined ? undefined : qualifiedName(target, name);
      const isFunction = qualified !== undefined && env.funcs.find(qualified) !== undefined;
      if (target !== undefined && !isFunction) infer(target, scope, env);
      const given = args.map((arg) => infer(arg, scope, env));
      if (name === '_?_:_') return given[1] ?? given[2];
      if (name === '_[_]') return elementOf(args[0] === undefined ? undefined : given[0]);
      if (name in special || name.startsWith('@')) return { type: special[name] ?? 'bool' };
      const group = env.funcs.find(isFunction ? qualified : name);
      if (group === undefined) throw undeclared(name, id, true);
      const results = new Set([...group].map(({ result }: { readonly result: CelType }) => result.name));
      const [only] = results;
      return results.size === 1 && only !== 'dyn' && only !== undefined ? { type: only } : undefined;
    }
    case 'listExpr':
      for (const element of exprKind.value.elements) infer(element, scope, env);
      return { type: 'list' };
    case 'structExpr':
      return { type: 'map' };
    case 'comprehensionExpr': {
      const { iterVar, iterRange, accuVar, accuInit, loopStep, result } = exprKind.value;
      const range = iterRange === undefined ? undefined : infer(iterRange, scope, env);
      const before = accuInit === undefined ? undefined : infer(accuInit, scope, env);
      const inner = new Map(scope).set(iterVar, elementOrKeyOf(range)).set(accuVar, before);
      if (loopStep !== undefined) infer(loopStep, inner, env);
      return result === undefined ? undefined : infer(result, inner, env);
    }
    default:
      return undefined;
  }
}

const constantTypes: Readonly<Record<string, string>> = {
  boolValue: 'bool',
  bytesValue: 'bytes',
  doubleValue: 'double',
  int64Value: 'int',
  nullValue: 'null_type',
  stringValue: 'string',
  uint64Value: 'uint',
};

const undeclared = (name: string, at: bigint, isCall = false): ExpressionFault =>
  new ExpressionFault(`undeclared reference to '${name}' (in container '')`, at, isCall);

function qualifiedName({ exprKind }: Expression, name: string): string | undefined {
  return exprKind.case === 'identExpr' ? `${exprKind.value.name}.${name}` : undefined;
}

function fieldOf(schema: Schema, field: string, at: bigint): Known {
  const values = valuesOf(schema);
  if (values !== undefined) return { schema: values };
  if (schema.type !== 'object') return undefined;
  const found = propertiesOf(schema).find(([property]) => celName(property) === field);
  if (found === undefined) throw new ExpressionFault(`undefined field '${field}'`, at);
  return { schema: found[1] };
}

function elementOf(known: Known): Known {
  if (known === undefined || !('schema' in known)) return undefined;
  const element = itemsOf(known.schema) ?? valuesOf(known.schema);
  return element === undefined ? undefined : { schema: element };
}

/** Returns what a loop over a list or map names: an element, or a key. */
function elementOrKeyOf(known: Known): Known {
  if (known === undefined || !('schema' in known)) return undefined;
  return known.schema.type === 'object' ? { type: 'string' } : elementOf(known);
}

function typeOfSchema(schema: Schema): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true || schema.nullable === true) return undefined;
  switch (schema.type) {
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return schema.format === undefined ? 'string' : undefined;
    case 'array':
      return 'list';
    case 'object':
      return 'map';
    default:
      return undefined;
  }
}
