import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Forward, ForwardDefinition } from '#shared/api/forwards.ts';
import { ConsoleError } from '#shared/errors.ts';
import { socketServer } from '../../base/http-server.ts';
import { listenOn } from '../../base/process-end.ts';
import type { LiveCluster } from '../../sources/cluster/live/index.ts';
import { choosePod } from './choose-pod.ts';

/** Time a connection waits for a ready pod, in ms: a rollout between two pods takes seconds. */
const waitsFor = 15_000;
/** Time a connection through the API server may take to open, in ms. */
const opensWithin = 10_000;
/** Connections of one forward at a time. */
const mostOpen = 256;
/** Time for which a pod that took no connection is not tried again while there is another, in ms. */
const avoidedFor = 2_000;
/** Time after which pods are looked at again where no change was told, in ms. */
const looksAgain = 1_000;

/** A forward that is listening. */
export type RunningForward = {
  readonly localPort: number;
  figures(): Omit<Forward, keyof ForwardDefinition | 'state' | 'reason' | 'address'>;
  close(): Promise<void>;
};

type StartParts = {
  readonly definition: ForwardDefinition;
  readonly cluster: () => Promise<LiveCluster>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/**
 * Listens on a loopback port; each connection is led to a ready pod, chosen anew. A connection made while no pod is ready
 * waits for one. Throws `Refused` where the port cannot be opened.
 */
export async function startForward({ definition, cluster, now }: StartParts): Promise<RunningForward> {
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  const avoided = new Map<string, number>();
  const totals = { opened: 0, sent: 0, received: 0 };
  let lastPod: string | undefined;
  let lastFailure: Forward['last_failure'];

  const failedPods = (): ReadonlySet<string> => {
    for (const [pod, since] of avoided) if (since < now() - avoidedFor) avoided.delete(pod);
    return new Set(avoided.keys());
  };

  /** Opens a connection to a ready pod; waits for one, tries another. */
  const open = async (signal: AbortSignal): Promise<Duplex> => {
    const source = await cluster();
    for (;;) {
      const changed = nextChange(source, signal);
      try {
        const choice = await choosePod(source, definition, lastPod, failedPods());
        if ('reason' in choice) {
          if (!choice.waits || signal.aborted) throw new Error(choice.reason);
          if (!(await changed.wait())) throw new Error(choice.reason);
          continue;
        }
        const { pod, port } = choice;
        const { namespace } = definition;
        try {
          const within = AbortSignal.any([signal, AbortSignal.timeout(opensWithin)]);
          const stream = await source.forwardPod({ namespace, pod, port }, within);
          lastPod = pod;
          return stream;
        } catch (error) {
          if (signal.aborted) throw error;
          avoided.set(pod, now());
          if (!(await changed.wait())) throw error;
        }
      } finally {
        changed.end();
      }
    }
  };

  const take = async (socket: Socket): Promise<void> => {
    totals.opened += 1;
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    const signal = AbortSignal.any([closing.signal, gone.signal, AbortSignal.timeout(waitsFor)]);
    try {
      const stream = await open(signal);
      join(socket, stream, totals);
    } catch (error) {
      if (!gone.signal.aborted && !closing.signal.aborted)
        lastFailure = {
          at: new Date(now()).toISOString(),
          reason: error instanceof Error ? error.message : 'The connection failed.',
        };
      socket.resetAndDestroy();
    }
  };

  // Half open: a client may end its side and still wait for the answer.
  const server = socketServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    if (sockets.size >= mostOpen) {
      socket.resetAndDestroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void take(socket);
  });
  const listened = listenOn(server, { host: '127.0.0.1', port: definition.local_port ?? 0 });
  const { port: localPort } = await listened.catch((error: unknown) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw new ConsoleError(
      'Refused',
      isTaken
        ? `Port ${definition.local_port} of this machine is in use: choose another, or leave it to the console.`
        : `Port ${definition.local_port ?? 'any'} of this machine could not be opened.`,
      {},
      { cause: error },
    );
  });
  return {
    localPort,
    figures: () => ({
      ...(lastPod === undefined ? {} : { pod: lastPod }),
      open: sockets.size,
      opened: totals.opened,
      bytes_sent: totals.sent,
      bytes_received: totals.received,
      ...(lastFailure === undefined ? {} : { last_failure: lastFailure }),
    }),
    async close() {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Joins both ends. The cluster's protocol cannot close one direction: its end is the end of both. */
function join(socket: Socket, stream: Duplex, totals: { sent: number; received: number }): void {
  stream.on('data', (bytes: Buffer) => {
    totals.received += bytes.length;
    if (!socket.write(bytes)) stream.pause();
  });
  socket.on('drain', () => stream.resume());
  socket.on('data', (bytes: Buffer) => {
    totals.sent += bytes.length;
    if (!stream.write(bytes)) socket.pause();
  });
  stream.on('drain', () => socket.resume());
  stream.on('end', () => socket.end());
  stream.on('close', () => {
    // A pod that went away reset the connection; a client must not take that for the end of an answer.
    if (stream.errored === null) socket.end();
    else socket.resetAndDestroy();
  });
  socket.on('close', () => stream.destroy());
  socket.resume();
}

/** Waits for the next change of a cluster, from when it was called; `wait` answers false when the signal aborted. */
function nextChange(cluster: LiveCluster, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = cluster.watch(() => resolve());
  const timer = setTimeout(resolve, looksAgain);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return {
    async wait(): Promise<boolean> {
      await promise;
      return !signal.aborted;
    },
    end(): void {
      stop();
      clearTimeout(timer);
      resolve();
    },
  };
}
