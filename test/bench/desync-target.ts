import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import {
  createStudioProxy,
  guardConnections,
  isStudioPath,
  readIdentityKey,
  studioSafeServerOptions,
} from '../../src-main/features/studio/index.ts';

// A studio proxy alone on a raw server, for /work/shared/http-desync/desync.mjs. Prints its port.
//   node test/bench/desync-target.ts [--port 0] [--upstream http://127.0.0.1:4110]
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    upstream: { type: 'string', default: 'http://127.0.0.1:4110' },
  },
});

const proxy = createStudioProxy({
  upstream: new URL(values.upstream),
  identityKey: readIdentityKey(Buffer.alloc(32, 7).toString('base64')),
  emailOf: (req) => (req.headers.cookie?.includes('console_session=test') ? 'person@example.com' : undefined),
});
const server = createServer(studioSafeServerOptions, (req, res) => {
  if (isStudioPath(req.url ?? '')) proxy.handle(req, res);
  else res.writeHead(404, { 'content-length': '0' }).end();
});
server.on('checkContinue', (req, res) => proxy.handle(req, res));
server.on('upgrade', (req, socket, head) => proxy.upgrade(req, socket, head));
guardConnections(server);
server.listen(Number(values.port), '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
