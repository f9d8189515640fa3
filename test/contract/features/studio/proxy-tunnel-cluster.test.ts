import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type KubeApi, kubeconfigText, startKubeApi } from '../../../../src-main/kube-api/index.ts';
import { startSandboxCluster } from '../../../../src-main/sandbox/kubernetes/index.ts';
import { newFolder, startedConsole } from '../../../support/started-console.ts';
import { identityKey, testStudio } from '../../backends/studio/harness.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A console whose studio is that of the sandbox's cluster, through an API of it that can be stopped and started. */
async function consoleOnCluster() {
  const studio = await testStudio();
  const { hostname, port } = new URL(studio.url);
  const cluster = await startSandboxCluster({ still: true, studio: { host: hostname, port: Number(port) } });
  const begin = (at: number): Promise<KubeApi> =>
    startKubeApi({ world: cluster.world, listen: { host: '127.0.0.1', port: at } });
  let api = await begin(0);
  const { url } = api;
  const folder = newFolder();
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigText({ name: 'harbour', server: url }));
  const console_ = await startedConsole(
    {
      CONSOLE_KUBECONFIG: kubeconfig,
      CONSOLE_STUDIO_IDENTITY_KEY: identityKey.toString('base64'),
      STUDIO_UPSTREAM: 'cluster://studio/studio:8443',
    },
    { folder },
  );
  open.push(
    () => studio.close(),
    () => cluster.close(),
    () => api.close(),
    () => console_.close(),
  );
  const session = await console_.running.startOperatorSession();
  return {
    cluster,
    /** What the studio has of the person who is signed in, which it tells nobody else. */
    async chats() {
      const answer = await fetch(`${console_.running.url}/studio/studio.v1.StudioService/ListChats`, {
        method: 'POST',
        headers: { cookie: `console_session=${session?.token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      const body: unknown = await answer.json();
      return { status: answer.status, body };
    },
    stop: () => api.close(),
    async start() {
      api = await begin(Number(new URL(url).port));
    },
  };
}

const answered = { status: 200, body: expect.objectContaining({ email: 'operator@console.localhost' }) };

describe('STUDIO_UPSTREAM=cluster://studio/studio:8443', () => {
  it("reaches the studio of the sandbox's cluster through its API, as the person who is signed in", async () => {
    const { chats } = await consoleOnCluster();
    expect(await chats()).toEqual(answered);
  });

  it('answers an error while the API of the cluster is away, and goes on when it is back', async () => {
    const { chats, stop, start } = await consoleOnCluster();
    expect((await chats()).status).toBe(200);
    await stop();
    const away = await chats();
    expect(away.status).toBe(502);
    expect(away.body).toEqual({
      error: expect.stringMatching(/^The studio at studio\.studio\.svc:8443 is not reached\. .*127\.0\.0\.1/),
    });
    await start();
    expect(await chats()).toEqual(answered);
  });

  it('says which part of the way is missing: a ready pod behind the service, or the service itself', async () => {
    const { chats, cluster } = await consoleOnCluster();
    const kind = (plural: string) => {
      const found = cluster.world.kinds().find((one) => one.plural === plural);
      if (found === undefined) throw new Error(`the sandbox serves no ${plural}`);
      return found;
    };
    for (const { metadata } of await cluster.world.list(kind('endpointslices'), 'studio'))
      await cluster.world.write.remove(kind('endpointslices'), metadata.name, 'studio');
    expect(JSON.stringify((await chats()).body)).toContain(
      'The service studio in studio has no ready pod for its port 8443.',
    );
    await cluster.world.write.remove(kind('services'), 'studio', 'studio');
    expect(JSON.stringify((await chats()).body)).toContain('The service studio in studio does not exist.');
  });
});
