import type { Send } from '../call-route.ts';
import { channelOf } from './message-port.ts';
import { createPortConnection } from './port-connection.ts';
import { createSharedConnection, NotShared, type SharedConnection } from './shared-connection.ts';

/** The connection that all windows of this browser share, or one of this window's own in a browser without shared workers. */
export function openBrowserConnection(send: Send): SharedConnection {
  if (typeof SharedWorker === 'undefined') return createSharedConnection(send);
  const worker = new SharedWorker(new URL('./events-worker.ts', import.meta.url), { type: 'module' });
  const shared = createPortConnection(channelOf(worker.port));
  let isBroken = false;
  worker.addEventListener('error', () => {
    isBroken = true;
    shared.close();
  });
  // A window that leaves, or is put aside for a step back, holds no streams.
  addEventListener('pagehide', () => shared.close());
  return {
    async follow(request, hear, signal) {
      if (isBroken) throw new NotShared();
      await shared.follow(request, hear, signal);
    },
  };
}
