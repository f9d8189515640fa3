import { isLoopbackHost } from '../base/loopback.ts';
import type { Config } from '../config/index.ts';

/** Returns whether nobody but this machine reaches the console, and its local operator signs in by a link. */
export function reachedHereOnly({
  listen,
  publicUrl,
  allowedHosts,
  trustedProxies,
  localOperator,
}: Config): boolean {
  const behindProxy = publicUrl !== undefined || allowedHosts.length > 0 || trustedProxies !== undefined;
  return localOperator && isLoopbackHost(listen.host) && !behindProxy;
}
