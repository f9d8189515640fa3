import { celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import { errorMessage } from '../../base/error-message.ts';
import { createBudget, meterLoops, stepsIn } from './budget.ts';
import { TypeFault, typeOf } from './check-types.ts';
import { libraryFunctions } from './library.ts';
import type { Schema } from './schemas.ts';
import type { RuleValue } from './values.ts';

/** Characters of an expression: what is longer is not parsed on the thread that everybody shares. */
const longest = 20_000;

const { budget, functions } = createBudget();
const env = celEnv({ funcs: [...libraryFunctions, ...functions] });

/** An expression that can be evaluated. */
export type CompiledRule = {
  readonly usesOldSelf: boolean;
  /** Its type, where it is known before it is evaluated. */
  readonly type: string | undefined;
  /** Evaluates with at most this many steps. */
  evaluate(values: RuleValues, steps: number): RuleOutcome;
};

/** Values an expression reads; about `bytes` of them. */
export type RuleValues = {
  readonly self: RuleValue;
  readonly oldSelf?: RuleValue;
  readonly bytes: number;
};

export type RuleOutcome = { readonly taken: number } & (
  | { readonly value: unknown }
  /** As CEL says it, such as `no such key: path`. */
  | { readonly error: string }
  | { readonly outOfSteps: true }
);

/** Compiles an expression against the schema that it stands at. Returns why it cannot be, a sentence, where it cannot. */
export function compileRule(expression: string, schema: Schema): CompiledRule | string {
  const fault = (message: string, offset: number): string => {
    const lines = expression.slice(0, offset).split('\n');
    const column = (lines.at(-1) ?? '').length;
    const line = expression.split('\n')[lines.length - 1] ?? '';
    return `compilation failed: ERROR: <input>:${lines.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
  };
  if (expression.length > longest)
    return `compilation failed: the rule has ${expression.length} characters, of ${longest} it may have`;
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(expression);
  } catch (error) {
    const [, line = '1', column = '1', message = ''] =
      /^<input>:(\d+):(\d+): (.*)$/s.exec(errorMessage(error)) ?? [];
    const before = expression.split('\n').slice(0, Number(line) - 1);
    const offset = before.reduce((sum, each) => sum + each.length + 1, 0) + Number(column) - 1;
    return fault(`Syntax error: ${message === '' ? errorMessage(error) : message}`, offset);
  }
  const { expr, sourceInfo } = parsed;
  if (expr === undefined) return fault('Syntax error: there is no expression', 0);
  try {
    const type = typeOf(expr, schema, env);
    const steps = stepsIn(expr);
    meterLoops(expr);
    const evaluate = plan(env, expr);
    return {
      usesOldSelf: /\boldSelf\b/.test(withoutTexts(expression)),
      type,
      evaluate: ({ self, oldSelf, bytes }, most) => {
        const { result, taken } = budget.within(most, 1 + bytes / 100_000, () => {
          try {
            budget.take(steps);
            return evaluate(oldSelf === undefined ? { self } : { self, oldSelf });
          } catch (error) {
            return error;
          }
        });
        if (taken > most) return { outOfSteps: true, taken };
        return result instanceof Error || isCelError(result)
          ? { error: inServersWords(errorMessage(result)), taken }
          : { value: result, taken };
      },
    };
  } catch (error) {
    if (!(error instanceof TypeFault)) return fault(errorMessage(error), 0);
    const offset = sourceInfo?.positions[String(error.at)] ?? 0;
    return fault(error.message, error.isCall ? Math.max(offset, expression.indexOf('(', offset)) : offset);
  }
}

/** An expression without its texts, in which names may stand that it does not read. */
const withoutTexts = (expression: string): string =>
  expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');

/** The evaluator's messages as the API server has them. */
const inServersWords = (message: string): string => message.replace(/^field not found: /, 'no such key: ');
