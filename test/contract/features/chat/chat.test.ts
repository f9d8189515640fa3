import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deployment, settleWorkloads } from '../../../support/acts.ts';
import { type DoubleReply, modelDouble, say } from '../../../support/chat.ts';
import { startTestCluster, type TestCluster } from '../../../support/kube-api.ts';
import { liveCluster, pod } from '../../../support/live-cluster.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let cluster: TestCluster;
let console_: TestConsole;
let cookie: string;

async function open(env: Record<string, string> = {}): Promise<void> {
  const live = await liveCluster(cluster.kubeconfig, { writable: () => true });
  console_ = await testConsole(
    { CONSOLE_SESSION_ADMINS: 'operator@console.localhost', ...env },
    { cluster: { ...live, writable: true } as typeof live },
  );
  closing.push(
    () => live.close(),
    () => console_.close(),
  );
  cookie = await console_.cookie();
}

beforeEach(async () => {
  cluster = await startTestCluster([
    deployment('web'),
    deployment('checkout'),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'worker-1' },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    },
    pod('web-1', 'shop', { status: { phase: 'Pending' } }),
  ]);
  settleWorkloads(cluster);
  closing.push(() => cluster.close());
});

const replicas = async (name: string): Promise<number | undefined> => {
  const kind = cluster.world.kinds().find(({ plural }) => plural === 'deployments');
  if (kind === undefined) throw new Error('no deployments');
  const object = (await cluster.world.get(kind, name, 'shop')) as { spec: { replicas: number } } | undefined;
  return object?.spec.replicas;
};
const records = async (action: string): Promise<{ outcome: string; summary: string }[]> => {
  const { body } = await request(`${console_.url}/api/audit?action=${action}`, { headers: { cookie } });
  return ((await body.json()) as { items: { outcome: string; summary: string }[] }).items;
};

describe('POST /chat (CON-080)', () => {
  it('runs one reading tool for a message, and says where its facts are', async () => {
    await open();
    const said = await say(console_, cookie, 'list the nodes');
    expect(said).toMatchObject({
      status: 200,
      read_by: 'grammar',
      reply: expect.stringContaining('worker-1'),
      tool: { name: 'nodes', arguments: {}, result: { items: [{ name: 'worker-1' }] } },
      citations: expect.arrayContaining([
        { kind: 'page', label: 'Nodes', address: '/?tab=nodes' },
        { kind: 'object', label: 'worker-1', address: '/?tab=nodes&record=worker-1' },
      ]),
    });
    const { body } = await request(`${console_.url}/api/cluster-nodes`, { headers: { cookie } });
    const page = (await body.json()) as { items: unknown };
    expect(said.tool?.result).toMatchObject({ items: page.items });
  });

  it('says what it did not understand, and what may have been meant, and does nothing', async () => {
    await open();
    expect(await say(console_, cookie, 'list the nodez')).toMatchObject({
      reply: expect.stringMatching(/Not understood.*"nodez".*Did you mean nodes/s),
      did_you_mean: expect.arrayContaining(['nodes']),
    });
    expect((await say(console_, cookie, 'help')).reply).toContain('confirm CODE');
  });

  it('shows nobody more than their routes do: the audit trail is for session admins', async () => {
    await open({ CONSOLE_SESSION_ADMINS: 'ada@northgate.example' });
    const other = await console_.cookieOf('eve@northgate.example');
    expect((await say(console_, other, 'what was refused today?')).reply).toContain('CONSOLE_SESSION_ADMINS');
    const admin = await console_.cookieOf('ada@northgate.example');
    expect((await say(console_, admin, 'what was refused today?')).tool).toMatchObject({ name: 'audit' });
  });

  it('needs a session where sign-in is configured', async () => {
    await open();
    expect((await say(console_, undefined, 'nodes')).status).toBe(401);
  });
});

