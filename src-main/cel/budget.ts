import {
  type CelFunc,
  type CelList,
  CelScalar,
  type CelValue,
  celFunc,
  celList,
  listType,
  type parse,
} from '@bufbuild/cel';

/** An expression of CEL, parsed. */
export type Expression = NonNullable<ReturnType<typeof parse>['expr']>;

/** Steps that the rules of one write may take together, as of one rule: a step is one operation of the expression. */
export const mostSteps = { rule: 300_000, write: 1_000_000 } as const;

/** Steps of an operation whose work is not of a fixed size; others take one. */
const stepsOf: Readonly<Record<string, number>> = {
  matches: 200,
  split: 50,
  join: 50,
  replace: 50,
  url: 50,
  isURL: 50,
};

/** Steps an evaluation may still take. Evaluations do not overlap: they are synchronous. */
export type Budget = {
  /** Takes steps. Throws an Error when there are none left. */
  take(steps: number): void;
  /** Evaluates with this many steps, scaled by the bytes of what is read; says whether that was enough. */
  within<T>(steps: number, scale: number, evaluate: () => T): { readonly result: T; readonly taken: number };
};

/** The function that a loop asks before each of its turns. */
const turnFunction = '@turn';

/** Returns a budget, and the functions by which expressions take from it. */
export function createBudget(): { readonly budget: Budget; readonly functions: readonly CelFunc[] } {
  let [left, total, factor] = [0, 0, 1];
  const budget: Budget = {
    take(steps) {
      left -= steps * factor;
      if (left < 0) throw new Error('out of steps');
    },
    within(steps, scale, evaluate) {
      [left, total, factor] = [steps, steps, scale];
      const result = evaluate();
      return { result, taken: total - left };
    },
  };
  /** Arrays of lists that were put together here, so that the next element need not walk them. */
  const arrays = new WeakMap<CelList, readonly CelValue[]>();
  const arrayOf = (list: CelList): readonly CelValue[] => arrays.get(list) ?? [...list];
  const list = listType(CelScalar.DYN);
  return {
    budget,
    functions: [
      celFunc(turnFunction, [CelScalar.INT, CelScalar.BOOL], CelScalar.BOOL, (steps, goesOn) => {
        budget.take(Number(steps));
        return goesOn;
      }),
      // The library's own nests a list for each element, which no stack holds.
      celFunc('_+_', [list, list], list, (left_, right) => {
        const both = [...arrayOf(left_), ...arrayOf(right)];
        budget.take(Math.ceil(both.length / 20));
        const joined = celList(both);
        arrays.set(joined, both);
        return joined;
      }),
    ],
  };
}

/** Returns the steps that one evaluation of an expression takes, its loops' turns apart. */
export function stepsIn(expression: Expression | undefined): number {
  if (expression === undefined) return 0;
  return ownSteps(expression) + partsOf(expression).reduce((sum, part) => sum + stepsIn(part), 0);
}

function ownSteps({ exprKind }: Expression): number {
  if (exprKind.case !== 'callExpr') return 1;
  const { function: name, args } = exprKind.value;
  const steps = stepsOf[name] ?? 1;
  // A pattern is compiled each time: that takes as long as it is.
  return name === 'matches' ? steps + 20 * Math.max(0, ...args.map(lengthOf)) : steps;
}

function lengthOf({ exprKind }: Expression): number {
  const constant = exprKind.case === 'constExpr' ? exprKind.value.constantKind : undefined;
  return constant?.case === 'stringValue' ? constant.value.length : 0;
}

/** Returns the expressions directly in an expression; of a loop without what is done in each turn. */
function partsOf({ exprKind }: Expression): readonly (Expression | undefined)[] {
  switch (exprKind.case) {
    case 'callExpr':
      return [exprKind.value.target, ...exprKind.value.args];
    case 'selectExpr':
      return [exprKind.value.operand];
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) => [
        keyKind.case === 'mapKey' ? keyKind.value : undefined,
        value,
      ]);
    case 'comprehensionExpr':
      return [exprKind.value.iterRange, exprKind.value.accuInit, exprKind.value.result];
    default:
      return [];
  }
}

/** Makes each turn of the expression's loops take the steps of its body. */
export function meterLoops(expression: Expression | undefined): void {
  if (expression === undefined) return;
  const { exprKind } = expression;
  for (const part of partsOf(expression)) meterLoops(part);
  if (exprKind.case !== 'comprehensionExpr') return;
  const loop = exprKind.value;
  meterLoops(loop.loopStep);
  const { loopCondition } = loop;
  if (loopCondition === undefined) return;
  loop.loopCondition = turnBefore(loopCondition, stepsIn(loop.loopStep) + stepsIn(loopCondition));
}

function turnBefore(condition: Expression, steps: number): Expression {
  return {
    $typeName: 'cel.expr.Expr',
    id: condition.id,
    exprKind: {
      case: 'callExpr',
      value: {
        $typeName: 'cel.expr.Expr.Call',
        function: turnFunction,
        args: [
          {
            $typeName: 'cel.expr.Expr',
            id: condition.id,
            exprKind: {
              case: 'constExpr',
              value: {
                $typeName: 'cel.expr.Constant',
                constantKind: { case: 'int64Value', value: BigInt(steps) },
              },
            },
          },
          condition,
        ],
      },
    },
  };
}
