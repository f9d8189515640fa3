import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Role, type SendMessageRequest, TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import { afterEach, expect, it, vi } from 'vitest';
import { a2aRoutes } from '../../../../src-main/backends/campaign/a2a/index.ts';
import type { CampaignParts } from '../../../../src-main/backends/campaign/parts.ts';
import { serveBackend, silentLog } from '../../../../src-main/backends/serving/index.ts';
import { campaignParts } from '../../../support/campaign-parts.ts';

// A2A 1.0, 3.1.2: a task outlives the connection it was asked over. What BCK-028 leaves open is what the users of the protocol
// expect: it goes on to its end, and is fetched by its id; one that hangs fails.

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** An agent whose store answers once `go` is called, and the connections that were left. */
async function slowAgent(answerMs?: number) {
  const { parts, close } = await campaignParts();
  closers.push(close);
  let go = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { campaigns } = parts.store;
  const list: CampaignParts['store']['campaigns']['list'] = async (...asked) => {
    await gate;
    return campaigns.list(...asked);
  };
  const store = { ...parts.store, campaigns: { ...campaigns, list } };
  let left: Promise<unknown> | undefined;
  const serving = await serveBackend({
    listen: { host: '127.0.0.1', port: 0 },
    name: 'campaign agent',
    services: () => undefined,
    plain: a2aRoutes({ ...parts, store, answerMs }).map((route) => ({
      ...route,
      answer(request, response, rest) {
        left ??= route.path === '/a2a' ? once(response, 'close') : undefined;
        return route.answer(request, response, rest);
      },
    })),
    log: silentLog,
  });
  closers.push(serving.close);
  return { url: serving.url, go, left: () => left };
}

function client(url: string, signal?: AbortSignal): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) =>
    fetch(input, { ...init, ...(signal === undefined ? {} : { signal }) });
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
  });
  return new ClientFactory(options).createFromUrl(url);
}

const question: SendMessageRequest = {
  tenant: '',
  message: {
    messageId: randomUUID(),
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [
      {
        content: { $case: 'text', value: 'Which campaigns do I have?' },
        metadata: undefined,
        filename: '',
        mediaType: 'text/plain',
      },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
};

/** Asks over a stream and leaves as soon as the task is working; answers its id when the agent knows that the caller is gone. */
async function askAndLeave({ url, left }: Awaited<ReturnType<typeof slowAgent>>): Promise<string> {
  const leaving = new AbortController();
  const asking = await client(url, leaving.signal);
  let id = '';
  const ask = async (): Promise<void> => {
    for await (const { payload } of asking.sendMessageStream(question)) {
      if (payload?.$case === 'task') id = payload.value.id;
      if (payload?.$case === 'statusUpdate') leaving.abort();
    }
  };
  await expect(ask()).rejects.toThrow();
  await left();
  return id;
}

const stateOf = async (url: string, id: string) => {
  const { status, artifacts } = await (await client(url)).getTask({ tenant: '', id });
  return { state: status?.state, answer: JSON.stringify(artifacts), why: JSON.stringify(status?.message) };
};

it('goes on to the end of a task whose caller left in the middle of the stream, and gives it to who asks', async () => {
  const agent = await slowAgent();
  const id = await askAndLeave(agent);
  expect((await stateOf(agent.url, id)).state).toBe(TaskState.TASK_STATE_WORKING);
  agent.go();
  await vi.waitFor(async () =>
    expect(await stateOf(agent.url, id)).toMatchObject({
      state: TaskState.TASK_STATE_COMPLETED,
      answer: expect.stringMatching(/You have 1 campaign\..*\\"One\\" is a draft\./),
    }),
  );
});

it('fails a task whose answer hangs, also when nobody waits for it any more', async () => {
  const agent = await slowAgent(300);
  const id = await askAndLeave(agent);
  await vi.waitFor(async () =>
    expect(await stateOf(agent.url, id)).toMatchObject({
      state: TaskState.TASK_STATE_FAILED,
      why: expect.stringContaining('had no answer within 0.3 s. Try again.'),
    }),
  );
  // What comes after that changes nothing.
  agent.go();
  expect((await stateOf(agent.url, id)).state).toBe(TaskState.TASK_STATE_FAILED);
});

it('cancels a task while its answer hangs', async () => {
  const agent = await slowAgent();
  const id = await askAndLeave(agent);
  const canceled = await (await client(agent.url)).cancelTask({ tenant: '', id, metadata: undefined });
  expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  agent.go();
  expect((await stateOf(agent.url, id)).state).toBe(TaskState.TASK_STATE_CANCELED);
});
