import { randomUUID } from 'node:crypto';
import {
  type Message,
  Role,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CampaignState } from '../../../../src-shared/gen/campaign/v1/campaigns_pb.js';
import { campaignClients, startTestCampaign, type TestCampaign } from '../../../support/campaign.ts';
import { rpcBodies } from '../../../support/campaign-noise.ts';
import { requestCountText, sweepRequests } from '../../../support/sweeps.ts';

// BCK-027, BCK-028 and BCK-042, checked with the client of @a2a-js/sdk.

let campaign: TestCampaign;
let token: string;
let otherToken: string;
let springId: string;
const dispatcher = new Agent({ connections: 16 });

beforeAll(async () => {
  campaign = await startTestCampaign();
  token = (await campaign.signIn('mira@example.com')).accessToken;
  otherToken = (await campaign.signIn('omar@example.com')).accessToken;
  const mira = campaignClients(campaign.url, token);
  const made = await mira.campaigns.createCampaign({ name: 'Spring sale', goal: 'Sell 100 chairs.' });
  springId = made.campaign?.id ?? '';
  await mira.campaigns.setCampaignState({ id: springId, state: CampaignState.RUNNING });
  await mira.leads.createLead({ campaignId: springId, name: 'Lea', email: 'lea@example.com' });
  await mira.campaigns.createCampaign({ name: 'Spring sale for friends', goal: '' });
});
afterAll(async () => {
  await dispatcher.close();
  await campaign.close();
});

/** The SDK's own client, from the agent card, with a session in the bearer header. */
function client(bearer = token): Promise<Client> {
  const withSession: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${bearer}`);
    return fetch(input, { ...init, headers });
  };
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl: withSession })],
  });
  return new ClientFactory(options).createFromUrl(campaign.url);
}

function asking(text: string, more: Partial<Message> = {}): SendMessageRequest {
  return {
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [
        {
          content: { $case: 'text', value: text },
          metadata: undefined,
          filename: '',
          mediaType: 'text/plain',
        },
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...more,
    },
    configuration: undefined,
    metadata: undefined,
  };
}

function taskOf(result: Message | Task): Task {
  if (!('artifacts' in result)) throw new Error('the answer is no task');
  return result;
}
const answerOf = (task: Task): string =>
  task.artifacts
    .flatMap(({ parts }) => parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')))
    .join('\n');

describe('the agent card (BCK-027)', () => {
  it('is open, and names the address, the protocol, and the bearer header', async () => {
    const answer = await fetch(`${campaign.url}/.well-known/agent-card.json`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      name: 'Campaign agent',
      supportedInterfaces: [
        { url: `${campaign.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
      capabilities: { streaming: true, pushNotifications: false },
      securitySchemes: { session: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    });
  });

  it('names the address of CAMPAIGN_PUBLIC_BASE_URL when it is set', async () => {
    const known = await startTestCampaign({ CAMPAIGN_PUBLIC_BASE_URL: 'https://campaign.example' });
    const card = await (await fetch(`${known.url}/.well-known/agent-card.json`)).json();
    expect(card).toMatchObject({ supportedInterfaces: [{ url: 'https://campaign.example/a2a' }] });
    await known.close();
  });
});

