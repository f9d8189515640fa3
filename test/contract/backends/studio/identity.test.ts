import { generateKeyPairSync, sign } from 'node:crypto';
import { request } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStudioConfig, type Studio } from '../../../../src-main/backends/studio/index.ts';
import { assertion, clientOf, identityKey, mira, testStudio } from './harness.ts';

const seconds = Math.floor(Date.now() / 1000);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Each is one way to come without a true assertion. */
const refused: readonly (readonly [string, string])[] = [
  ['signed with another key', assertion(mira, { key: Buffer.alloc(32, 8) })],
  ['for another audience', assertion(mira, { claims: { aud: 'campaign' } })],
  ['from another issuer', assertion(mira, { claims: { iss: 'somebody' } })],
  ['that ended a minute ago', assertion(mira, { claims: { iat: seconds - 180, exp: seconds - 60 } })],
  [
    'issued long ago with a far end',
    assertion(mira, { claims: { iat: seconds - 3600, exp: seconds + 3600 } }),
  ],
  ['issued in the future', assertion(mira, { claims: { iat: seconds + 3600, exp: seconds + 3720 } })],
  ['without an end', assertion(mira, { claims: { exp: undefined } })],
  ['without an issue time', assertion(mira, { claims: { iat: undefined } })],
  ['without a subject', assertion(mira, { claims: { sub: undefined } })],
  ['whose subject is not its email', assertion(mira, { claims: { sub: 'jon@example.com' } })],
  ['whose email is none', assertion('mira')],
  ['with algorithm none', assertion(mira, { head: { alg: 'none' }, signature: () => '' })],
  ['with algorithm none, signed all the same', assertion(mira, { head: { alg: 'none' } })],
  [
    'signed with RS256',
    assertion(mira, {
      head: { alg: 'RS256' },
      signature: (input) => sign('sha256', Buffer.from(input), rsa.privateKey).toString('base64url'),
    }),
  ],
  ['that says RS256 but carries an HMAC of our key', assertion(mira, { head: { alg: 'RS256' } })],
  ['with a critical header we do not know', assertion(mira, { head: { crit: ['x'], x: 1 } })],
  ['that is not a token', 'mira.koch@example.com'],
  ['that is empty', ''],
];

describe('the studio takes an identity from the assertion alone (CON-174)', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await testStudio();
  });
  afterAll(() => studio.close());

  const codeWith = async (headers: Record<string, string>): Promise<Code | undefined> => {
    try {
      await clientOf(studio, { headers }).listChats({});
      return undefined;
    } catch (error) {
      return ConnectError.from(error).code;
    }
  };

  it('accepts the assertion the console makes, and says whom it named (CON-173)', async () => {
    const answer = await clientOf(studio, mira).listChats({});
    expect(answer.email).toBe(mira);
  });

  it('refuses an assertion after 120 s, and one of a clock that is ahead (CON-173)', async () => {
    const issued = (ago: number) => {
      const iat = Math.floor(Date.now() / 1000) - ago;
      return { 'x-console-identity': assertion(mira, { claims: { iat, exp: iat + 120 } }) };
    };
    expect(await codeWith(issued(115))).toBeUndefined();
    expect(await codeWith(issued(120))).toBe(Code.Unauthenticated);
    expect(await codeWith(issued(-3))).toBe(Code.Unauthenticated);
  });

  it('allows the clocks to differ by STUDIO_CLOCK_TOLERANCE, and by no more', async () => {
    const config = readStudioConfig({
      CONSOLE_STUDIO_IDENTITY_KEY: identityKey.toString('base64'),
      STUDIO_CLOCK_TOLERANCE: '30',
    });
    const tolerant = await testStudio(config);
    const codeAfter = async (ago: number) => {
      const iat = Math.floor(Date.now() / 1000) - ago;
      const identity = assertion(mira, { claims: { iat, exp: iat + 120 } });
      const call = clientOf(tolerant, { headers: { 'x-console-identity': identity } }).listChats({});
      return call.then(
        () => undefined,
        (error: unknown) => ConnectError.from(error).code,
      );
    };
    expect(await codeAfter(-25)).toBeUndefined();
    expect(await codeAfter(145)).toBeUndefined();
    expect(await codeAfter(151)).toBe(Code.Unauthenticated);
    expect(await codeAfter(-40)).toBe(Code.Unauthenticated);
    await tolerant.close();
    for (const value of ['61', '-1', '1.5', 'much'])
      expect(() =>
        readStudioConfig({
          CONSOLE_STUDIO_IDENTITY_KEY: identityKey.toString('base64'),
          STUDIO_CLOCK_TOLERANCE: value,
        }),
      ).toThrow('STUDIO_CLOCK_TOLERANCE must be whole seconds from 0 to 60.');
  });

  for (const [what, token] of refused) {
    it(`refuses an assertion ${what}`, async () => {
      expect(await codeWith({ 'x-console-identity': token })).toBe(Code.Unauthenticated);
      const page = await fetch(`${studio.url}/`, { headers: { 'x-console-identity': token } });
      expect(page.status).toBe(401);
      expect(await page.json()).toEqual({ error: expect.stringContaining('X-Console-Identity') });
    });
  }

  it('refuses a cookie, a bearer token and a forwarded user in place of the assertion', async () => {
    const token = assertion(mira);
    expect(await codeWith({ cookie: `console_session=${token}; X-Console-Identity=${token}` })).toBe(
      Code.Unauthenticated,
    );
    expect(await codeWith({ authorization: `Bearer ${token}` })).toBe(Code.Unauthenticated);
    expect(await codeWith({ 'x-forwarded-user': mira, 'x-forwarded-email': mira })).toBe(
      Code.Unauthenticated,
    );
  });

  it('refuses two assertions, even when both are good', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(`${studio.url}/`, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.setHeader('x-console-identity', [assertion(mira), assertion('jon@example.com')]);
      call.on('error', reject).end();
    });
    expect(status).toBe(401);
  });

  it('answers /healthz without an assertion', async () => {
    const answer = await fetch(`${studio.url}/healthz`);
    expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
  });

  it('answers an unknown method of the service and a call without an assertion in the gRPC-web protocol', async () => {
    const call = (method: string) =>
      fetch(`${studio.url}/studio.v1.StudioService/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/grpc-web+proto' },
        body: new Uint8Array(5),
      });
    const answer = await call('ListChats');
    expect(answer.headers.get('grpc-status') ?? (await answer.text())).toMatch(/16/);
    expect((await call('DropEverything')).headers.get('grpc-status')).toBe('12');
  });

  it('does not start with a key shorter than 32 bytes', async () => {
    await expect(testStudio({ identityKey: identityKey.subarray(0, 31) })).rejects.toThrow('32 bytes');
  });
});
