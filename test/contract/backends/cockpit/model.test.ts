import { Code } from '@connectrpc/connect';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EstateService } from '../../../../src-shared/gen/cockpit/v1/estate_pb.js';
import { Grounding, ModelService } from '../../../../src-shared/gen/cockpit/v1/model_pb.js';
import {
  cockpitClient,
  cockpitEnv,
  type Env,
  failureOf,
  jsonServer,
  signedInOnce,
  type TestCockpit,
  testCockpit,
} from '../../../support/cockpit.ts';

// BCK-076 and BCK-079 to BCK-082: the model plane and grounding.

let session: Awaited<ReturnType<typeof signedInOnce>>;
beforeAll(async () => {
  session = await signedInOnce();
});
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const started = async (env: Env, warmupMs = 0): Promise<{ cockpit: TestCockpit; token: string }> => {
  const cockpit = await testCockpit(cockpitEnv({ ...session.env, ...env }), { warmupMs });
  open.push(cockpit);
  return { cockpit, token: session.token };
};
const model = ({ cockpit, token }: Awaited<ReturnType<typeof started>>) =>
  cockpitClient(ModelService, cockpit.url, token);

const endpoint = async (answer: Parameters<typeof jsonServer>[0]) => {
  const server = await jsonServer(answer);
  open.push(server);
  return server;
};
const completion = (content: string) => ({ model: 'qwen3-32b', choices: [{ message: { content } }] });

describe('ModelService/Generate (BCK-076)', () => {
  it('answers what the endpoint at INFERENCE_REMOTE_URL answers', async () => {
    const { url, requests } = await endpoint(() => completion('Hello.'));
    const at = await started({
      INFERENCE_REMOTE_URL: `${url}/v1/`,
      INFERENCE_API_KEY: 'key-1',
      INFERENCE_MODEL: 'qwen3',
    });
    expect(await model(at).generate({ prompt: 'Say hello.' })).toMatchObject({
      text: 'Hello.',
      model: 'qwen3-32b',
    });
    expect(requests).toEqual([
      {
        path: '/v1/chat/completions',
        authorization: 'Bearer key-1',
        body: JSON.stringify({ model: 'qwen3', messages: [{ role: 'user', content: 'Say hello.' }] }),
      },
    ]);
  });

  it('is FAILED_PRECONDITION naming INFERENCE_REMOTE_URL when one call path has no endpoint', async () => {
    const { url } = await endpoint(() => completion('Hello.'));
    const at = await started({ INFERENCE_REMOTE_URL: `default=${url},summaries=` });
    expect((await model(at).generate({ prompt: 'Hi' })).text).toBe('Hello.');
    const failure = await failureOf(model(at).generate({ prompt: 'Hi', path: 'summaries' }));
    expect(failure).toEqual({
      code: Code.FailedPrecondition,
      message:
        'The call path "summaries" has no inference endpoint: add it to INFERENCE_REMOTE_URL and restart.',
    });
  });

  it.each([
    ['another status', 500, '{}', 'it answered with status 500'],
    ['no JSON', 200, 'hello', 'its answer is no JSON'],
    ['no completion', 200, '{"choices":[]}', 'its answer is no chat completion'],
    ['a redirect', 302, '', 'it could not be reached'],
    ['an endless answer', 200, `"${'x'.repeat(9_000_000)}"`, 'its answer is longer than'],
  ])('is UNAVAILABLE in words for %s', async (_, status, body, why) => {
    const { url } = await endpoint((_request, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end(body);
    });
    const failure = await failureOf(
      model(await started({ INFERENCE_REMOTE_URL: url, INFERENCE_API_KEY: 'key-1' })).generate({
        prompt: 'Hi',
      }),
    );
    expect(failure.code).toBe(Code.Unavailable);
    expect(failure.message).toContain('INFERENCE_REMOTE_URL');
    expect(failure.message).toContain(why);
    expect(failure.message).not.toContain('key-1');
  });

  it.each([
    ['an empty prompt', { prompt: ' ' }],
    ['a prompt too long', { prompt: 'x'.repeat(32_001) }],
    ['a path that is none', { prompt: 'Hi', path: '../admin' }],
  ])('refuses %s', async (_, request) => {
    const at = await started({});
    expect((await failureOf(model(at).generate(request))).code).toBe(Code.InvalidArgument);
  });

  it('needs a session', async () => {
    const { cockpit } = await started({});
    const failure = await failureOf(cockpitClient(ModelService, cockpit.url).generate({ prompt: 'Hi' }));
    expect(failure).toEqual({ code: Code.Unauthenticated, message: 'invalid or expired session token' });
  });
});

