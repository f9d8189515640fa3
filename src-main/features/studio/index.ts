export { createIdentityKey, type IdentityKey, readIdentityKey } from './assertion.ts';
export { type Dial, studioConnector } from './connector.ts';
export { guardConnections, studioSafeServerOptions } from './framing.ts';
export { createStudioProxy, type StudioProxy, type StudioProxyOptions } from './proxy.ts';
export { studioList } from './studio-list.ts';
export { isStudioPath } from './target.ts';
