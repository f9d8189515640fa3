/** Objects of the Kubernetes API without knowing their kind: fields, selectors and the columns kubectl prints. */

export { ageOf, humanDuration } from './ages.ts';
export { builtInColumns, isBuiltInGroup, plainColumns } from './columns/built-in-columns.ts';
export type { Column } from './columns/column.ts';
export { declaredColumns, versionOf } from './columns/declared-columns.ts';
export { type Labels, labelsText, parseSelector, selectorText, selects } from './selectors.ts';
