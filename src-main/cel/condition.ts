import type { Expression } from './budget.ts';
import { compileExpression, ExpressionFault } from './compile.ts';
import type { CelInput } from './values.ts';

/** Steps that one condition may take: some milliseconds. */
export const mostConditionSteps = 50_000;

/** The result of evaluating a condition: whether it holds, or a sentence that says why that is unknown. */
export type ConditionOutcome = { readonly steps: number } & (
  | { readonly holds: boolean }
  | { readonly fault: string }
);

/** A condition over named values. */
export type Condition = {
  /** Evaluates it over these values with at most `steps` steps. Never throws. */
  evaluate(values: Readonly<Record<string, CelInput>>, steps?: number): ConditionOutcome;
};

/** Compiles a condition that reads the named variables. Returns why it cannot be compiled, one sentence, where it cannot. */
export function compileCondition(
  text: string,
  variables: readonly string[],
): { readonly condition: Condition } | { readonly fault: string } {
  const made = compileExpression(text, (expression, env) => {
    checkNames(expression, new Set(variables), (name) => env.funcs.find(name) !== undefined);
    return undefined;
  });
  if ('fault' in made) {
    const { message, offset } = made.fault;
    if (offset < 0) return { fault: `The condition has too many characters: ${message}.` };
    const lines = text.slice(0, offset).split('\n');
    const column = (lines.at(-1) ?? '').length + 1;
    return { fault: `The condition is not valid at line ${lines.length}, column ${column}: ${message}` };
  }
  const { compiled } = made;
  return {
    condition: {
      evaluate(values, steps = mostConditionSteps) {
        const outcome = compiled.evaluate(values, bytesOf(values), steps);
        const taken = { steps: outcome.taken };
        if ('outOfSteps' in outcome)
          return { ...taken, fault: 'The condition takes too many steps: it was given up.' };
        if ('error' in outcome)
          return { ...taken, fault: `The condition could not be evaluated: ${outcome.error}.` };
        if (typeof outcome.value !== 'boolean')
          return { ...taken, fault: 'The condition is neither true nor false: it must be one of them.' };
        return { ...taken, holds: outcome.value };
      },
    },
  };
}

/** Names that CEL itself has: types, which are values of their own. */
const typeNames = new Set(
  'bool bytes double dyn duration int list map null_type string timestamp type uint google'.split(' '),
);

/** Throws for a name that is no variable in scope. `isFunction` tells the names of functions, such as `sets.contains`. */
function checkNames(
  expression: Expression | undefined,
  scope: ReadonlySet<string>,
  isFunction: (name: string) => boolean,
): void {
  if (expression === undefined) return;
  const { exprKind, id } = expression;
  const check = (each: Expression | undefined, inner = scope) => checkNames(each, inner, isFunction);
  switch (exprKind.case) {
    case 'identExpr':
      if (!scope.has(exprKind.value.name) && !typeNames.has(exprKind.value.name))
        throw new ExpressionFault(`"${exprKind.value.name}" is not known here`, id);
      return;
    case 'selectExpr':
      check(exprKind.value.operand);
      return;
    case 'callExpr': {
      const { function: name, target, args } = exprKind.value;
      const owner = target?.exprKind.case === 'identExpr' ? target.exprKind.value.name : undefined;
      const isQualified = owner !== undefined && isFunction(`${owner}.${name}`);
      if (!isQualified) check(target);
      if (!isQualified && !isOperator(name) && !isFunction(name))
        throw new ExpressionFault(`there is no function "${name}"`, id, true);
      for (const arg of args) check(arg);
      return;
    }
    case 'listExpr':
      for (const element of exprKind.value.elements) check(element);
      return;
    case 'structExpr':
      for (const { keyKind, value } of exprKind.value.entries) {
        if (keyKind.case === 'mapKey') check(keyKind.value);
        check(value);
      }
      return;
    case 'comprehensionExpr': {
      const { iterVar, iterRange, accuVar, accuInit, loopCondition, loopStep, result } = exprKind.value;
      check(iterRange);
      check(accuInit);
      const inner = new Set([...scope, iterVar, accuVar]);
      for (const each of [loopCondition, loopStep, result]) check(each, inner);
      return;
    }
  }
}

/** Operators are calls of functions whose names nobody can write. */
const isOperator = (name: string): boolean => /[^A-Za-z0-9_]/.test(name) || name.startsWith('_');

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Map)
    return [...value].reduce((sum, [key, each]) => sum + key.length + bytesOf(each), 0);
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + bytesOf(each), 0);
  if (typeof value === 'object' && value !== null) return bytesOf(Object.values(value));
  return 8;
}
