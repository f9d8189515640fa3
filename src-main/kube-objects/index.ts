/** Objects of the Kubernetes API without knowing their kind: fields, selectors and the columns kubectl prints. */

export { builtInColumns, isBuiltInGroup, plainColumns } from './columns/built-in-columns.ts';
export type { Column } from './columns/column.ts';
export { declaredColumns, versionOf } from './columns/declared-columns.ts';
export { type Labels, parseSelector, selects } from './selectors.ts';
