import { channelOf } from './message-port.ts';
import { serveWindow } from './port-connection.ts';
import { createSharedConnection } from './shared-connection.ts';

// The one connection of all windows of a browser: it opens six to a host over HTTP/1.1, whatever window asks.
const shared = createSharedConnection((url, init) => fetch(url, init));

addEventListener('connect', (event) => {
  const port = event instanceof MessageEvent ? event.ports[0] : undefined;
  if (port !== undefined) serveWindow(channelOf(port), shared);
});
