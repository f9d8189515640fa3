import { once } from 'node:events';
import { connect } from 'node:http2';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveBackend, silentLog } from '../../../src-main/backends/serving/index.ts';
import { AuthService as CampaignAuth } from '../../../src-shared/gen/campaign/v1/auth_pb.js';
import { CampaignsService } from '../../../src-shared/gen/campaign/v1/campaigns_pb.js';
import { AuthService as CockpitAuth } from '../../../src-shared/gen/cockpit/v1/auth_pb.js';
import { ModelService } from '../../../src-shared/gen/cockpit/v1/model_pb.js';
import { ProfileService } from '../../../src-shared/gen/profile/v1/profile_pb.js';
import { StudioService } from '../../../src-shared/gen/studio/v1/studio_pb.js';
import { startTestCampaign } from '../../support/campaign.ts';
import { testCockpit } from '../../support/cockpit.ts';
import { type TextModeAnswer, textModeClient } from '../../support/text-mode-client.ts';
import { assertion, mira, newChat, testStudio } from './studio/harness.ts';

// BCK-001 and BCK-002: what clients of gRPC and gRPC-web expect beyond what Connect answers.

const opened: { close(): Promise<unknown> }[] = [];
afterAll(async () => {
  for (const each of opened) await each.close();
});
const open = async <T extends { close(): Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
  const started = await starting;
  opened.push(started);
  return started;
};

const failure = async (call: Promise<unknown>) => {
  const error = ConnectError.from(await call.catch((thrown: unknown) => thrown));
  return { code: error.code, text: error.rawMessage };
};

describe('application/grpc-web-text', () => {
  it('calls the campaign backend, with its errors', async () => {
    const { url } = await open(startTestCampaign());
    const answers: TextModeAnswer[] = [];
    const call = textModeClient(CampaignsService, url, { answers }).listCampaigns({});
    expect((await failure(call)).code).toBe(Code.Unauthenticated);
    expect(answers[0]?.contentType).toMatch(/^application\/grpc-web-text\b/);
    const signedOut = textModeClient(CampaignAuth, url).refresh({ refreshToken: 'none' });
    expect((await failure(signedOut)).code).toBe(Code.Unauthenticated);
  });

  it('calls the cockpit backend', async () => {
    const { url } = await open(testCockpit());
    expect(await failure(textModeClient(CockpitAuth, url).whoAmI({}))).toEqual({
      code: Code.Unauthenticated,
      text: 'invalid or expired session token',
    });
  });

  it('calls the studio, and streams its answer message by message', async () => {
    const { url } = await open(testStudio());
    const answers: TextModeAnswer[] = [];
    const headers = { 'x-console-identity': assertion(mira) };
    const studio = textModeClient(StudioService, url, { headers, answers });
    expect((await studio.listChats({})).chats).toEqual([]);
    const events: string[] = [];
    for await (const { event } of studio.chat({
      chatId: await newChat(studio),
      text: 'Build a page that lists our suppliers.',
    }))
      events.push(event.case ?? '');
    expect([events[0], events.at(-1), events.includes('text')]).toEqual(['accepted', 'done', true]);
    // As it is produced, not as one body at the end.
    expect(answers.at(-1)?.arrivals.length).toBeGreaterThan(2);
  });
});

describe('an unknown method is UNIMPLEMENTED', () => {
  const servers = {
    'the campaign backend': async () => (await open(startTestCampaign())).url,
    'the cockpit backend': async () => (await open(testCockpit())).url,
    'the studio': async () => (await open(testStudio())).url,
  };
  it.each(Object.entries(servers))('at %s', async (_, start) => {
    const baseUrl = await start();
    const grpc = createClient(ProfileService, createGrpcTransport({ baseUrl }));
    const expected = {
      code: Code.Unimplemented,
      text: expect.stringMatching(/has no method \/profile\.v1\.ProfileService\/GetProfile\.$/),
    };
    expect(await failure(grpc.getProfile({}))).toEqual(expected);
    expect(await failure(textModeClient(ProfileService, baseUrl).getProfile({}))).toEqual(expected);
    for (const type of ['application/grpc-web', 'application/grpc-web+proto', 'application/grpc-web-text']) {
      const answer = await fetch(`${baseUrl}/a.v1.None/Method`, {
        method: 'POST',
        headers: { 'content-type': type },
      });
      expect([answer.status, answer.headers.get('grpc-status')]).toEqual([200, '12']);
    }
    const connectJson = await fetch(`${baseUrl}/a.v1.None/Method`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(connectJson.status).toBe(404);
  });
});

describe('the text of an error over gRPC', () => {
  const text = 'Not read: chats, apps; see https://a.example/b?c=d&e=f, 100 % of "é✓". ';
  let url: string;
  beforeAll(async () => {
    const serving = serveBackend({
      listen: { host: '127.0.0.1', port: 0 },
      name: 'test backend',
      services: (router) =>
        router.service(ModelService, {
          generate: () => {
            throw new ConnectError(text, Code.FailedPrecondition);
          },
        }),
      plain: [],
      log: silentLog,
    });
    url = (await open(serving)).url;
  });

  it('is escaped as gRPC says and no further: grpc-js decodes it with decodeURI', async () => {
    const session = connect(url);
    const call = session.request({
      ':method': 'POST',
      ':path': '/cockpit.v1.ModelService/Generate',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.end(Buffer.alloc(5));
    call.resume();
    const [trailers] = await once(call, 'trailers');
    session.destroy();
    const message = String((trailers as Record<string, unknown>)['grpc-message']);
    expect(message).toBe(
      'Not read: chats, apps; see https://a.example/b?c=d&e=f, 100 %25 of "%C3%A9%E2%9C%93".%20',
    );
    expect(decodeURI(message)).toBe(text);
  });

  it('is whole in a client of Connect, over gRPC and gRPC-web', async () => {
    const grpc = createClient(ModelService, createGrpcTransport({ baseUrl: url }));
    const expected = { code: Code.FailedPrecondition, text };
    expect(await failure(grpc.generate({}))).toEqual(expected);
    expect(await failure(textModeClient(ModelService, url).generate({}))).toEqual(expected);
  });
});
