import { type CelEnv, celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import { errorMessage } from '../base/error-message.ts';
import { createBudget, type Expression, meterLoops, stepsIn } from './budget.ts';
import { libraryFunctions } from './library.ts';
import type { CelInput } from './values.ts';

/** Characters of an expression: what is longer is not parsed on the thread that everybody shares. */
const longestExpression = 20_000;

const { budget, functions } = createBudget();
const env = celEnv({ funcs: [...libraryFunctions, ...functions] });

/** The result of evaluating an expression. `taken`: the number of steps. */
export type CelOutcome = { readonly taken: number } & (
  | { readonly value: unknown }
  /** As CEL says it, such as `field not found: path`. */
  | { readonly error: string }
  | { readonly outOfSteps: true }
);

/** An expression that can be evaluated. */
export type CompiledExpression = {
  /** Its type, where the check knew it before it is evaluated. */
  readonly type: string | undefined;
  /** Evaluates with at most this many steps; `values` by name, about `bytes` of them. Never throws. */
  evaluate(values: Readonly<Record<string, CelInput>>, bytes: number, steps: number): CelOutcome;
};

/** Why an expression cannot be compiled: a sentence, and the offset of the character that it is about. */
export type CompileFault = { readonly message: string; readonly offset: number };

/** A fault that a check of an expression finds. */
export class ExpressionFault extends Error {
  /** ID of the expression. */
  readonly at: bigint;
  /** True for a call, whose place is that of its parenthesis. */
  readonly isCall: boolean;
  constructor(message: string, at: bigint, isCall = false) {
    super(message);
    this.at = at;
    this.isCall = isCall;
  }
}

/** Returns the type of an expression where it is known. Throws `ExpressionFault` for what it may not contain. */
export type ExpressionCheck = (expression: Expression, env: CelEnv) => string | undefined;

/**
 * Compiles an expression of CEL with the functions of Kubernetes' library, metered: each operation is a step, each turn of a
 * loop takes those of its body. Returns why it cannot be compiled, where it cannot.
 */
export function compileExpression(
  text: string,
  check: ExpressionCheck,
): { readonly compiled: CompiledExpression } | { readonly fault: CompileFault } {
  if (text.length > longestExpression)
    return {
      fault: {
        message: `the rule has ${text.length} characters, of ${longestExpression} it may have`,
        offset: -1,
      },
    };
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(text);
  } catch (error) {
    return { fault: syntaxFault(text, errorMessage(error)) };
  }
  const { expr, sourceInfo } = parsed;
  if (expr === undefined) return { fault: { message: 'Syntax error: there is no expression', offset: 0 } };
  try {
    const type = check(expr, env);
    const steps = stepsIn(expr);
    meterLoops(expr);
    return { compiled: { type, evaluate: metered(plan(env, expr), steps) } };
  } catch (error) {
    if (!(error instanceof ExpressionFault)) return { fault: { message: errorMessage(error), offset: 0 } };
    const offset = sourceInfo?.positions[String(error.at)] ?? 0;
    return {
      fault: {
        message: error.message,
        offset: error.isCall ? Math.max(offset, text.indexOf('(', offset)) : offset,
      },
    };
  }
}

function metered(evaluate: ReturnType<typeof plan>, steps: number): CompiledExpression['evaluate'] {
  return (values, bytes, most) => {
    const { result, taken } = budget.within(most, 1 + bytes / 100_000, () => {
      try {
        budget.take(steps);
        return evaluate(values);
      } catch (error) {
        return error;
      }
    });
    if (taken > most) return { outOfSteps: true, taken };
    return result instanceof Error || isCelError(result)
      ? { error: errorMessage(result), taken }
      : { value: result, taken };
  };
}

function syntaxFault(text: string, said: string): CompileFault {
  const [, line = '1', column = '1', message = ''] = /^<input>:(\d+):(\d+): (.*)$/s.exec(said) ?? [];
  const before = text.split('\n').slice(0, Number(line) - 1);
  return {
    message: `Syntax error: ${message === '' ? said : message}`,
    offset: before.reduce((sum, each) => sum + each.length + 1, 0) + Number(column) - 1,
  };
}
