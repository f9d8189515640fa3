export type { CelEnv, CelType } from '@bufbuild/cel';
export { type Expression, mostSteps } from './budget.ts';
export { type CelOutcome, type CompiledExpression, compileExpression, ExpressionFault } from './compile.ts';
export { type Condition, type ConditionOutcome, compileCondition, mostConditionSteps } from './condition.ts';
export { type CelInput, celInput } from './values.ts';