describe("the agent, asked by the SDK's own client", () => {
  it("answers which campaigns the caller has, and nobody else's", async () => {
    const task = taskOf(await (await client()).sendMessage(asking('Which campaigns do I have?')));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(answerOf(task)).toBe(
      ['You have 2 campaigns.', '"Spring sale for friends" is a draft.', '"Spring sale" is running.'].join(
        '\n',
      ),
    );
    const other = taskOf(
      await (await client(otherToken)).sendMessage(asking(`How is "Spring sale" (${springId})?`)),
    );
    expect(answerOf(other)).toBe('You have no campaigns yet.');
  });

  it.each([
    [
      'How many leads does Spring sale have?',
      '"Spring sale" is running. It has 1 lead and 0 pieces of content. Its goal: Sell 100 chairs.',
    ],
    [
      'what about SPRING SALE FOR FRIENDS?',
      '"Spring sale for friends" is a draft. It has 0 leads and 0 pieces of content. It has no stated goal.',
    ],
  ])('answers "%s" from the store', async (question, words) => {
    expect(answerOf(taskOf(await (await client()).sendMessage(asking(question))))).toBe(words);
  });

  it('says what it can tell when it is asked something else', async () => {
    const task = taskOf(await (await client()).sendMessage(asking('What is the weather?')));
    expect(answerOf(task)).toMatch(/^I tell which campaigns you have/);
  });

  it('streams an answer: the task, what it works on, the parts as they come, and its end', async () => {
    const events: StreamResponse[] = [];
    for await (const event of (await client()).sendMessageStream(asking('List all campaigns')))
      events.push(event);
    expect(events.map(({ payload }) => payload?.$case)).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    const last = events.at(-1)?.payload;
    expect(last?.$case === 'statusUpdate' && last.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('gives a task to who asked, and to nobody else', async () => {
    const mira = await client();
    const { id } = taskOf(await mira.sendMessage(asking('my campaigns')));
    const task = await mira.getTask({ tenant: '', id });
    expect([task.id, task.status?.state]).toEqual([id, TaskState.TASK_STATE_COMPLETED]);
    expect(answerOf(task)).toContain('You have 2 campaigns.');
    const omar = await client(otherToken);
    await expect(omar.getTask({ tenant: '', id })).rejects.toThrow(/not found/i);
    await expect(omar.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toThrow(/not found/i);
    const { tasks } = await omar.listTasks({
      tenant: '',
      contextId: '',
      status: 0,
      pageToken: '',
      statusTimestampAfter: undefined,
    });
    expect(tasks.map((each) => each.id)).not.toContain(id);
  });

  it('asks back when it does not know which campaign is meant, and goes on with the answer', async () => {
    const mira = await client();
    const asked = taskOf(await mira.sendMessage(asking('How many leads are there?')));
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(JSON.stringify(asked.status?.message)).toContain('Which campaign do you mean?');
    const done = taskOf(
      await mira.sendMessage(asking('Spring sale', { taskId: asked.id, contextId: asked.contextId })),
    );
    expect([done.id, done.status?.state]).toEqual([asked.id, TaskState.TASK_STATE_COMPLETED]);
    expect(answerOf(done)).toContain('It has 1 lead');
    await expect(mira.sendMessage(asking('more', { taskId: asked.id }))).rejects.toThrow(/terminal state/);
  });

  it('cancels a task that waits, once and for all, and not one that is done', async () => {
    const mira = await client();
    const asked = taskOf(await mira.sendMessage(asking('the state?')));
    const canceled = await mira.cancelTask({ tenant: '', id: asked.id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await mira.getTask({ tenant: '', id: asked.id })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    await expect(mira.sendMessage(asking('Spring sale', { taskId: asked.id }))).rejects.toThrow(
      /terminal state/,
    );
    const done = taskOf(await mira.sendMessage(asking('my campaigns')));
    await expect(mira.cancelTask({ tenant: '', id: done.id, metadata: undefined })).rejects.toThrow(
      /not cancelable/i,
    );
  });

  it('keeps the newest 100 tasks of a person and pages through them', async () => {
    const { accessToken } = await campaign.signIn('lena@example.com');
    const lena = await client(accessToken);
    const ids: string[] = [];
    for (let number = 0; number < 103; number += 1)
      ids.push(taskOf(await lena.sendMessage(asking('campaigns'))).id);
    const listed: string[] = [];
    let pageToken = '';
    do {
      const page = await lena.listTasks({
        tenant: '',
        contextId: '',
        status: 0,
        pageSize: 40,
        pageToken,
        statusTimestampAfter: undefined,
      });
      expect(page.totalSize).toBe(100);
      listed.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(listed).toEqual(ids.slice(3).reverse());
    await expect(lena.getTask({ tenant: '', id: ids[0] ?? '' })).rejects.toThrow(/not found/i);
  });
});

const rpc = (
  body: unknown,
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
  path = '/a2a',
) =>
  fetch(`${campaign.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('/a2a accepts the session only in the bearer header (BCK-028, BCK-042)', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} };
  it.each([
    ['nothing', {}, ''],
    ['a cookie', { cookie: 'campaign_session=TOKEN' }, ''],
    ['a token in the address', {}, '?access_token=TOKEN&token=TOKEN&authorization=Bearer%20TOKEN'],
    ['another scheme', { authorization: 'Basic TOKEN' }, ''],
    ['a false token', { authorization: 'Bearer TOKENx' }, ''],
  ])('refuses %s with 401', async (_, headers, query) => {
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token)]),
    );
    const answer = await rpc(list, filled, `/a2a${query.replaceAll('TOKEN', token)}`);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('answers with the bearer header, and refuses it after sign-out', async () => {
    const { accessToken } = await campaign.signIn('kim@example.com');
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await rpc(list, headers)).status).toBe(200);
    await campaignClients(campaign.url, accessToken).auth.signOut({});
    expect((await rpc(list, headers)).status).toBe(401);
  });

  it('takes POST only', async () => {
    expect((await fetch(`${campaign.url}/a2a`)).status).toBe(405);
  });

  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'campaigns' }] };
  it.each<[string, unknown, number]>([
    ['no JSON', '{', -32700],
    ['a batch', [list], -32600],
    ['null', 'null', -32600],
    ['no version', { id: 1, method: 'ListTasks' }, -32600],
    ['a list of parameters', { ...list, params: [] }, -32600],
    ['an unknown method', { ...list, method: 'Guess' }, -32601],
    ['a tenant', { ...list, params: { tenant: 'x' } }, -32602],
    ['a page that is none', { ...list, params: { pageToken: 'x' } }, -32602],
    ['no message', { ...list, method: 'SendMessage', params: {} }, -32602],
    [
      'a message without an id',
      { ...list, method: 'SendMessage', params: { message: { ...message, messageId: '' } } },
      -32602,
    ],
    [
      'a message of an agent',
      { ...list, method: 'SendMessage', params: { message: { ...message, role: 'ROLE_AGENT' } } },
      -32602,
    ],
    [
      'a part that is no text',
      {
        ...list,
        method: 'SendMessage',
        params: { message: { ...message, parts: [{ url: 'file:///etc/passwd' }] } },
      },
      -32602,
    ],
    [
      'a long text',
      {
        ...list,
        method: 'SendMessage',
        params: { message: { ...message, parts: [{ text: 'x'.repeat(4001) }] } },
      },
      -32602,
    ],
    ['a nested id', { ...list, method: 'GetTask', params: { id: [['x']] } }, -32602],
    ['an unknown task', { ...list, method: 'GetTask', params: { id: 'none' } }, -32001],
    [
      'a webhook',
      {
        ...list,
        method: 'CreateTaskPushNotificationConfig',
        params: { taskId: 'x', url: 'http://127.0.0.1' },
      },
      -32003,
    ],
    [
      'a webhook with its credentials',
      {
        ...list,
        method: 'CreateTaskPushNotificationConfig',
        params: {
          taskId: 'x',
          url: 'http://127.0.0.1',
          authentication: { scheme: 'Bearer', credentials: 'x' },
        },
      },
      -32003,
    ],
    [
      'a list of webhooks',
      { ...list, method: 'ListTaskPushNotificationConfigs', params: { taskId: ['x'] } },
      -32003,
    ],
    [
      'a message that brings a webhook',
      {
        ...list,
        method: 'SendMessage',
        params: { message, configuration: { taskPushNotificationConfig: { url: 'http://127.0.0.1' } } },
      },
      -32003,
    ],
  ])('answers %s with an error of JSON-RPC', async (_, body, code) => {
    const answer = await rpc(body);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({
        jsonrpc: '2.0',
        error: expect.objectContaining({ code, message: expect.any(String) }),
      }),
    ]);
  });

  it('refuses another version of the protocol, another content type, and 70 KB', async () => {
    const authorization = `Bearer ${token}`;
    for (const version of ['0.3', ''])
      expect(await (await rpc(list, { authorization, 'a2a-version': version })).json()).toMatchObject({
        error: { code: -32009 },
      });
    expect(await (await rpc(list, { authorization, 'content-type': 'text/plain' })).json()).toMatchObject({
      error: { code: -32005 },
    });
    expect((await rpc({ ...list, params: { contextId: 'x'.repeat(70_000) } })).status).toBe(413);
  });

  it(`answers ${requestCountText} bodies of any form with status 200 or 413`, async () => {
    await sweepRequests(rpcBodies, async (body) => {
      const answer = await request(`${campaign.url}/a2a`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'a2a-version': '1.0',
          authorization: `Bearer ${token}`,
        },
        body,
        dispatcher,
      });
      await answer.body.dump();
      expect([200, 413]).toContain(answer.statusCode);
    });
  });
});
