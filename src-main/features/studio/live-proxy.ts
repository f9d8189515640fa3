import type { StudioProxy } from './proxy.ts';

/**
 * The proxy of a studio whose address may change while the console runs: `address` is asked at every request, the same
 * object for the same studio. What is open to the one before is ended when the next one is first used.
 */
export function createLiveProxy<A>(address: () => A, create: (address: A) => StudioProxy): StudioProxy {
  let used = address();
  let proxy = create(used);
  const closing = new Set<Promise<void>>();
  const current = (): StudioProxy => {
    const wanted = address();
    if (wanted === used) return proxy;
    const before = proxy;
    used = wanted;
    proxy = create(used);
    const closed = before.close().finally(() => closing.delete(closed));
    closing.add(closed);
    return proxy;
  };
  return {
    handle: (req, res) => current().handle(req, res),
    upgrade: (req, socket, head) => current().upgrade(req, socket, head),
    openStreams: () => proxy.openStreams(),
    async close() {
      await Promise.all([...closing, proxy.close()]);
    },
  };
}
