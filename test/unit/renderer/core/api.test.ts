import { create, toBinary } from '@bufbuild/protobuf';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Me } from '#shared/api/sign-in.ts';
import { GetProfileResponseSchema, ProfileService } from '#shared/gen/profile/v1/profile_pb.js';
import { type CallableId, createCall } from '../../../../src-renderer/core/api.ts';
import { CallFailed, errorSentence } from '../../../../src-renderer/core/call-route.ts';
import { isSignedOut, isSilence, sentenceOf } from '../../../../src-renderer/core/failure.ts';
import { createRpc } from '../../../../src-renderer/core/rpc.ts';

const me: Me = {
  authed: true,
  email: 'mira@northgate.example',
  authRequired: true,
  passwordAuth: true,
  googleAuth: false,
  voiceTts: false,
  voiceStt: false,
};

/** A client whose console gives one answer, and what it was asked. */
function consoleThat(answer: Response | Error) {
  const asked: { url: string; init: RequestInit }[] = [];
  const call = createCall(async (url, init) => {
    asked.push({ url, init });
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { call, asked };
}

const failureOf = async (promise: Promise<unknown>): Promise<CallFailed> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallFailed)) throw new Error(`Expected a CallFailed, got ${String(error)}`);
  return error;
};

describe('a call of the route table', () => {
  it('asks by the method and path of its row and gives the parsed answer', async () => {
    const { call, asked } = consoleThat(Response.json(me));
    expect(await call('signIn.me')).toEqual(me);
    expect(asked).toEqual([
      { url: '/api/me', init: { method: 'GET', headers: { Accept: 'application/json' } } },
    ]);
  });

  it('puts parameters into the path so that none can leave its place', async () => {
    const { call, asked } = consoleThat(Response.json({ revoked: 1 }));
    await call('sessions.revokeOne', { params: { id: '../me?x#y' } });
    expect(asked[0]).toMatchObject({ url: '/api/sessions/..%2Fme%3Fx%23y', init: { method: 'DELETE' } });
  });

  it('sends a body as JSON', async () => {
    const { call, asked } = consoleThat(Response.json({ email: 'a@b.example' }));
    await call('signIn.password', { body: { username: 'a', password: 'ü' } });
    expect(asked[0]?.init).toEqual({
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: '{"username":"a","password":"ü"}',
    });
  });

  it('posts to a route that answers every method: a sign-out must not be a link', async () => {
    const { call, asked } = consoleThat(Response.json({ signed_out: true }));
    await call('signIn.logout');
    expect(asked[0]?.init.method).toBe('POST');
  });

  it('gives the text of a text route', async () => {
    const { call } = consoleThat(new Response('ok'));
    expect(await call('system.healthz')).toBe('ok');
  });

  it('drops what the table does not know from an answer', async () => {
    const { call } = consoleThat(Response.json({ ...me, debug: 'secret' }));
    expect(await call('signIn.me')).not.toHaveProperty('debug');
  });

  it('is typed by the table', () => {
    const { call } = consoleThat(Response.json(me));
    expectTypeOf(call<'signIn.me'>).returns.resolves.toEqualTypeOf<Me>();
    expectTypeOf<'signIn.callback'>().not.toExtend<CallableId>();
    expectTypeOf<'audit.export'>().not.toExtend<CallableId>();
  });
});

