import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { answerWith, type HttpHandlers, httpServer, requestUrl } from '../../../src-main/base/http-server.ts';
import { rawRequest } from '../../support/raw-request.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
});

/** Starts a server with these handlers; what it logs goes to `faults`. */
async function start(handlers: HttpHandlers): Promise<{ url: string; port: number; faults: unknown[] }> {
  const faults: unknown[] = [];
  server = httpServer();
  answerWith(server, handlers, { error: (fields) => faults.push(fields) });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, faults };
}

const get = (path: string, ...lines: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n');

describe('a server of ours', () => {
  it.each([
    ['throws', () => void oops()],
    ['rejects', async () => oops()],
  ])('answers 500 when its handler %s, and logs it without the query', async (_how, request) => {
    const { url, faults } = await start({ request });
    expect(await rawRequest(url, get('/x?secret=1'))).toMatch(/^HTTP\/1\.1 500 /);
    expect(faults).toEqual([{ err: expect.any(Error), method: 'GET', path: '/x' }]);
  });

  it('cuts an answer whose handler fails in the middle of it', async () => {
    const { url } = await start({
      request(_request, response) {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half');
        oops();
      },
    });
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
  });

  it('closes the connection of an upgrade whose handler fails, or that comes before the last answer is out', async () => {
    const upgrade = get('/', 'Connection: Upgrade', 'Upgrade: websocket');
    const { url } = await start({
      request: (_request, response) => void setTimeout(() => response.end('late'), 100),
      upgrade: async () => oops(),
    });
    expect(await closedAfter(url, upgrade)).toBe('');
    expect(await closedAfter(url, get('/') + upgrade)).toBe('');
  });

  it('closes the connection when an answer is cut that waits for the one before it', async () => {
    const { url } = await start({
      request(request, response) {
        if (request.url === '/cut') response.destroy();
        else setTimeout(() => response.end('late'), 100);
      },
    });
    await closedAfter(url, get('/late') + get('/cut') + get('/late'));
  });

  it('goes on when its handler writes to a client that has gone', async () => {
    const written = Promise.withResolvers<void>();
    const { port, faults } = await start({
      request(request, response) {
        response.write('begin');
        request.socket.once('close', () => {
          setImmediate(() => {
            response.write('more');
            response.end('end');
            setImmediate(written.resolve);
          });
        });
      },
    });
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    client.once('data', () => client.resetAndDestroy()).write(get('/'));
    await written.promise;
    expect(faults).toEqual([]);
  });
});

describe('requestUrl', () => {
  it.each([
    ['/a?b=c', '/a'],
    ['//elsewhere/a', '//elsewhere/a'],
    ['//[', '//['],
    ['*', '/*'],
  ])('reads %s as a path of the server', (url, pathname) => {
    expect(requestUrl({ url })?.pathname).toBe(pathname);
  });

  it('answers undefined for what is no URL', () => {
    expect(requestUrl({ url: 'http://[::1/' })).toBeUndefined();
  });
});

function oops(): never {
  throw new Error('oops');
}

/** What came back until the server closed the connection. */
function closedAfter(url: string, bytes: string): Promise<string> {
  return rawRequest(url, bytes, 60_000);
}
