import { createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { issueCertificate } from '../../src-main/kube-api/index.ts';

/** A TCP server on loopback that does what it is given to every connection. */
export type OddServer = { readonly port: number; close(): Promise<void> };

/** Starts a server that hands each connection to `use`. */
export async function oddServer(use: (socket: Socket) => void): Promise<OddServer> {
  return listening(createServer((socket) => use(quiet(socket))));
}

/** Starts a TLS server with this certificate. */
export async function tlsServer(
  certificate: { readonly cert: string; readonly key: string },
  use: (socket: Socket) => void = () => undefined,
): Promise<OddServer> {
  return listening(createTlsServer(certificate, (socket) => use(quiet(socket))));
}

async function listening(server: Server): Promise<OddServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    quiet(socket);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Whoever probes leaves in the middle of things. */
function quiet<S extends Socket>(socket: S): S {
  socket.on('error', () => undefined);
  return socket;
}

const day = 86_400_000;

/** A certificate authority, and certificates of it for one host. */
export function testAuthority() {
  const now = Date.now();
  const name = 'northgate test authority';
  const valid = { notBefore: now - 400 * day, notAfter: now + 400 * day };
  const ca = issueCertificate({ name, isCa: true, ...valid });
  return {
    ca: ca.cert,
    issue: (host: string, times: { notBefore: number; notAfter: number } = valid) =>
      issueCertificate({ name: host, issuer: { ...ca, name }, hosts: [host], ...times }),
    expired: (host: string) =>
      issueCertificate({
        name: host,
        issuer: { ...ca, name },
        hosts: [host],
        notBefore: now - 90 * day,
        notAfter: now - 3 * day,
      }),
  };
}

/** A MySQL server as far as its greeting, with TLS when it has a certificate. */
export function mysqlDouble(certificate?: { readonly cert: string; readonly key: string }) {
  return oddServer((socket) => {
    const body = Buffer.concat([
      Buffer.from([10]),
      Buffer.from('8.4.3\0'),
      Buffer.from([1, 0, 0, 0]),
      Buffer.alloc(8, 0x41),
      Buffer.from([0]),
      // Lower capabilities: protocol 4.1, and TLS where there is a certificate.
      Buffer.from([0x00, certificate === undefined ? 0x82 : 0x8a]),
      Buffer.from([45, 2, 0, 0, 0, 21]),
      Buffer.alloc(10),
      Buffer.alloc(13, 0x42),
    ]);
    const head = Buffer.alloc(4);
    head.writeUIntLE(body.length, 0, 3);
    socket.write(Buffer.concat([head, body]));
    socket.once('data', (request: Buffer) => {
      if (certificate === undefined) return;
      // What came along with the 36 bytes of the request is the beginning of the handshake.
      const rest = new Duplex({
        read: () => undefined,
        write: (chunk, _encoding, done) => socket.write(chunk, done),
      });
      rest.push(request.subarray(36));
      socket.on('data', (chunk) => rest.push(chunk));
      new TLSSocket(rest, { isServer: true, ...certificate }).on('error', () => undefined);
    });
  });
}
