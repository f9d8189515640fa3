import { createServer } from 'node:http';
import { createServer as createRawServer } from 'node:net';

// The studio of the bench, in a process of its own. Two ports, printed as "<small> <streams>":
// - small: answers every request with the same gRPC-web message, without an HTTP library, so that it is never the limit;
// - streams: /ticks sends a message with the time of sending every 5 ms, /hold a first message and then nothing,
//   /sink reads a body, /source sends `?bytes=`.

const frame = (flag: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
};
const body = Buffer.concat([frame(0, Buffer.alloc(48, 97)), frame(0x80, Buffer.from('grpc-status: 0\r\n'))]);
const answer = Buffer.concat([
  Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: application/grpc-web+proto\r\nCache-Control: no-store\r\nVary: Origin\r\nDate: ${new Date().toUTCString()}\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`,
  ),
  body,
  Buffer.from('\r\n0\r\n\r\n'),
]);

const small = createRawServer({ noDelay: true }, (socket) => {
  let waiting = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    for (;;) {
      const head = waiting.indexOf('\r\n\r\n');
      if (head < 0) return;
      const text = waiting.toString('latin1', 0, head);
      let end = head + 4;
      if (/\r\ntransfer-encoding: chunked/i.test(text)) {
        const last = waiting.indexOf('0\r\n\r\n', end);
        if (last < 0) return;
        end = last + 5;
      } else end += Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (waiting.length < end) return;
      if (!/\r\nx-console-identity: \S/i.test(text)) {
        console.error('a contestant did not set the identity');
        process.exit(1);
      }
      waiting = waiting.subarray(end);
      socket.write(answer);
    }
  });
});

const block = Buffer.alloc(65_536, 98);
const streams = createServer({ requestTimeout: 0 }, (req, res) => {
  const url = new URL(req.url ?? '/', 'http://studio');
  if (url.pathname.endsWith('/ticks')) {
    res.writeHead(200, { 'content-type': 'application/grpc-web+proto' });
    const timer = setInterval(() => {
      const message = Buffer.alloc(64);
      message.writeBigUInt64BE(process.hrtime.bigint(), 0);
      res.write(message);
    }, 5);
    res.on('close', () => clearInterval(timer));
  } else if (url.pathname.endsWith('/hold')) {
    res.writeHead(200, { 'content-type': 'application/grpc-web+proto' });
    res.write('first');
  } else if (url.pathname.endsWith('/sink')) {
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    req.on('end', () => res.end(String(bytes)));
  } else {
    let left = Number(url.searchParams.get('bytes') ?? 0);
    res.writeHead(200, { 'content-length': left });
    const more = (): void => {
      while (left > 0) {
        const chunk = left < block.length ? block.subarray(0, left) : block;
        left -= chunk.length;
        if (!res.write(chunk)) {
          res.once('drain', more);
          return;
        }
      }
      res.end();
    };
    more();
  }
});
streams.keepAliveTimeout = 60_000;

const port = (server: typeof small): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
small.listen(0, '127.0.0.1', 1024, () => {
  streams.listen(0, '127.0.0.1', 1024, () => console.log(`${port(small)} ${port(streams)}`));
});
