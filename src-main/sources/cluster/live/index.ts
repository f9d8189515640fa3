export { createContexts } from './contexts.ts';
export { type InspectedContext, inspectKubeconfig } from './inspect-kubeconfig.ts';
export type * from './types.ts';
