import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';

// Loaded with --import into each console that tests run as a process of its own. It reports on stderr whenever the event
// loop was held while a request was under way. Measured is the processor time of the main thread between two turns of
// the loop, not the time on the clock: a busy machine makes no faults. Turns in which modules were loaded do not count.

/** Longest processor time one request may hold the event loop, in ms. */
const longestMs = Number(process.env.WATCHDOG_MS ?? 200);
/** Between two looks, in ms: a turn that is longer delays the next one. */
const everyMs = 10;

/** Addresses of the requests under way. */
const open = new Map<ServerResponse, string>();
/** Most requests that were under way since the last look, and the last to come. */
let most = 0;
let last = '';
let loading = 0;
let loaded = false;

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as {
    request: { method: string; url: string };
    response: ServerResponse;
  };
  last = `${request.method} ${request.url.split('?', 1)[0]}`;
  open.set(response, last);
  response.once('close', () => open.delete(response));
  most = Math.max(most, open.size);
});

subscribe('tracing:module.import:start', () => {
  loading++;
});
subscribe('tracing:module.import:asyncEnd', () => {
  loading--;
  loaded = true;
});

let before = process.threadCpuUsage();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  const held = (user + system) / 1000;
  // Several requests may have had their turn in one.
  if (most > 0 && !loaded && loading === 0 && held > longestMs * most)
    process.stderr.write(`event loop held for ${Math.round(held)} ms by ${last}, of ${most} requests\n`);
  most = open.size;
  loaded = false;
  before = process.threadCpuUsage();
}, everyMs).unref();
