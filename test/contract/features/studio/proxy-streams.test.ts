import { Agent, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import {
  head,
  type Mounted,
  mount,
  SESSION,
  sendRaw,
  startRawUpstream,
  startUpstream,
  until,
} from './proxy-harness.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A studio by `listener` with the proxy before it. */
async function behind(listener: (req: IncomingMessage, res: import('node:http').ServerResponse) => void) {
  const upstream = await startUpstream(listener);
  const mounted = await mount(upstream.url);
  stops.push(upstream.stop, mounted.stop);
  return { upstream, mounted };
}

async function behindRaw(onConnection: (socket: import('node:net').Socket) => void): Promise<Mounted> {
  const upstream = await startRawUpstream(onConnection);
  const mounted = await mount(upstream.url);
  stops.push(upstream.stop, mounted.stop);
  return mounted;
}

const open = (port: number, path = '/studio/x'): Promise<IncomingMessage> =>
  new Promise((done, fail) => {
    get({ port, host: '127.0.0.1', path, headers: { cookie: SESSION }, agent: false }, done).on(
      'error',
      fail,
    );
  });

describe('a stream', () => {
  test('arrives message by message, each before the next is sent (CON-054)', async () => {
    let next: (() => void) | undefined;
    const { mounted } = await behind((_req, res) => {
      let n = 0;
      next = () => res.write(`m${n++};`);
      res.writeHead(200, { 'content-type': 'application/grpc-web+proto' });
      res.flushHeaders();
    });
    const response = await open(mounted.port);
    let got = '';
    response.on('data', (chunk: Buffer) => (got += String(chunk)));
    for (let i = 0; i < 20; i++) {
      next?.();
      await until(() => got.endsWith(`m${i};`), 500);
    }
    response.destroy();
  });

  test('ends in an error within a second when the studio dies', async () => {
    const mounted = await behindRaw((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
        setTimeout(() => socket.destroy(), 50);
      });
    });
    const response = await open(mounted.port);
    const begin = Date.now();
    const outcome = await new Promise<string>((done) => {
      response.on('data', () => {});
      response.on('end', () => done('clean end'));
      response.on('error', () => done('error'));
    });
    expect(outcome).toBe('error');
    expect(Date.now() - begin).toBeLessThan(1_000);
    expect(mounted.proxy.openStreams()).toBe(0);
  });

  test.each([
    ['a body shorter than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello', false],
    ['a body without a length that is reset', 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello', true],
  ])('%s is never passed on as whole', async (_, bytes, reset) => {
    const mounted = await behindRaw((socket) => {
      socket.once('data', () => {
        socket.write(bytes);
        setTimeout(() => (reset ? socket.resetAndDestroy() : socket.end()), 50);
      });
    });
    for (const version of ['1.1', '1.0']) {
      const answer = await sendRaw(
        mounted.port,
        `GET /studio/x HTTP/${version}\r\nHost: a\r\nCookie: ${SESSION}\r\n\r\n`,
        2_000,
      );
      expect(answer.closed).toBe(true);
      const self = /content-length: 50|transfer-encoding: chunked/i.test(answer.text);
      // Either the framing shows what is missing, or the connection was reset.
      expect(self ? !answer.text.endsWith('0\r\n\r\n') : answer.error === 'ECONNRESET').toBe(true);
    }
  });

  test('of 1,000 clients that vanish leaves none behind at the studio', async () => {
    let atStudio = 0;
    const { mounted } = await behind((_req, res) => {
      atStudio++;
      res.on('close', () => atStudio--);
      res.write('first');
    });
    const sockets = Array.from({ length: 1_000 }, () => connect(mounted.port, '127.0.0.1'));
    for (const socket of sockets) {
      socket.on('error', () => {});
      socket.write(head('GET /studio/x'));
    }
    await until(() => atStudio === 1_000, 15_000);
    expect(mounted.proxy.openStreams()).toBe(1_000);
    for (const socket of sockets) socket.destroy();
    await until(() => atStudio === 0 && mounted.proxy.openStreams() === 0, 5_000);
  }, 30_000);

  test('a client that goes before the studio answers is forgotten there too', async () => {
    let closed = 0;
    const { mounted, upstream } = await behind((_req, res) => {
      res.on('close', () => closed++);
    });
    const socket = connect(mounted.port, '127.0.0.1');
    socket.write(head('GET /studio/x'));
    await until(() => upstream.seen.length === 1);
    socket.destroy();
    await until(() => closed === 1 && mounted.proxy.openStreams() === 0, 1_000);
  });

  test('waits for a slow reader and holds no more than a few buffers', async () => {
    const block = Buffer.alloc(65_536);
    let sent = 0;
    const { mounted } = await behind((_req, res) => {
      const more = (): void => {
        while (sent < 256 * 1024 * 1024 && !res.destroyed) {
          sent += block.length;
          if (!res.write(block)) {
            res.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    const response = await open(mounted.port);
    response.pause();
    await sleep(700);
    const stuck = sent;
    await sleep(300);
    // Kernel buffers of two connections take some megabytes; without back-pressure it would be all 256 MiB.
    expect(sent).toBe(stuck);
    expect(stuck).toBeLessThan(32 * 1024 * 1024);
    response.resume();
    await until(() => sent > stuck + 16 * 1024 * 1024, 5_000);
    response.destroy();
  });
});

describe('an upload', () => {
  test('waits for a slow studio', async () => {
    const { mounted } = await behind((req) => {
      req.pause();
    });
    const upload = request({
      port: mounted.port,
      path: '/studio/x',
      method: 'POST',
      headers: { cookie: SESSION },
      agent: false,
    });
    upload.on('error', () => {});
    let sent = 0;
    const block = Buffer.alloc(65_536);
    const more = (): void => {
      while (sent < 256 * 1024 * 1024) {
        sent += block.length;
        if (!upload.write(block)) {
          upload.once('drain', more);
          return;
        }
      }
    };
    more();
    await sleep(700);
    const stuck = sent;
    await sleep(300);
    expect(sent).toBe(stuck);
    expect(stuck).toBeLessThan(32 * 1024 * 1024);
    upload.destroy();
  });

  test('of 384 MiB passes whole, both ways, in flat memory', async () => {
    const total = 384 * 1024 * 1024;
    const { mounted } = await behind((req, res) => {
      res.writeHead(200, { 'content-length': total });
      req.pipe(res);
    });
    const before = process.memoryUsage.rss();
    let most = before;
    let back = 0;
    await new Promise<void>((done, fail) => {
      const echo = request(
        {
          port: mounted.port,
          path: '/studio/x',
          method: 'PUT',
          headers: { cookie: SESSION, 'content-length': total },
          agent: false,
        },
        (res) => {
          res.on('data', (chunk: Buffer) => {
            back += chunk.length;
            most = Math.max(most, process.memoryUsage.rss());
          });
          res.on('end', done);
          res.on('error', fail);
        },
      );
      echo.on('error', fail);
      const block = Buffer.alloc(1024 * 1024, 7);
      let sent = 0;
      const more = (): void => {
        while (sent < total) {
          sent += block.length;
          if (!echo.write(block)) {
            echo.once('drain', more);
            return;
          }
        }
        echo.end();
      };
      more();
    });
    expect(back).toBe(total);
    // Client, proxy and studio share this process: three times a few buffers and what the collector has not yet
    // collected of them (89 MiB on a busy machine, whatever the body's length), not the body.
    expect(most - before).toBeLessThan(total / 2);
  }, 30_000);

  test('cut short by the client is never whole at the studio', async () => {
    let ended = false;
    let aborted = false;
    const { mounted, upstream } = await behind((req) => {
      req.on('data', () => {});
      req.on('end', () => (ended = true));
      req.on('error', () => (aborted = true));
    });
    for (const framing of ['Transfer-Encoding: chunked', 'Content-Length: 100000']) {
      aborted = false;
      upstream.seen.length = 0;
      const socket = connect(mounted.port, '127.0.0.1');
      socket.write(`${head('POST /studio/x', framing)}${framing.endsWith('d') ? '5\r\nhello\r\n' : 'hello'}`);
      await until(() => upstream.seen.length === 1);
      socket.destroy();
      await until(() => aborted, 1_000);
    }
    expect(ended).toBe(false);
  });

  test('of a small body in two packets arrives whole', async () => {
    let body = '';
    const { mounted } = await behind((req, res) => {
      req.on('data', (chunk: Buffer) => (body += String(chunk)));
      req.on('end', () => res.end('ok'));
    });
    const socket = connect(mounted.port, '127.0.0.1');
    let got = '';
    socket.on('data', (chunk) => (got += String(chunk)));
    socket.write(head('POST /studio/x', 'Content-Length: 10'));
    await sleep(30);
    socket.write('hello');
    await sleep(30);
    socket.write('world');
    await until(() => got.includes('ok'));
    expect(body).toBe('helloworld');
    socket.destroy();
  });

  test('answered early keeps the connection usable', async () => {
    const { mounted } = await behind((_req, res) => {
      res.writeHead(413, { 'content-length': 0 }).end();
    });
    const size = 4 * 1024 * 1024;
    const answer = await sendRaw(
      mounted.port,
      `${head('POST /studio/x', `Content-Length: ${size}`)}${'a'.repeat(size)}${head('GET /studio/y')}`,
      3_000,
      2,
    );
    expect(answer.text.match(/HTTP\/1\.1 413/g)).toHaveLength(2);
  });

  test('with Expect is asked for only when it may come, and the studio never sees Expect', async () => {
    const { mounted, upstream } = await behind((req, res) => {
      req.resume();
      req.on('end', () => res.end('ok'));
    });
    const lines = ['Expect: 100-continue', 'Content-Length: 5'];
    const refused = await sendRaw(
      mounted.port,
      ['POST /studio/x HTTP/1.1', 'Host: a', ...lines, '', ''].join('\r\n'),
    );
    expect(refused.text).not.toContain('100 Continue');
    expect(refused.status).toBe(401);
    expect(refused.closed).toBe(true);
    const socket = connect(mounted.port, '127.0.0.1');
    let got = '';
    socket.on('data', (chunk) => {
      got += String(chunk);
      if (got === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('hello');
    });
    socket.write(head('POST /studio/x', ...lines));
    await until(() => got.includes('ok'));
    socket.destroy();
    expect(upstream.seen).toHaveLength(1);
    expect(upstream.seen[0]?.headers.expect).toBeUndefined();
  });
});

describe('a response', () => {
  test('keeps grpc-status headers and trailers (CON-055)', async () => {
    const { mounted } = await behind((_req, res) => {
      res.writeHead(200, { trailer: 'grpc-status, grpc-message', 'grpc-encoding': 'identity' });
      res.write('body');
      res.addTrailers({ 'grpc-status': '5', 'grpc-message': 'not%20found' });
      res.end();
    });
    const response = await open(mounted.port);
    response.resume();
    await new Promise((done) => response.on('end', done));
    expect(response.headers).toMatchObject({
      'grpc-encoding': 'identity',
      trailer: 'grpc-status, grpc-message',
    });
    expect(response.trailers).toEqual({ 'grpc-status': '5', 'grpc-message': 'not%20found' });
    const only = await behind((_req, res) => res.writeHead(200, { 'grpc-status': '7' }).end());
    expect((await sendRaw(only.mounted.port, head('GET /studio/x'))).text).toMatch(/\r\ngrpc-status: 7\r\n/);
  });

  test('cannot set or end the session, nor show the assertion; other cookies pass', async () => {
    const { mounted } = await behind((req, res) => {
      res.writeHead(200, [
        ...['Set-Cookie', 'console_session=; Max-Age=0', 'Set-Cookie', ' console_session = x'],
        ...['Set-Cookie', '=console_session=x', 'Set-Cookie', 'theme=dark; Path=/', 'Connection', 'X-Once'],
        ...['X-Once', '1', 'X-Console-Identity', String(req.headers['x-console-identity'])],
      ]);
      res.end('ok');
    });
    const { text } = await sendRaw(mounted.port, head('GET /studio/x'));
    expect(text).toContain('theme=dark; Path=/');
    expect(text).not.toMatch(/console_session|x-once|x-console-identity/i);
  });

  test.each([
    ['HEAD', 200, 'Content-Length: 1234\r\n'],
    ['GET', 204, ''],
    ['GET', 304, 'ETag: "a"\r\n'],
  ])('to %s with %i has no body and leaves the connection in step', async (method, status, lines) => {
    const mounted = await behindRaw((socket) => {
      socket.on('data', () => socket.write(`HTTP/1.1 ${status} Fine\r\n${lines}\r\n`));
    });
    const answer = await sendRaw(mounted.port, head(`${method} /studio/x`) + head(`${method} /studio/y`));
    const heads = answer.text.split('\r\n\r\n');
    expect(heads).toHaveLength(3);
    for (const each of heads.slice(0, 2)) expect(each).toContain(`HTTP/1.1 ${status} Fine`);
    expect(heads[2]).toBe('');
    if (method === 'HEAD') expect(heads[0]).toMatch(/content-length: 1234/i);
    else expect(answer.text).not.toMatch(/content-length|transfer-encoding/i);
  });

  test('after 103 Early Hints is the final one', async () => {
    const { mounted } = await behind((_req, res) => {
      res.writeEarlyHints({ link: '</a.js>; rel=preload' }, () => res.end('final'));
    });
    const answer = await sendRaw(mounted.port, head('GET /studio/x'));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('final');
  });

  test('to an HTTP/1.0 client ends with the connection', async () => {
    const { mounted } = await behind((_req, res) => {
      res.write('a');
      setTimeout(() => res.end('b'), 30);
    });
    const answer = await sendRaw(mounted.port, `GET /studio/x HTTP/1.0\r\nCookie: ${SESSION}\r\n\r\n`, 1_000);
    expect(answer.closed).toBe(true);
    expect(answer.text).toMatch(/\r\n\r\nab$/);
    expect(answer.text).not.toMatch(/transfer-encoding/i);
  });

  test('keeps every byte of a binary body, small and large', async () => {
    for (const size of [256, 3_000, 10_000, 300_000]) {
      const bytes = Buffer.from(Array.from({ length: size }, (_, i) => i % 256));
      const { mounted } = await behind((_req, res) => res.end(bytes));
      const response = await open(mounted.port);
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    }
  });
});

describe('a studio that is not there', () => {
  test('is a page for a browser navigation and JSON for any other caller (CON-183, CON-184)', async () => {
    const mounted = await mount('http://127.0.0.1:1');
    stops.push(mounted.stop);
    const page = await sendRaw(mounted.port, head('GET /studio/', 'Accept: text/html,*/*'));
    expect(page.status).toBe(502);
    expect(page.text).toContain('<title>The studio is not available here</title>');
    expect(page.text).toContain('refused the connection');
    expect(page.text).toContain('Status 502');
    expect(page.text).not.toMatch(/x-frame-options|frame-ancestors/i);
    for (const lines of [
      ['Accept: */*'],
      ['Accept: text/html', 'Content-Type: application/grpc-web+proto'],
    ]) {
      const { text, status } = await sendRaw(mounted.port, head('GET /studio/', ...lines));
      expect(status).toBe(502);
      expect(Object.keys(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)))).toEqual(['error']);
    }
    expect(mounted.proxy.openStreams()).toBe(0);
  });

  test('gets a GET once more when it closed a kept connection, and a POST never', async () => {
    let requests = 0;
    const mounted = await behindRaw((socket) => {
      let first = true;
      socket.on('data', () => {
        requests++;
        // The first request of a connection is answered; the second meets its closing.
        if (first) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        else socket.destroy();
        first = false;
      });
    });
    expect((await sendRaw(mounted.port, head('GET /studio/1'))).status).toBe(200);
    expect((await sendRaw(mounted.port, head('GET /studio/2'))).status).toBe(200);
    expect(requests).toBe(3);
    const posted = await sendRaw(mounted.port, `${head('POST /studio/3', 'Content-Length: 1')}a`);
    expect(posted.status).toBe(502);
    expect(requests).toBe(4);
    expect((await sendRaw(mounted.port, head('GET /studio/4'))).status).toBe(200);
    const empty = await sendRaw(mounted.port, head('DELETE /studio/5'));
    expect(empty.status).toBe(502);
    expect(requests).toBe(6);
  });

  test('speaking something else answers 502', async () => {
    const mounted = await behindRaw((socket) => {
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n'));
    });
    expect((await sendRaw(mounted.port, head('GET /studio/x'))).status).toBe(502);
  });
});

test('connections to the studio are used again, and a stream never starves another request', async () => {
  const { mounted, upstream } = await behind((req, res) => {
    if (req.url === '/hold') res.write('first');
    else res.end('ok');
  });
  const agent = new Agent({ keepAlive: true });
  const held = await Promise.all(Array.from({ length: 50 }, () => open(mounted.port, '/studio/hold')));
  for (let i = 0; i < 20; i++) expect((await sendRaw(mounted.port, head('GET /studio/x'))).status).toBe(200);
  const ports = new Set(upstream.seen.filter((req) => req.url === '/x').map((req) => req.socket.remotePort));
  expect(ports.size).toBe(1);
  for (const response of held) response.destroy();
  agent.destroy();
  await until(() => mounted.proxy.openStreams() === 0);
});

test('closing the proxy ends its open streams', async () => {
  const { mounted } = await behind((_req, res) => {
    res.write('first');
  });
  const response = await open(mounted.port);
  const failed = new Promise((done) => response.on('error', done));
  response.resume();
  await mounted.proxy.close();
  await failed;
  expect(mounted.proxy.openStreams()).toBe(0);
});
