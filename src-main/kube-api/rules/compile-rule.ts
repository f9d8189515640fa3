import { type CelOutcome, compileExpression } from '../../cel/index.ts';
import { typeOf } from './check-types.ts';
import type { Schema } from './schemas.ts';
import type { RuleValue } from './values.ts';

/** An expression that can be evaluated. */
export type CompiledRule = {
  readonly usesOldSelf: boolean;
  /** Its type, where it is known before it is evaluated. */
  readonly type: string | undefined;
  /** Evaluates with at most this many steps; an error is as the API server says it. */
  evaluate(values: RuleValues, steps: number): CelOutcome;
};

/** Values an expression reads; about `bytes` of them. */
export type RuleValues = {
  readonly self: RuleValue;
  readonly oldSelf?: RuleValue;
  readonly bytes: number;
};

/** Compiles an expression against the schema that it stands at. Returns why it cannot be, a sentence, where it cannot. */
export function compileRule(expression: string, schema: Schema): CompiledRule | string {
  const made = compileExpression(expression, (expr, env) => typeOf(expr, schema, env));
  if ('fault' in made) return faultSentence(expression, made.fault);
  const { type, evaluate } = made.compiled;
  return {
    usesOldSelf: /\boldSelf\b/.test(withoutTexts(expression)),
    type,
    evaluate({ bytes, ...values }, most) {
      const outcome = evaluate(values, bytes, most);
      return 'error' in outcome ? { ...outcome, error: inServersWords(outcome.error) } : outcome;
    },
  };
}

/** A fault as the API server's compiler writes it; a negative offset is of no character. */
function faultSentence(expression: string, { message, offset }: { message: string; offset: number }): string {
  if (offset < 0) return `compilation failed: ${message}`;
  const lines = expression.slice(0, offset).split('\n');
  const column = (lines.at(-1) ?? '').length;
  const line = expression.split('\n')[lines.length - 1] ?? '';
  return `compilation failed: ERROR: <input>:${lines.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

/** An expression without its texts, in which names may stand that it does not read. */
const withoutTexts = (expression: string): string =>
  expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');

/** The evaluator's messages as the API server has them. */
const inServersWords = (message: string): string => message.replace(/^field not found: /, 'no such key: ');