describe('a call that fails', () => {
  it.each([
    ['not JSON', new Response('<html>')],
    ['of another shape', Response.json({ authed: 'yes' })],
  ])('refuses an answer that is %s and names the route', async (_what, answer) => {
    const failure = await failureOf(consoleThat(answer).call('signIn.me'));
    expect(failure.message).toContain('/api/me');
    expect(isSilence(failure)).toBe(false);
  });

  it('says the console’s own sentence, under the name of its status', async () => {
    const { call } = consoleThat(Response.json({ error: 'Sign in first.' }, { status: 401 }));
    const failure = await failureOf(call('system.platform'));
    expect(failure).toMatchObject({ name: 'NotSignedIn', message: 'Sign in first.', status: 401 });
    expect(isSignedOut(failure)).toBe(true);
  });

  it('says the status when there is no sentence', async () => {
    const { call } = consoleThat(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await failureOf(call('system.platform'))).toMatchObject({
      name: 'Unavailable',
      message: 'The console answered 502.',
    });
  });

  it.each([
    ['42', 42],
    ['0.2', 1],
    ['0', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads Retry-After %j as %j seconds', async (header, seconds) => {
    const headers = header === undefined ? {} : { 'Retry-After': header };
    const { call } = consoleThat(Response.json({ error: 'Too many tries.' }, { status: 429, headers }));
    const failure = await failureOf(call('signIn.password', { body: { username: 'a', password: 'b' } }));
    expect(failure.name).toBe('TooManyRequests');
    expect(failure.retryAfterSeconds).toBe(seconds);
  });

  it('is silence when nothing answered', async () => {
    const failure = await failureOf(consoleThat(new TypeError('fetch failed')).call('signIn.me'));
    expect(failure.status).toBeUndefined();
    expect(isSilence(failure)).toBe(true);
    expect(isSignedOut(failure)).toBe(false);
  });
});

describe('the sentence of a failure', () => {
  it('is the error field of a JSON body and nothing else', () => {
    expect(errorSentence('{"error":"The studio did not answer."}')).toBe('The studio did not answer.');
    for (const text of ['', 'error', '{"error":7}', '{"error":""}', '[]', 'null'])
      expect(errorSentence(text)).toBeUndefined();
  });

  it('is the plain words of a gRPC-web failure, without its code', async () => {
    const failure = await failureOf(profileFrom(trailersOnly(16, 'Sign in to use the studio%2E')));
    expect(sentenceOf(failure)).toBe('Sign in to use the studio.');
    expect(isSignedOut(failure)).toBe(true);
    const other = await failureOf(profileFrom(trailersOnly(7, 'Not yours.')));
    expect([other.name, isSignedOut(other), isSilence(other)]).toEqual(['NotAllowed', false, false]);
  });

  it('is the words of the console where gRPC-web is refused before it reaches a service', async () => {
    const failure = await failureOf(profileFrom(Response.json({ error: 'Sign in first.' }, { status: 401 })));
    expect([sentenceOf(failure), isSignedOut(failure)]).toEqual(['Sign in first.', true]);
  });

  it('knows a silent console behind a gRPC-web failure', async () => {
    expect(isSilence(await failureOf(profileFrom(new TypeError('fetch failed'))))).toBe(true);
    expect(isSilence(await failureOf(profileFrom(trailersOnly(14, 'No studio.'))))).toBe(false);
  });

  it('is told of an answer that ends before its trailers', async () => {
    const failure = await failureOf(profileFrom(new Response(new Uint8Array([0, 0, 0, 0, 0]))));
    expect([failure.name, isSilence(failure)]).toEqual(['Unavailable', false]);
  });
});

describe('gRPC-web', () => {
  it('reads the message of an answer, and sends its own in a frame', async () => {
    const message = toBinary(
      GetProfileResponseSchema,
      create(GetProfileResponseSchema, { profile: { defaultTab: 'nodes' } }),
    );
    const asked: [string, RequestInit][] = [];
    const rpc = createRpc(async (url, init) => {
      asked.push([url, init]);
      return new Response(framed([0, message], [128, new TextEncoder().encode('grpc-status: 0\r\n')]));
    }, '/studio');
    const { profile } = await rpc(ProfileService.method.getProfile, {});
    expect(profile?.defaultTab).toBe('nodes');
    expect(asked[0]?.[0]).toBe('/studio/profile.v1.ProfileService/GetProfile');
    expect(asked[0]?.[1].body).toEqual(new Uint8Array([0, 0, 0, 0, 0]));
  });

  it('ends with the reason of a caller that left', async () => {
    const rpc = createRpc(() => Promise.reject(new TypeError('aborted')), '');
    const gone = AbortSignal.abort(new Error('left'));
    await expect(rpc(ProfileService.method.getProfile, {}, gone)).rejects.toThrow('left');
  });
});

function framed(...frames: [number, Uint8Array][]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(frames.flatMap(([flag, bytes]) => [flag, 0, 0, 0, bytes.length, ...bytes]));
}

function trailersOnly(status: number, message: string): Response {
  return new Response(null, { headers: { 'grpc-status': String(status), 'grpc-message': message } });
}

function profileFrom(answer: Response | Error): Promise<unknown> {
  const rpc = createRpc(async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  }, '');
  return rpc(ProfileService.method.getProfile, {});
}
