import { type ErrorName, errorNameOf } from '#shared/errors.ts';
import { CallFailed } from '../call-route.ts';
import type { HeardEvent } from './read-event.ts';
import { broken } from './read-stream.ts';
import { NotShared, type SharedConnection, type StreamRequest } from './shared-connection.ts';

/** Message from a window to the worker that holds the connection of all windows. */
type ToWorker =
  | { readonly kind: 'follow'; readonly id: number; readonly request: StreamRequest }
  | { readonly kind: 'leave'; readonly id: number };

type Failure = {
  readonly name: ErrorName;
  readonly message: string;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
};

/** Message from the worker to a window. */
type ToWindow =
  | { readonly kind: 'event'; readonly id: number; readonly heard: HeardEvent }
  | { readonly kind: 'ended'; readonly id: number }
  /** Without a failure: the stream is not to be had over the connection. */
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure | undefined };

/** One end of a port, between a window and the worker. */
export type Channel<Out, In> = {
  send(message: Out): void;
  listen(hear: (message: In) => void): void;
  /** Calls back when the other end is gone, in browsers that tell. */
  onGone(gone: () => void): void;
};
export type WorkerEnd = Channel<ToWindow, ToWorker>;
export type WindowEnd = Channel<ToWorker, ToWindow>;

/** Follows what the window at the other end of a port asks for, until it leaves or is gone. */
export function serveWindow(window: WorkerEnd, shared: SharedConnection): void {
  const following = new Map<number, AbortController>();
  const follow = async (id: number, request: StreamRequest): Promise<void> => {
    const leaving = new AbortController();
    following.set(id, leaving);
    try {
      await shared.follow(request, (heard) => window.send({ kind: 'event', id, heard }), leaving.signal);
      window.send({ kind: 'ended', id });
    } catch (error) {
      if (!leaving.signal.aborted) window.send({ kind: 'failed', id, failure: failureOf(error) });
    } finally {
      following.delete(id);
    }
  };
  window.listen((message) => {
    if (message.kind === 'follow') void follow(message.id, message.request);
    else following.get(message.id)?.abort();
  });
  window.onGone(() => {
    for (const leaving of following.values()) leaving.abort();
  });
}

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof NotShared) return undefined;
  const { name, message, status, headers } = error instanceof CallFailed ? error : broken();
  return { name, message, status, headers };
}

type Follower = {
  readonly hear: (event: HeardEvent) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

/** The shared connection as a window reaches it, through a port to the worker that holds it. */
export function createPortConnection(worker: WindowEnd): SharedConnection & { close(): void } {
  const followers = new Map<number, Follower>();
  let count = 0;
  worker.listen((data) => {
    const follower = followers.get(data.id);
    if (follower === undefined) return;
    if (data.kind === 'ended') follower.resolve();
    else if (data.kind === 'failed') {
      const { failure } = data;
      if (failure === undefined) return follower.reject(new NotShared());
      const { name, message, status, headers } = failure;
      follower.reject(
        new CallFailed(status === undefined ? name : errorNameOf(status), message, status, { ...headers }),
      );
    } else {
      try {
        follower.hear(data.heard);
      } catch (error) {
        follower.reject(error);
        worker.send({ kind: 'leave', id: data.id });
      }
    }
  });
  return {
    async follow(request, hear, signal) {
      signal.throwIfAborted();
      count += 1;
      const id = count;
      let leave = (): void => undefined;
      try {
        await new Promise<void>((resolve, reject) => {
          followers.set(id, { hear, resolve, reject });
          leave = () => {
            worker.send({ kind: 'leave', id });
            reject(signal.reason);
          };
          signal.addEventListener('abort', leave);
          worker.send({ kind: 'follow', id, request });
        });
      } finally {
        signal.removeEventListener('abort', leave);
        followers.delete(id);
      }
    },
    close() {
      for (const [id, { reject }] of followers) {
        worker.send({ kind: 'leave', id });
        reject(broken());
      }
    },
  };
}