/** An embedding endpoint whose vectors have `width` numbers: which ones says which of the words are in the text. */
const embeddings = (width: number, at: (text: string) => number = () => 0) =>
  endpoint(({ body }) => {
    const { input } = JSON.parse(body) as { input: string[] };
    return {
      data: input.map((text, index) => ({
        index,
        embedding: Array.from({ length: width }, (_, position) => (position === at(text) ? 2 : 0)),
      })),
    };
  });

const grounding = async (env: Env) => {
  const at = await started(env);
  const answer = await vi.waitFor(
    async () => {
      const state = await model(at).getGrounding({});
      expect(state.grounding).not.toBe(Grounding.PENDING);
      return state;
    },
    { timeout: 10_000 },
  );
  const warning = at.cockpit.log.find(
    ({ level, message }) => level === 'warn' && message.startsWith('grounding'),
  );
  return { ...answer, warning: warning?.message };
};

describe('the warm-up check of the embedding width', () => {
  it.each([
    ['raw', 1024, 768, 'format raw cannot cut them'],
    ['raw', 512, 768, 'format raw cannot cut them'],
    // A vector is cut, never made longer.
    ['qwen3-embedding', 512, 768, 'format qwen3-embedding cannot cut them'],
    ['nomic-v1.5', 768, 1024, 'format nomic-v1.5 cannot cut them'],
  ])(
    'warns that grounding is inactive when %s has vectors of %i and the index %i (BCK-079)',
    async (format, returned, width, why) => {
      const { url } = await embeddings(returned);
      const state = await grounding({
        EMBEDDING_URL: url,
        EMBEDDING_FORMAT: format,
        MODEL_EMBEDDING_DIM: String(width),
      });
      expect(state).toMatchObject({
        grounding: Grounding.INACTIVE,
        returnedWidth: returned,
        indexWidth: width,
        detail: state.warning,
      });
      expect(state.warning).toMatch(/^grounding is inactive: .* Search falls back to text\.$/);
      expect(state.warning).toContain(`width ${returned}, the index width is ${width} (MODEL_EMBEDDING_DIM)`);
      expect(state.warning).toContain(why);
    },
  );

  it.each([
    ['raw', 768, 768],
    ['raw', 1024, 1024],
    ['qwen3-embedding', 1024, 768],
    ['nomic-v1.5', 768, 256],
  ])('is active when %s has vectors of %i for an index of %i (BCK-080)', async (format, returned, width) => {
    const { url } = await embeddings(returned);
    const state = await grounding({
      EMBEDDING_URL: url,
      EMBEDDING_FORMAT: format,
      MODEL_EMBEDDING_DIM: String(width),
    });
    expect(state).toMatchObject({
      grounding: Grounding.ACTIVE,
      returnedWidth: returned,
      indexWidth: width,
      detail: '',
    });
    expect(state.warning).toBeUndefined();
  });

  it.each([
    ['all-zero', Array.from({ length: 768 }, () => 0)],
    ['empty', []],
  ])(
    'says that EMBEDDING_URL points at a chat model for an %s vector (BCK-081)',
    async (words, embedding) => {
      const { url } = await endpoint(() => ({ data: [{ index: 0, embedding }] }));
      const { warning } = await grounding({ EMBEDDING_URL: url });
      expect(warning).toBe(
        `grounding is inactive: the embedding endpoint returned an ${words} vector, so EMBEDDING_URL points at a chat model. Search falls back to text.`,
      );
    },
  );

  it.each([
    ['is unreachable', undefined],
    ['answers 503', 503],
  ])('says that it did not answer after warmup when the endpoint %s (BCK-082)', async (_, status) => {
    const url =
      status === undefined
        ? 'http://127.0.0.1:9'
        : (
            await endpoint((_request, response) => {
              response.writeHead(status).end();
            })
          ).url;
    const { warning, returnedWidth } = await grounding({ EMBEDDING_URL: url });
    expect(warning).toContain('did not answer after warmup, so the embedding tier is down or unreachable');
    expect(returnedWidth).toBe(0);
  });

  it('is made about 15 seconds after boot, and not before (BCK-079)', async () => {
    const { url, requests } = await embeddings(1024);
    const env = { ...session.env, EMBEDDING_URL: url, EMBEDDING_FORMAT: 'raw' };
    // Only the clock of timers is moved: the network goes on as it is.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const cockpit = await testCockpit(cockpitEnv(env));
      open.push(cockpit);
      await vi.advanceTimersByTimeAsync(14_000);
      expect(requests).toEqual([]);
      await vi.advanceTimersByTimeAsync(2000);
      vi.useRealTimers();
      await vi.waitFor(() =>
        expect(cockpit.messages()).toContainEqual(expect.stringMatching(/^grounding is inactive/)),
      );
      expect(requests).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is pending until the warm-up, and without EMBEDDING_URL inactive without a warning', async () => {
    const { url } = await embeddings(768);
    const at = await started({ EMBEDDING_URL: url }, 60_000);
    expect((await model(at).getGrounding({})).grounding).toBe(Grounding.PENDING);
    const without = await grounding({});
    expect(without).toMatchObject({ grounding: Grounding.INACTIVE, warning: undefined });
    expect(without.detail).toContain('EMBEDDING_URL is not set');
  });
});

