import { connect } from 'node:net';

// The load, in a process of its own: `load.ts <port> <connections> <requests>`. Raw sockets, one request at a time on
// each. Prints {"p50", "p99"} in milliseconds and {"perSecond"}.

const [port = 0, connections = 64, requests = 10_000] = process.argv.slice(2).map(Number);
const payload = Buffer.concat([Buffer.from([0, 0, 0, 0, 32]), Buffer.alloc(32, 99)]);
const request = Buffer.concat([
  Buffer.from(
    [
      'POST /studio/studio.v1.StudioService/Chat HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Connection: keep-alive',
      'Accept: */*',
      'Accept-Encoding: gzip, deflate, br',
      'Accept-Language: en-GB,en;q=0.9',
      'Content-Type: application/grpc-web+proto',
      `Content-Length: ${payload.length}`,
      `Cookie: theme=dark; console_session=test${'0'.repeat(40)}`,
      `Origin: http://127.0.0.1:${port}`,
      'User-Agent: Mozilla/5.0 (X11; Linux x64) Chrome/140.0 Safari/537.36',
      'X-Grpc-Web: 1',
      'X-User-Agent: grpc-web-javascript/0.1',
      'X-Console-Identity: planted',
      '',
      '',
    ].join('\r\n'),
  ),
  payload,
]);

const times = new Float64Array(requests);
let sent = 0;
let done = 0;
const begin = performance.now();

for (let i = 0; i < connections; i++) {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let at = 0;
  let waiting = '';
  const next = (): void => {
    if (sent >= requests) {
      socket.destroy();
      return;
    }
    sent++;
    at = performance.now();
    socket.write(request);
  };
  socket.on('connect', next);
  socket.on('error', (error) => {
    console.error(String(error));
    process.exit(1);
  });
  socket.on('data', (chunk) => {
    waiting += chunk.toString('latin1');
    const head = waiting.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(waiting.slice(0, head + 2))?.[1];
    if (
      length !== undefined ? waiting.length < head + 4 + Number(length) : !waiting.endsWith('\r\n0\r\n\r\n')
    )
      return;
    if (!waiting.startsWith('HTTP/1.1 200')) {
      console.error(waiting.slice(0, 200));
      process.exit(1);
    }
    waiting = '';
    times[done++] = performance.now() - at;
    if (done === requests) {
      times.sort();
      const p = (share: number): number => times[Math.floor(requests * share)] ?? 0;
      console.log(
        JSON.stringify({
          p50: p(0.5),
          p99: p(0.99),
          perSecond: (requests * 1000) / (performance.now() - begin),
        }),
      );
      process.exit(0);
    }
    next();
  });
}
