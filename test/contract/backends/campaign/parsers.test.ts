import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  checkedParams,
  RpcRefused,
  readRpcRequest,
} from '../../../../src-main/backends/campaign/a2a/rpc-request.ts';
import { readRange } from '../../../../src-main/backends/campaign/media/range.ts';
import { readForm } from '../../../../src-main/backends/campaign/messaging/form.ts';
import { readInboundMessage } from '../../../../src-main/backends/campaign/messaging/inbound-message.ts';
import { isSessionDescription } from '../../../../src-main/backends/campaign/voice/sdp.ts';
import { readSamples, wavFile } from '../../../../src-main/backends/campaign/voice/wav.ts';
import { RouteRefused, readJson } from '../../../../src-main/backends/serving/index.ts';
import {
  descriptions,
  messageForms,
  multipartBodies,
  recordings,
  rpcBodies,
  signInBodies,
} from '../../../support/campaign-noise.ts';
import { inputCount, inputCountText, sweepInputs } from '../../../support/sweeps.ts';

// 10,000 inputs for each parser of the campaign backend, when sweeps are taken whole. What the running backend makes of the same noise, in its
// statuses and its log, is beside the tests of each route.

/** What a parser answers, or undefined for what it refuses with 400; anything else that it throws fails the test. */
async function read<T>(parse: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await parse();
  } catch (error) {
    if (error instanceof RouteRefused && error.status === 400) return undefined;
    throw error;
  }
}

it(`reads ${inputCountText} bodies as JSON, or refuses them`, async () => {
  const socket = new Socket();
  const shape = z.object({ id_token: z.string().optional() });
  let readable = 0;
  await sweepInputs(signInBodies, async (bytes) => {
    const request = new IncomingMessage(socket);
    request.push(bytes);
    request.push(null);
    const body = await read(() => readJson(request, shape));
    if (body === undefined) return;
    readable += 1;
    expect(body).toEqual(shape.parse(JSON.parse(bytes.toString())));
  });
  expect(readable).toBeGreaterThan(inputCount / 10);
});

it(`reads ${inputCountText} bodies as forms, or refuses them`, async () => {
  const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  let readable = 0;
  await sweepInputs(fc.oneof(noise, multipartBodies), async (bytes) => {
    const fields = await read(() => readForm(bytes));
    if (fields === undefined) return;
    readable += 1;
    const names = new Set(new URLSearchParams(bytes.toString()).keys());
    expect(Object.keys(fields).sort()).toEqual([...names].sort());
  });
  expect(readable).toBeGreaterThan(inputCount / 10);
});

it(`reads ${inputCountText} forms as messages of the provider, or as none`, async () => {
  const start = {
    MessageSid: `SM${'0a'.repeat(16)}`,
    AccountSid: `AC${'0a'.repeat(16)}`,
    From: '+4915112345678',
  };
  let messages = 0;
  await sweepInputs(messageForms(start), async (form) => {
    const fields = await read(() => readForm(Buffer.from(form.toString())));
    const message = fields === undefined ? undefined : readInboundMessage(fields);
    if (message === undefined) return;
    messages += 1;
    expect(message.sid).toMatch(/^(?:SM|MM)[0-9a-f]{32}$/i);
    expect(message.accountSid).toMatch(/^AC/i);
    expect(message.text).not.toContain('\0');
  });
  expect(messages).toBeGreaterThan(inputCount / 10);
});

it(`tells of ${inputCountText} texts whether they are session descriptions`, async () => {
  const seen = new Set<boolean>();
  await sweepInputs(descriptions, (text) => {
    const is = isSessionDescription(text);
    seen.add(is);
    if (is) expect(text).toMatch(/^v=0\r?\no=.*\r?\ns=/);
  });
  expect(seen.size).toBe(2);
});

it(`takes ${inputCountText} recordings as samples when they are whole ones, and refuses the others`, () =>
  sweepInputs(recordings, async (bytes) => {
    const samples = await read(() => readSamples(bytes));
    expect(samples !== undefined).toBe(bytes.length > 0 && bytes.length % 2 === 0);
    if (samples !== undefined) expect(wavFile(samples).subarray(44).equals(bytes)).toBe(true);
  }));

it(`reads ${inputCountText} bodies as calls of the agent, or refuses them with a code of JSON-RPC`, async () => {
  const seen = new Set<number>();
  await sweepInputs(rpcBodies, (bytes) => {
    try {
      const call = readRpcRequest(bytes);
      checkedParams(call);
      seen.add(0);
    } catch (error) {
      if (!(error instanceof RpcRefused)) throw error;
      seen.add(error.code);
    }
  });
  expect([...seen].sort()).toEqual([-32600, -32602, -32700, 0]);
});

it(`reads ${inputCountText} Range headers as a part there is, as the whole, or as none there is (BCK-023)`, () => {
  const digits = fc.oneof(fc.nat(300_000).map(String), fc.constant(''), fc.bigInt({ min: 0n }).map(String));
  const ranges = fc.oneof(
    fc.tuple(digits, digits).map(([first, last]) => `bytes=${first}-${last}`),
    fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
  );
  return sweepInputs(fc.tuple(ranges, fc.nat(200_000)), ([header, size]) => {
    const asked = readRange(header, size);
    if (asked.kind !== 'part') return;
    expect(asked.start).toBeGreaterThanOrEqual(0);
    expect(asked.start).toBeLessThan(asked.end);
    expect(asked.end).toBeLessThanOrEqual(size);
  });
});
