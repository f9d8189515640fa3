import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that a server of this process was asked, and the bytes that went back on its connection for it. */
export type AnsweredRequest = { readonly path: string; readonly bytes: number };

export type AnsweredRequests = {
  /** Requests so far, in the order in which they came. Bytes are counted, heads too, once an answer is written. */
  all(): readonly AnsweredRequest[];
  stop(): void;
};

/** The message of the channel, as Node documents it. */
type Finished = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** Listens to what a browser asks of the server at an address in this process: its workers' requests, too. */
export function answeredRequests(url: string): AnsweredRequests {
  const port = Number(new URL(url).port);
  const asked: { path: string; bytes: number; request: IncomingMessage }[] = [];
  const before = new WeakMap<object, number>();
  const fromBrowser = ({ socket, headers }: IncomingMessage): boolean =>
    socket.localPort === port && headers['sec-fetch-dest'] !== undefined;
  const onStart = (message: unknown): void => {
    const { request } = message as Finished;
    if (!fromBrowser(request)) return;
    if (!before.has(request.socket)) before.set(request.socket, request.socket.bytesWritten);
    asked.push({ path: request.url ?? '', bytes: 0, request });
  };
  const onFinish = (message: unknown): void => {
    const { request } = message as Finished;
    const entry = asked.find((each) => each.request === request);
    if (entry === undefined) return;
    entry.bytes = request.socket.bytesWritten - (before.get(request.socket) ?? 0);
    before.set(request.socket, request.socket.bytesWritten);
  };
  subscribe('http.server.request.start', onStart);
  subscribe('http.server.response.finish', onFinish);
  return {
    all: () => asked,
    stop() {
      unsubscribe('http.server.request.start', onStart);
      unsubscribe('http.server.response.finish', onFinish);
    },
  };
}
