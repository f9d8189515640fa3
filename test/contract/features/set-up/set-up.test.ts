import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startStudio } from '../../../../src-main/backends/studio/index.ts';
import { type OidcIssuer, startOidcIssuer } from '../../../support/oidc-issuer.ts';
import { type StartedConsole, startedConsole } from '../../../support/started-console.ts';

const ada = 'ada@northgate.example';

describe('the studio, set up in the window', () => {
  const identityKey = randomBytes(32);
  const key = identityKey.toString('base64');
  let studio: Awaited<ReturnType<typeof startStudio>>;
  let console: StartedConsole;
  beforeAll(async () => {
    studio = await startStudio({
      listen: { host: '127.0.0.1', port: 0 },
      identityKey,
      storeFile: ':memory:',
    });
  });
  afterAll(() => studio.close());
  afterEach(() => console.close());

  const step = (body: object) => console.api('POST', '/api/set-up/studio', body);
  const state = async () => (await console.api('GET', '/api/platform')).body;

  it('is tested by a signed request, kept, and reached at once', async () => {
    console = await startedConsole();
    expect(await state()).toMatchObject({ studio: { state: 'key_missing' } });
    expect(await step({ address: studio.url, key, keep: false })).toMatchObject({ body: { kept: false } });
    expect(await state()).toMatchObject({ studio: { state: 'key_missing' } });
    expect(await step({ address: studio.url, key, keep: true })).toMatchObject({
      status: 200,
      body: { kept: true },
    });
    expect(await state()).toMatchObject({ studio: { state: 'ready', upstream: new URL(studio.url).host } });
    console = await console.again();
    expect(await state()).toMatchObject({ studio: { state: 'ready' } });
  });

  it('is not kept with another key, at an address where none is, or with words that are no key', async () => {
    console = await startedConsole();
    const another = randomBytes(32).toString('base64');
    for (const [body, status, said] of [
      [{ address: studio.url, key: another, keep: true }, 422, 'does not accept'],
      [{ address: 'http://127.0.0.1:9', key, keep: true }, 422, 'did not answer'],
      [{ address: console.running.url, key, keep: true }, 422, 'not as a studio does'],
      [{ address: studio.url, key: 'short', keep: true }, 422, 'CONSOLE_STUDIO_IDENTITY_KEY'],
      [{ address: 'ftp://studio', key, keep: true }, 400, 'STUDIO_UPSTREAM'],
      [{ address: studio.url, keep: true }, 400, "enter the studio's key"],
    ] as const) {
      const answer = await step(body);
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(said)]);
      expect(JSON.stringify(answer.body)).not.toContain(another);
    }
    expect(await state()).toMatchObject({ studio: { state: 'key_missing' } });
  });

  it('never sends a kept key to another address', async () => {
    console = await startedConsole();
    await step({ address: studio.url, key, keep: true });
    expect(await step({ address: 'http://127.0.0.1:9', keep: true })).toMatchObject({ status: 400 });
    expect(await step({ keep: false })).toMatchObject({ status: 200 });
  });

  it('is fixed where the environment or the sandbox sets it, and says so', async () => {
    console = await startedConsole({ STUDIO_UPSTREAM: 'http://127.0.0.1:9' });
    expect(await step({ address: studio.url, key, keep: true })).toMatchObject({ status: 409 });
    await console.close();
    console = await startedConsole({ CONSOLE_KUBECONFIG: 'none' });
    await console.api('POST', '/api/sandbox');
    const { status, body } = await step({ address: studio.url, key, keep: true });
    expect([status, body]).toMatchObject([409, { error: expect.stringContaining('sandbox') }]);
  });
});

describe('sign-in with a provider, set up in the window', () => {
  let issuer: OidcIssuer;
  let console: StartedConsole;
  beforeAll(async () => {
    issuer = await startOidcIssuer(['the-client']);
  });
  afterAll(() => issuer.close());
  afterEach(() => console.close());

  const step = (body: object) => console.api('POST', '/api/set-up/sign-in', body);
  const asked = { client_id: 'the-client', allowed_emails: [ada.toUpperCase()], keep: true };
  const signIn = async () => {
    const answer = await fetch(`${console.running.url}/auth/google`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ credential: await issuer.idToken(ada) }),
    });
    return answer.status;
  };

  it('is tested by its discovery document and keys, and in effect at once, for who may sign in alone', async () => {
    console = await startedConsole();
    expect(await signIn()).toBe(404);
    expect(await step({ issuer: issuer.issuer, ...asked })).toMatchObject({
      status: 200,
      body: { keys: 1, kept: true, jwks_url: expect.stringContaining(issuer.issuer) },
    });
    expect((await console.api('GET', '/api/me')).body).toMatchObject({
      googleAuth: true,
      googleClientId: 'the-client',
    });
    expect(await signIn()).toBe(200);
    await console.api('PUT', '/api/settings', {
      values: { CONSOLE_ALLOWED_EMAILS: 'grace@northgate.example' },
    });
    expect(await signIn()).toBe(403);
    const { headers } = await fetch(console.running.url);
    expect(headers.get('content-security-policy')).toContain(new URL(issuer.issuer).origin);
  });

  it('is not kept without anybody who may sign in, or where there is no provider', async () => {
    console = await startedConsole();
    expect(await step({ issuer: issuer.issuer, ...asked, allowed_emails: [] })).toMatchObject({
      status: 400,
    });
    expect(await step({ issuer: 'http://127.0.0.1:9', ...asked })).toMatchObject({ status: 422 });
    expect(await step({ issuer: `${issuer.issuer}/other`, ...asked })).toMatchObject({ status: 422 });
    expect((await console.api('GET', '/api/me')).body).toMatchObject({ googleAuth: false });
  });
});

describe('the guided steps', () => {
  it('are not for the sign-in link before it named an admin', async () => {
    const console = await startedConsole();
    const link = new URL((await console.running.signInLink()) ?? '');
    const signedIn = await fetch(`${console.running.url}${link.pathname}${link.search}`, {
      redirect: 'manual',
    });
    const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const call = (path: string, method: string, body: object) =>
      fetch(`${console.running.url}${path}`, {
        method,
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const step = { address: 'http://127.0.0.1:9', key: randomBytes(32).toString('base64'), keep: true };
    expect((await call('/api/set-up/studio', 'POST', step)).status).toBe(403);
    await call('/api/session-admins', 'PUT', { admins: ['operator@console.localhost'] });
    expect((await call('/api/set-up/studio', 'POST', step)).status).toBe(422);
    await console.close();
  });
});
