export { createContexts } from './contexts.ts';
export type * from './types.ts';
