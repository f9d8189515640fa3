import type { Cluster } from '../../sources/cluster/index.ts';

/** Events are at most this often, in ms. */
const calm = 500;
/** A stream says that it lives this often, in ms: a proxy in between would cut a silent one. */
const heartbeat = 15_000;

/**
 * Changes of a cluster as server-sent events: `changed` with the plural names of the resources, and `state` when the
 * cluster itself stands otherwise. Ends with the signal.
 */
export async function* changeEvents(cluster: Cluster, signal: AbortSignal): AsyncGenerator<string> {
  const changed = new Set<string>();
  let state = JSON.stringify(cluster.status());
  let wake = (): void => undefined;
  const stop = cluster.watch(({ resource, status }) => {
    if (resource !== undefined) changed.add(resource.plural);
    if (resource !== undefined || JSON.stringify(status) !== state) wake();
  });
  const leave = (): void => wake();
  signal.addEventListener('abort', leave);
  try {
    yield event('state', cluster.status());
    while (!signal.aborted) {
      const woken = await waits(heartbeat, (resume) => {
        wake = resume;
        if (changed.size > 0) resume();
      });
      if (signal.aborted) return;
      if (!woken) yield ': still here\n\n';
      const now = JSON.stringify(cluster.status());
      if (now !== state) {
        state = now;
        yield event('state', cluster.status());
      }
      if (changed.size === 0) continue;
      const resources = [...changed].sort();
      changed.clear();
      yield event('changed', { resources });
      await waits(calm, (resume) => {
        wake = () => {
          if (signal.aborted) resume();
        };
      });
    }
  } finally {
    stop();
    signal.removeEventListener('abort', leave);
  }
}

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Resolves true when `arm`'s callback is called, false after `ms`. */
function waits(ms: number, arm: (resume: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    arm(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
