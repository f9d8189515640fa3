export { createIdentityKey, type IdentityKey, readIdentityKey, signAssertion } from './assertion.ts';
export { type Dial, studioConnector } from './connector.ts';
export { guardConnections, studioSafeServerOptions } from './framing.ts';
export { createStudioProxy, type StudioProxy, type StudioProxyOptions, type StudioSession } from './proxy.ts';
export { studioList } from './studio-list.ts';
export {
  type ClusterService,
  isStudioPath,
  parseStudioPlace,
  parseStudioUpstream,
  type StudioPlace,
} from './target.ts';
