export type { CelEnv, CelType } from '@bufbuild/cel';
export { type Expression, mostSteps } from './budget.ts';
export { type CelOutcome, compileExpression, ExpressionFault } from './compile.ts';
export { compileCondition, mostConditionSteps } from './condition.ts';
export { type CelInput, celInput } from './values.ts';
