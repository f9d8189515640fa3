export { createIdentityKey, type IdentityKey, readIdentityKey } from './assertion.ts';
export { type Dial, studioConnector } from './connector.ts';
export { createForwarding } from './forwarding.ts';
export { guardConnections, studioSafeServerOptions } from './framing.ts';
export { createLiveProxy } from './live-proxy.ts';
export { createStudioProxy, type StudioProxy, type StudioProxyOptions } from './proxy.ts';
export { isStudioApp, studioList } from './studio-list.ts';
export { isStudioPath } from './target.ts';
export { type StudioTrial, tryStudio } from './try-studio.ts';