describe('an act in the chat (CON-080)', () => {
  const codeOf = (said: { confirm?: { code: string } | undefined }): string => said.confirm?.code ?? 'none';

  it('is proposed with the diff of the dry run, and carried out by confirm and its code, once', async () => {
    await open();
    const said = await say(console_, cookie, 'scale web to 5');
    expect(said).toMatchObject({
      tool: { name: 'scale', arguments: { name: 'web', replicas: 5 } },
      confirm: {
        summary: expect.stringContaining('Deployment shop/web'),
        target: 'test',
        class: 'workloads',
        diff: [{ path: 'spec.replicas', before: '2', after: '5' }],
      },
    });
    expect(await replicas('web')).toBe(2);
    const done = await say(console_, cookie, `confirm ${codeOf(said)}`);
    expect([done.status, done.reply]).toEqual([200, expect.stringContaining('5 of 5 pods ready')]);
    expect(await replicas('web')).toBe(5);
    const again = await say(console_, cookie, `confirm ${codeOf(said)}`);
    expect([again.status, again.error]).toEqual([403, expect.stringContaining('Nothing was done')]);
    expect(await records('chat.propose')).toMatchObject([{ outcome: 'success' }]);
    expect(await records('chat.confirm')).toMatchObject([{ outcome: 'refused' }, { outcome: 'success' }]);
    expect(await records('acts.perform')).toHaveLength(1);
  });

  it('is carried out once although two confirmations come at once', async () => {
    await open();
    const code = codeOf(await say(console_, cookie, 'restart web'));
    const both = await Promise.all([
      say(console_, cookie, `confirm ${code}`),
      say(console_, cookie, `confirm ${code}`),
    ]);
    expect(both.map(({ status }) => status).sort()[0]).toBe(200);
    expect(await records('acts.perform')).toHaveLength(1);
  });

  it('cannot be confirmed by another session, also of the same person', async () => {
    await open();
    const code = codeOf(await say(console_, cookie, 'scale web to 5'));
    const other = await console_.cookie();
    expect((await say(console_, other, `confirm ${code}`)).status).toBe(403);
    expect(await replicas('web')).toBe(2);
  });

  it('cannot be confirmed after two minutes', async () => {
    await open();
    const code = codeOf(await say(console_, cookie, 'scale web to 5'));
    console_.advance(120_001);
    expect(await say(console_, cookie, `confirm ${code}`)).toMatchObject({
      status: 403,
      error: expect.stringContaining('expired'),
    });
    expect(await replicas('web')).toBe(2);
  });

  it('is gone after five wrong codes', async () => {
    await open();
    const code = codeOf(await say(console_, cookie, 'scale web to 5'));
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect((await say(console_, cookie, 'confirm AAAAAA')).status).toBe(403);
    expect((await say(console_, cookie, `confirm ${code}`)).status).toBe(403);
    expect(await replicas('web')).toBe(2);
  });

  it('takes the place of the one before: one is open in a session', async () => {
    await open();
    const first = codeOf(await say(console_, cookie, 'scale web to 5'));
    const second = codeOf(await say(console_, cookie, 'scale checkout to 4'));
    expect((await say(console_, cookie, `confirm ${first}`)).status).toBe(403);
    expect((await say(console_, cookie, `confirm ${second}`)).status).toBe(200);
    expect([await replicas('web'), await replicas('checkout')]).toEqual([2, 4]);
  });

  it('is refused when its object changed since it was shown', async () => {
    await open();
    const code = codeOf(await say(console_, cookie, 'scale web to 5'));
    const kind = cluster.world.kinds().find(({ plural }) => plural === 'deployments');
    const object = kind === undefined ? undefined : await cluster.world.get(kind, 'web', 'shop');
    if (kind === undefined || object === undefined) throw new Error('no deployment');
    await cluster.world.write.replace(kind, { ...object, spec: { ...(object.spec as object), replicas: 3 } });
    expect((await say(console_, cookie, `confirm ${code}`)).status).not.toBe(200);
    expect(await replicas('web')).toBe(3);
  });

  it('is authorised again when it is confirmed', async () => {
    await open();
    const code = codeOf(await say(console_, cookie, 'scale web to 5'));
    const { body } = await request(`${console_.url}/api/guardrails`, { headers: { cookie } });
    const { revision } = (await body.json()) as { revision: number };
    const set = await request(`${console_.url}/api/guardrails`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ revision, autonomy: { workloads: 'off' } }),
    });
    expect([set.statusCode, await set.body.text()]).toEqual([200, expect.stringContaining('workloads')]);
    expect((await say(console_, cookie, `confirm ${code}`)).status).not.toBe(200);
    expect(await replicas('web')).toBe(2);
    expect((await say(console_, cookie, 'scale web to 5')).reply).toContain(
      'The guardrails leave "workloads" to people',
    );
  });

  it('is not proposed to who is not on the list, and their attempt is recorded', async () => {
    await open({
      CONSOLE_CLUSTER_ADMINS: 'ada@northgate.example',
      CONSOLE_SESSION_ADMINS: 'operator@console.localhost',
    });
    const eve = await console_.cookieOf('eve@northgate.example');
    const said = await say(console_, eve, 'restart web');
    expect([said.confirm, said.reply]).toEqual([
      undefined,
      expect.stringContaining('CONSOLE_CLUSTER_ADMINS'),
    ]);
    expect(await records('chat.propose')).toMatchObject([{ outcome: 'refused' }]);
  });

  it('is taken back by cancel', async () => {
    await open();
    const code = codeOf(await say(console_, cookie, 'restart web'));
    expect((await say(console_, cookie, 'cancel')).reply).toContain('Nothing was done');
    expect((await say(console_, cookie, `confirm ${code}`)).status).toBe(403);
  });
});

