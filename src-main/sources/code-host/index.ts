export { createdFromManifest, webAddressOf } from './app-manifest.ts';
export { byDeadline } from './by-deadline.ts';
export { createCodeHost, tryCodeHost } from './github.ts';
export { noCodeHost } from './no-code-host.ts';
export type * from './types.ts';
export { workflowFamily } from './workflow-names.ts';
