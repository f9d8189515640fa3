export { createIdentityKey, type IdentityKey, readIdentityKey, signAssertion } from './assertion.ts';
export { guardConnections, studioSafeServerOptions } from './framing.ts';
export { createStudioProxy, type StudioProxy, type StudioProxyOptions, type StudioSession } from './proxy.ts';
export { studioList } from './studio-list.ts';
export { isStudioPath, parseStudioUpstream } from './target.ts';
