import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { newFolder, type StartedConsole, startedConsole } from '../../../support/started-console.ts';

type Answer = { readonly status: number; readonly body: unknown };

/** A Cookie header of whoever redeems a new one-time link of a console. */
async function linkCookie({ running }: StartedConsole): Promise<string> {
  const link = new URL((await running.signInLink()) ?? '');
  const { headers } = await request(`${running.url}${link.pathname}${link.search}`);
  return String(headers['set-cookie']).split(';', 1)[0] ?? '';
}

async function ask(
  console: StartedConsole,
  method: 'GET' | 'POST' | 'DELETE' | 'PUT',
  path: string,
  cookie: string,
  body?: object,
): Promise<Answer> {
  const { statusCode, body: answer } = await request(`${console.running.url}${path}`, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: statusCode, body: await answer.json() };
}

describe('the sandbox of a running console', () => {
  let console: StartedConsole;
  afterEach(() => console.close());

  it('is started and stopped without a restart: cluster, studio, code host and what its agents report', async () => {
    console = await startedConsole({ CONSOLE_KUBECONFIG: 'none' });
    const platform = async () => (await console.api('GET', '/api/platform')).body;
    expect(await console.api('GET', '/api/sandbox')).toEqual({ status: 200, body: { state: 'off' } });
    expect(await platform()).toMatchObject({ sandbox: false, studio: { state: 'key_missing' } });
    expect(await console.api('POST', '/api/sandbox')).toEqual({ status: 200, body: { state: 'on' } });
    expect(await platform()).toMatchObject({ sandbox: true, studio: { state: 'ready' } });
    expect((await console.api('GET', '/api/targets')).body).toMatchObject({
      chosen: 'sandbox',
      items: [{ id: 'sandbox', kind: 'sandbox' }],
    });
    expect((await console.api('GET', '/api/namespaces')).body).toMatchObject({ source: 'kubernetes' });
    expect((await console.api('GET', '/api/studio')).body).toMatchObject({ source: 'github' });
    const studio = await ask(console, 'GET', '/studio/healthz', await linkCookie(console)).catch(
      () => undefined,
    );
    expect(studio === undefined || studio.status === 200).toBe(true);
    const queued = await console.api('POST', '/api/session-queue', { command: 'in the sandbox' });
    expect(queued.status).toBe(200);

    expect(await console.api('DELETE', '/api/sandbox')).toEqual({ status: 200, body: { state: 'off' } });
    expect(await platform()).toMatchObject({ sandbox: false, studio: { state: 'key_missing' } });
    expect((await console.api('GET', '/api/targets')).body).toMatchObject({ items: [] });
    expect((await console.api('GET', '/api/studio')).body).toMatchObject({ source: 'unavailable' });
    expect((await console.api('GET', '/api/session-queue')).body).toMatchObject({ items: [] });
    expect((await console.api('DELETE', '/api/sandbox')).status).toBe(404);

    // Another one is a new platform at other addresses.
    expect((await console.api('POST', '/api/sandbox')).status).toBe(200);
    expect((await console.api('GET', '/api/namespaces')).body).toMatchObject({ source: 'kubernetes' });
    expect((await console.api('GET', '/api/session-queue')).body).toMatchObject({ items: [] });
  });

  it('is one, when two start it at once', async () => {
    console = await startedConsole({ CONSOLE_KUBECONFIG: 'none' });
    const both = await Promise.all([
      console.api('POST', '/api/sandbox'),
      console.api('POST', '/api/sandbox'),
    ]);
    expect(both.map(({ body }) => body)).toEqual([{ state: 'on' }, { state: 'on' }]);
    expect((await console.api('GET', '/api/namespaces')).body).toMatchObject({ source: 'kubernetes' });
  });

  it('stops also when the console was started with it, whose session admin goes with it', async () => {
    console = await startedConsole({ CONSOLE_KUBECONFIG: 'none' }, { sandbox: true });
    expect((await console.api('GET', '/api/audit')).status).toBe(200);
    expect((await console.api('DELETE', '/api/sandbox')).status).toBe(200);
    expect((await console.api('GET', '/api/audit')).status).toBe(403);
  });

  it('makes nobody a session admin when it is started later (CON-166)', async () => {
    console = await startedConsole({ CONSOLE_KUBECONFIG: 'none' });
    await console.api('POST', '/api/sandbox');
    expect((await console.api('GET', '/api/audit')).status).toBe(403);
    expect((await console.api('GET', '/api/session-admins')).body).toMatchObject({ size: 0 });
  });

  it('is for the sign-in link while nobody is a session admin, and for session admins then', async () => {
    console = await startedConsole({ CONSOLE_KUBECONFIG: 'none' });
    const link = await linkCookie(console);
    expect((await ask(console, 'POST', '/api/sandbox', '')).status).toBe(401);
    expect((await ask(console, 'POST', '/api/sandbox', link)).status).toBe(200);
    await ask(console, 'PUT', '/api/session-admins', link, { admins: ['ada@northgate.example'] });
    expect((await ask(console, 'DELETE', '/api/sandbox', link)).status).toBe(403);
    expect((await ask(console, 'DELETE', '/api/sandbox', await linkCookie(console))).status).toBe(403);
  });

  it('does not stand in the place of a studio that is attached, and says how to have one apart', async () => {
    console = await startedConsole({ STUDIO_UPSTREAM: 'http://127.0.0.1:9', CONSOLE_KUBECONFIG: 'none' });
    const { body } = await console.api('GET', '/api/sandbox');
    expect(body).toMatchObject({ state: 'off', why_not: expect.stringContaining('STUDIO_UPSTREAM') });
    expect((await console.api('POST', '/api/sandbox')).status).toBe(409);
  });

  it('keeps nothing of an earlier console: one started without it again serves none of its reports', async () => {
    const folder = newFolder();
    console = await startedConsole({ CONSOLE_KUBECONFIG: 'none' }, { folder });
    await console.api('POST', '/api/sandbox');
    await console.api('POST', '/api/session-queue', { command: 'in the sandbox' });
    console = await console.again();
    expect((await console.api('GET', '/api/session-queue')).body).toMatchObject({ items: [] });
  });
});
