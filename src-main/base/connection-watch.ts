import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bounds on what a connection may keep a server waiting for. Times in ms. */
export type WaitingBounds = {
  /** A body of somebody unknown: the longest it may stand still. */
  readonly unknownStill: number;
  /** The same for a body whose sender is known. */
  readonly knownStill: number;
  /** Connections that are waited for at a time: without a request, with half a head, or with half a body of somebody unknown. */
  readonly mostWaiting: number;
  /** Half bodies at a time of one known sender. */
  readonly mostOfOne: number;
};

/** For servers that say nothing else: those on loopback for programs of this one. */
export const usualBounds: WaitingBounds = {
  unknownStill: 30_000,
  knownStill: 30_000,
  mostWaiting: 1000,
  mostOfOne: 1000,
};

/** Age at which the body of somebody unknown must have a rate, in ms. */
const rateAfter = 30_000;
/** Slowest rate at which it may come from then on, in bytes per second: 1 MB in two minutes. */
const leastRate = 8_000;
/** Interval at which the connections are checked, in ms. */
const checkEvery = 1000;

type Connection = {
  /** Bytes read of it when it was last looked at, and when they last grew (monotonic, ms). */
  read: number;
  movedAt: number;
  /** Whether an earlier check has seen it: one of a burst has not had its turn to be read before. */
  seen: boolean;
  /** The request whose body has not all arrived. */
  body:
    | { readonly request: IncomingMessage; readonly response: ServerResponse; readonly since: number }
    | undefined;
};

const senders = new WeakMap<IncomingMessage, string>();

/** Says whose request this is. Its body may take as long as it moves from then on; half ones are counted for each sender. */
export function knownSender(request: IncomingMessage, sender: string): void {
  if (!request.complete) senders.set(request, sender);
}

/** Watches the connections of a server. */
export type ConnectionWatch = {
  /** To be called with each request, before its handler. */
  request(request: IncomingMessage, response: ServerResponse): void;
  /** The connection has left HTTP. */
  upgraded(socket: Socket): void;
};

/**
 * Closes connections that hold a place and send nothing. A body that moves is left alone, however slow the network of a known sender
 * is; one that stands still is cut, and so is what has waited longest once too many wait. Back-pressure of ours is no standing still.
 */
export function watchConnections(
  server: Server,
  accepted: 'connection' | 'secureConnection',
  bounds: WaitingBounds,
): ConnectionWatch {
  const connections = new Map<Socket, Connection>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = performance.now();
    const waiting: (readonly [Socket, Connection])[] = [];
    const bodies = new Map<string, (readonly [Socket, Connection])[]>();
    for (const entry of connections) {
      const [socket, connection] = entry;
      if (socket.bytesRead !== connection.read) {
        connection.read = socket.bytesRead;
        connection.movedAt = now;
      }
      if (connection.body?.request.complete === true) connection.body = undefined;
      const { body } = connection;
      if (body === undefined) {
        if (connection.seen && !isAnswering(socket)) waiting.push(entry);
        connection.seen = true;
        continue;
      }
      if (!isOwed(body.request)) continue;
      const sender = senders.get(body.request);
      if (isLate(connection, body, sender, now)) cut(socket, body.response);
      else if (sender === undefined) waiting.push(entry);
      else bodies.set(sender, [...(bodies.get(sender) ?? []), entry]);
    }
    cutLongest(waiting, bounds.mostWaiting);
    for (const entries of bodies.values()) cutLongest(entries, bounds.mostOfOne);
    if (connections.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const isLate = (
    { movedAt }: Connection,
    { since, request, response }: NonNullable<Connection['body']>,
    sender: string | undefined,
    now: number,
  ): boolean => {
    const still = now - movedAt;
    // An answer that has begun makes a conversation of it, which may pause.
    const talks = response.headersSent && !response.writableEnded;
    if (sender !== undefined) return still >= bounds.knownStill && !talks;
    if (still >= bounds.unknownStill) return true;
    const age = now - since;
    return age >= rateAfter && (request.socket.bytesRead * 1000) / age < leastRate;
  };
  server.on(accepted, (socket: Socket) => {
    connections.set(socket, { read: 0, movedAt: performance.now(), seen: false, body: undefined });
    socket.once('close', () => connections.delete(socket));
    timer ??= setInterval(look, checkEvery).unref();
  });
  const noteBody = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket);
    if (request.complete || connection === undefined) return;
    connection.body = { request, response, since: performance.now() };
  };
  return {
    request(request, response) {
      const { headers } = request;
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
      // Most bodies come with their head: then all of it is there once the parser has returned.
      process.nextTick(noteBody, request, response);
    },
    upgraded: (socket) => void connections.delete(socket),
  };
}

/** Returns whether the client has to send before the request can go on: what it sent was all taken. */
function isOwed(request: IncomingMessage): boolean {
  return request.readableLength === 0;
}

/** Returns whether an answer is under way on the connection. */
export function isAnswering(socket: Socket): boolean {
  // Node keeps the response that writes to a socket there (lib/_http_server.js), and nowhere else.
  return '_httpMessage' in socket && socket._httpMessage !== null && socket._httpMessage !== undefined;
}

/** Closes those that have waited longest, until `most` are left. */
function cutLongest(entries: (readonly [Socket, Connection])[], most: number): void {
  if (entries.length <= most) return;
  const longest = entries.toSorted(([, a], [, b]) => a.movedAt - b.movedAt);
  for (const [socket, { body }] of longest.slice(0, entries.length - most)) cut(socket, body?.response);
}

/** Closes a connection, with 408 where no answer has begun. */
function cut(socket: Socket, response: ServerResponse | undefined): void {
  if (response?.socket === socket && !response.headersSent)
    socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  socket.destroySoon();
}
