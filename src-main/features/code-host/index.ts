export { codeHostOrigin } from './created-apps.ts';
export { type PlatformFile, readPlatformFiles } from './platform-files.ts';
export { codeHostHandlers } from './routes.ts';
export { type Fields, fieldsOf, isNothing, itemsOf, type Mistakes, parseFile, textOf } from './yaml-nodes.ts';
