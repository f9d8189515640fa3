import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { imagesOf } from '../../../src-main/sandbox/index.ts';
import { type SandboxRegistry, startSandboxRegistry } from '../../../src-main/sandbox/registry/index.ts';
import { commitId, repository, seededWorld, world } from '../../support/code-host.ts';

const sha = commitId('harbour');
const image = { name: 'northgate/harbour', tags: [sha, `sha-${sha.slice(0, 7)}`] };
const manifests = '/v2/northgate/harbour/manifests';

let registry: SandboxRegistry | undefined;
afterEach(() => registry?.close());

async function start(credentials?: string): Promise<string> {
  registry = await startSandboxRegistry({
    images: () => [image],
    ...(credentials === undefined ? {} : { credentials }),
  });
  return `http://${registry.host}`;
}

/** Asks the token service as its challenge says. */
async function tokenFor(challenge: string, authorization?: string): Promise<Response> {
  const part = (name: string): string => new RegExp(`${name}="([^"]+)"`).exec(challenge)?.[1] ?? '';
  const realm = new URL(part('realm'));
  realm.searchParams.set('service', part('service'));
  realm.searchParams.set('scope', part('scope'));
  return fetch(realm, authorization === undefined ? {} : { headers: { authorization } });
}

describe('the sandbox registry', () => {
  it('asks who wants to know, and then tells what a tag and a digest stand for', async () => {
    const url = await start();
    const asked = await fetch(`${url}${manifests}/${sha}`);
    expect(asked.status).toBe(401);
    expect(await asked.json()).toMatchObject({ errors: [{ code: 'UNAUTHORIZED' }] });
    const challenge = asked.headers.get('www-authenticate') ?? '';
    expect(challenge).toContain('scope="repository:northgate/harbour:pull"');
    const { token } = (await (await tokenFor(challenge)).json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const head = await fetch(`${url}${manifests}/${sha}`, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const digest = head.headers.get('docker-content-digest');
    const whole = await fetch(`${url}${manifests}/sha-${sha.slice(0, 7)}`, { headers });
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.headers.get('content-type')).toBe('application/vnd.oci.image.index.v1+json');
    expect(digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
    expect((await fetch(`${url}${manifests}/${digest}`, { headers })).status).toBe(200);
    const unknown = await fetch(`${url}${manifests}/latest`, { headers });
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown', detail: null }] },
    ]);
    expect((await fetch(`${url}/v2/northgate/other/manifests/latest`, { headers })).status).toBe(401);
  });

  it('answers at its root as the protocol wants, and takes nothing', async () => {
    const url = await start();
    const root = await fetch(`${url}/v2/`);
    expect(root.status).toBe(401);
    expect(root.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="http:\/\/127\.0\.0\.1:\d+\/token",service="/,
    );
    expect((await fetch(`${url}${manifests}/new`, { method: 'PUT', body: '{}' })).status).toBe(405);
  });

  it('gives no token to a stranger where it is not for everybody', async () => {
    const url = await start('reader:secret');
    const challenge = (await fetch(`${url}${manifests}/${sha}`)).headers.get('www-authenticate') ?? '';
    const basic = (user: string): string => `Basic ${Buffer.from(user).toString('base64')}`;
    expect((await tokenFor(challenge)).status).toBe(401);
    expect((await tokenFor(challenge, basic('reader:guess'))).status).toBe(401);
    expect((await tokenFor(challenge, basic('reader:secret'))).status).toBe(200);
  });

  it('has the images that were pushed, each under its commit, and not those that only were built', () => {
    const at = Date.UTC(2026, 10, 2);
    const small = world([
      repository({
        name: 'Harbour',
        images: [
          { sha, pushedAt: at },
          { sha: commitId('later'), pushedAt: at + 1 },
        ],
      }),
    ]);
    expect(imagesOf(small, at)).toEqual([image]);
    const estate = seededWorld(at);
    const built = estate.organisations[0]?.repositories.flatMap(({ name, runs, images }) =>
      runs
        .filter(({ path, conclusion }) => path.endsWith('/build.yml') && conclusion === 'success')
        .map((run) => ({ name, pushed: images.some((entry) => entry.sha === run.sha) })),
    );
    expect(built?.filter(({ pushed }) => !pushed)).toEqual([{ name: 'cockpit', pushed: false }]);
  });
});