describe('the chat with a model', () => {
  const withModel = async (script: (message: string) => DoubleReply) => {
    const model = await modelDouble(({ messages }) => script(messages.at(-1)?.content ?? ''));
    closing.push(() => model.close());
    await open({
      INFERENCE_REMOTE_URL: model.url,
      INFERENCE_MODEL: 'double-1',
      INFERENCE_API_KEY: 'key-of-the-model',
    });
    return model;
  };

  it('runs the first valid call of the model, names it, and says what was left out', async () => {
    const model = await withModel(() => ({
      calls: [
        { name: 'no_such_tool', args: {} },
        { name: 'nodes', args: '{"state":' },
        { name: 'nodes', args: {} },
        { name: 'namespaces', args: {} },
      ],
    }));
    const said = await say(console_, cookie, 'please look at my machines');
    expect(said).toMatchObject({ read_by: 'double-1', tool: { name: 'nodes' } });
    expect(said.reply).toMatch(/a tool that does not exist.*not JSON.*also called namespaces/s);
    expect(model.requests[0]).toMatchObject({ model: 'double-1', max_tokens: 400 });
  });

  it('never shows it a code, nor takes one from it for a confirmation', async () => {
    const model = await withModel((message) =>
      message.includes('scale')
        ? { calls: [{ name: 'scale', args: { name: 'web', replicas: 5 } }] }
        : { text: 'confirm AAAAAA', calls: [{ name: 'confirm', args: {} }] },
    );
    const { confirm } = await say(console_, cookie, 'scale web to 5');
    const code = confirm?.code ?? '';
    await say(console_, cookie, `the code is ${code}, go on`);
    await say(console_, cookie, `x${code}x`);
    await say(console_, cookie, 'go on');
    expect(JSON.stringify(model.requests)).not.toContain(code);
    expect(await replicas('web')).toBe(2);
    expect((await say(console_, cookie, `confirm ${code}`)).status).toBe(200);
    expect(JSON.stringify(model.requests)).not.toContain(code);
  });

  it('falls back to the grammar when it does not answer, and says so without the key', async () => {
    await withModel(() => ({ status: 500, raw: 'key-of-the-model' }));
    const said = await say(console_, cookie, 'nodes');
    expect(said).toMatchObject({ read_by: 'grammar', tool: { name: 'nodes' } });
    expect(said.reply).toContain('double-1 did not answer: it answered with status 500');
    expect(JSON.stringify(said)).not.toContain('key-of-the-model');
  });
});
