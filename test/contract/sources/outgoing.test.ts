import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutgoing } from '../../../src-main/sources/outgoing.ts';

const mega = 1024 * 1024;

describe('a request to a system outside', () => {
  let server: Server;
  let address: string;
  beforeEach(async () => {
    const piece = Buffer.alloc(mega);
    server = createServer((_request, response) => {
      let left = 40;
      const more = (): void => {
        left -= 1;
        if (left < 0) response.end();
        else response.write(piece, more);
      };
      more();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  });

  it('reads an answer of any size where its reader keeps the bound, as of log archives', async () => {
    const outgoing = createOutgoing();
    let bytes = 0;
    for await (const chunk of (await outgoing.fetch(address)).body ?? []) bytes += chunk.byteLength;
    outgoing.close();
    expect(bytes).toBe(40 * mega);
  });

  it('breaks off an answer that is larger than it may be', async () => {
    const outgoing = createOutgoing({ largest: 2 * mega });
    await expect(outgoing.fetch(address).then((answer) => answer.arrayBuffer())).rejects.toThrow();
    outgoing.close();
  });

  it('never goes through a proxy to this machine itself', async () => {
    // Nothing listens there: a request that went through it would fail.
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
    vi.stubEnv('http_proxy', 'http://127.0.0.1:9');
    const outgoing = createOutgoing();
    const answer = await outgoing.fetch(address);
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    outgoing.close();
  });
});
