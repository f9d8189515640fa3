import { connect, type Socket } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import {
  PlaybookService,
  RunState,
  WatchRunRequestSchema,
} from '../../../../src-shared/gen/platform/v1/playbook_pb.js';
import { rpcClient } from '../../../support/rpc-client.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const admin = 'admin@example.com';
const watchers = 500;
const steps = 12;

const text = `
name: many-steps
title: Many steps
steps:
${Array.from({ length: steps }, (_, i) => `  - { id: step_${i}, title: Step ${i}, approval: { message: 'Go on?' } }`).join('\n')}
`;

function frameOf(id: string): Buffer {
  const message = toBinary(WatchRunRequestSchema, create(WatchRunRequestSchema, { id }));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

describe('the watchers of one run', () => {
  const opened: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  /** A watcher that asks and then reads nothing. */
  const stalled = (console_: TestConsole, cookie: string, body: Buffer): Socket => {
    const { hostname, port } = new URL(console_.url);
    const socket = connect(Number(port), hostname);
    socket.pause();
    socket.write(
      `POST /platform.v1.PlaybookService/WatchRun HTTP/1.1\r\nHost: ${console_.host}\r\nCookie: ${cookie}\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    opened.push(() => {
      socket.destroy();
    });
    return socket;
  };

  it(`${watchers} see every decision while one is stalled, and the end`, async () => {
    const console_ = await testConsole({ CONSOLE_SESSION_ADMINS: admin });
    opened.push(() => console_.close());
    const cookie = await console_.cookieOf(admin);
    const client = rpcClient(PlaybookService, console_.url, { cookie });
    await client.savePlaybook({ text, armed: false, revision: 0n });
    const { runId } = await client.startPlaybook({ name: 'many-steps' });
    const body = frameOf(runId);
    stalled(console_, cookie, body);
    const agent = new Agent({ connections: watchers });
    opened.push(() => agent.destroy());
    /** Bytes each watcher has, and those whose stream ended. */
    const read = new Array<number>(watchers).fill(0);
    let ended = 0;
    for (let i = 0; i < watchers; i += 1)
      void (async () => {
        const answer = await request(`${console_.url}/platform.v1.PlaybookService/WatchRun`, {
          method: 'POST',
          dispatcher: agent,
          headers: { cookie, 'content-type': 'application/grpc-web+proto' },
          body,
        });
        for await (const chunk of answer.body) read[i] = (read[i] ?? 0) + (chunk as Buffer).length;
        ended += 1;
      })().catch(() => undefined);
    await expect.poll(() => read.filter((bytes) => bytes > 0).length, { timeout: 30_000 }).toBe(watchers);

    for (let seq = 1; seq <= steps; seq += 1) {
      await expect
        .poll(async () => (await client.getRun({ id: runId })).run?.attempts.at(-1)?.seq, { timeout: 10_000 })
        .toBe(seq);
      const before = [...read];
      await client.approveStep({ runId, seq });
      // Everybody is given each change before the next one is made: none waits for the one that reads nothing.
      await expect
        .poll(() => read.filter((bytes, i) => bytes > (before[i] ?? 0)).length, { timeout: 10_000 })
        .toBe(watchers);
    }
    await expect.poll(async () => (await client.getRun({ id: runId })).run?.state).toBe(RunState.SUCCEEDED);
    await expect.poll(() => ended, { timeout: 10_000 }).toBe(watchers);
  }, 120_000);
});
