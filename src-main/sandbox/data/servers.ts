import type { Server, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { answerWith, httpServer, socketServer } from '../../base/http-server.ts';
import { type CertifiedKey, issueCertificate } from '../../kube-api/index.ts';
import { endpointOf, listen } from '../listening.ts';
import type { DataSeed } from './seed.ts';

type ServerName = NonNullable<DataSeed['servers'][number]['server']>;

/** The servers of the sandbox's data, on loopback. */
export type DataServers = {
  /** PEM of the authority that signed their certificates. */
  readonly ca: string;
  /** Port of each, by the host it stands for. */
  readonly ports: Readonly<Record<string, number>>;
  close(): Promise<void>;
};

const day = 86_400_000;
/** Time after which a silent connection is closed, in ms. */
const longestSilence = 6_000;

/** PostgreSQL, "Message Formats": AuthenticationSASL with one mechanism. */
const askForPassword = Buffer.concat([
  Buffer.from([0x52, 0, 0, 0, 23, 0, 0, 0, 10]),
  Buffer.from('SCRAM-SHA-256\0\0'),
]);

/** Most bytes of a PostgreSQL request for TLS. */
const sslRequestBytes = 8;

/** Starts a server for each host: as far as the hello of its protocol, and no further, since nobody signs in to it. */
export async function startDataServers(hosts: DataSeed['servers']): Promise<DataServers> {
  const now = Date.now();
  const issuer = { name: 'northgate sandbox authority' };
  const valid = { notBefore: now - 200 * day, notAfter: now + 200 * day };
  const ca = issueCertificate({ ...issuer, isCa: true, ...valid });
  const certificateOf = (host: string, times = valid): CertifiedKey =>
    issueCertificate({ name: host, issuer: { ...ca, ...issuer }, hosts: [host], ...times });
  const sockets = new Set<Socket>();
  const opened: Server[] = [];
  const ports: Record<string, number> = {};
  const behaviours: Readonly<Record<ServerName, (host: string) => Server>> = {
    postgres(host) {
      const certificate = certificateOf(host);
      return socketServer({}, (socket) => {
        socket.once('data', (request) => {
          if (request.length !== sslRequestBytes) return socket.end();
          socket.write('S');
          const tls = secured(socket, certificate);
          tls.once('data', () => tls.write(askForPassword));
        });
      });
    },
    mysql_expired(host) {
      const times = { notBefore: now - 120 * day, notAfter: now - 2 * day };
      const certificate = certificateOf(host, times);
      return socketServer({}, (socket) => {
        socket.write(mysqlGreeting());
        socket.once('data', (request: Buffer) => secured(socket, certificate, request.subarray(36)));
      });
    },
    s3() {
      const server = httpServer();
      answerWith(server, {
        request(_request, response) {
          response.writeHead(403, { 'content-type': 'application/xml', 'x-amz-request-id': 'SANDBOX' });
          response.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
        },
      });
      return server;
    },
    http() {
      const server = httpServer();
      answerWith(server, { request: (_request, response) => void response.writeHead(401).end() });
      return server;
    },
    tarpit: () => socketServer({}, (socket) => socket.resume()),
    resets: () => socketServer({}, (socket) => socket.once('data', () => socket.resetAndDestroy())),
    foreign(host) {
      const certificate = certificateOf(host);
      return socketServer({}, (socket) => secured(socket, certificate));
    },
  };
  for (const { host, server: name } of hosts) {
    if (name === undefined) continue;
    const server = behaviours[name](host);
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      // Also one that never answers lets go in the end: a probe has given up long before.
      socket.setTimeout(longestSilence, () => socket.destroy());
      // Whoever probes leaves in the middle of things.
      socket.on('error', () => undefined);
    });
    await listen(server);
    opened.push(server);
    ports[host] = endpointOf(server).port;
  }
  return {
    ca: ca.cert,
    ports,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(
        opened.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
      );
    },
  };
}

/** Begins TLS on a connection as its server; `early` came before. */
function secured(socket: Socket, { cert, key }: CertifiedKey, early: Buffer = Buffer.alloc(0)): TLSSocket {
  const raw = new Duplex({
    read: () => undefined,
    write: (chunk, _encoding, done) => socket.write(chunk, done),
    final: (done) => socket.end(done),
  });
  if (early.length > 0) raw.push(early);
  socket.on('data', (chunk) => raw.push(chunk));
  socket.once('close', () => raw.destroy());
  const tls = new TLSSocket(raw, { isServer: true, cert, key });
  tls.on('error', () => undefined);
  return tls;
}

/** MySQL client/server protocol, "Protocol::HandshakeV10", with TLS on offer. */
function mysqlGreeting(): Buffer {
  const body = Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.4.3\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.alloc(8, 0x41),
    Buffer.from([0, 0x00, 0x8a, 45, 2, 0, 0, 0, 21]),
    Buffer.alloc(10),
    Buffer.alloc(13, 0x42),
  ]);
  const head = Buffer.alloc(4);
  head.writeUIntLE(body.length, 0, 3);
  return Buffer.concat([head, body]);
}