describe('search falls back to text (BCK-079)', () => {
  const source = () =>
    endpoint(() => ({
      domains: [
        { name: 'billing', owner: 'team money' },
        { name: 'harbour', owner: 'team sea', depends_on: ['billing'] },
      ],
    }));
  const searched = async (env: Env, query: string, expected: Grounding) => {
    const runner = await testCockpit(cockpitEnv(session.env), { role: 'runner' });
    open.push(runner);
    const at = await started({ ...env, MANAGED_RUNNER_ENDPOINT: runner.url });
    const estate = cockpitClient(EstateService, at.cockpit.url, at.token);
    await estate.connectSource({ name: 'map', url: (await source()).url });
    await estate.fetch({ source: 'map' });
    await vi.waitFor(async () => expect((await model(at).getGrounding({})).grounding).toBe(expected), 10_000);
    const { domains, byMeaning } = await estate.search({ query });
    return { names: domains.map(({ name }) => name), byMeaning };
  };
  // A ship is near a harbour in meaning and in none of its letters.
  const meaning = (text: string) => (/harbour|ship/.test(text) ? 100 : 200);

  it('finds by meaning while grounding is active, over vectors that were cut', async () => {
    const { url } = await embeddings(1024, meaning);
    const env = { EMBEDDING_URL: url, EMBEDDING_FORMAT: 'qwen3-embedding', MODEL_EMBEDDING_DIM: '768' };
    expect(await searched(env, 'ship', Grounding.ACTIVE)).toEqual({
      names: ['harbour', 'billing'],
      byMeaning: true,
    });
  });

  it('finds by text while it is inactive', async () => {
    const { url } = await embeddings(1024, meaning);
    const env = { EMBEDDING_URL: url, EMBEDDING_FORMAT: 'raw' };
    expect(await searched(env, 'ship', Grounding.INACTIVE)).toEqual({ names: [], byMeaning: false });
    expect(await searched(env, 'BILL', Grounding.INACTIVE)).toEqual({
      names: ['billing', 'harbour'],
      byMeaning: false,
    });
    expect(await searched(env, '%', Grounding.INACTIVE)).toEqual({ names: [], byMeaning: false });
  });
});
