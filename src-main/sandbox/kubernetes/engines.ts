import { createHash } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerWith, httpServer } from '../../base/http-server.ts';
import { BodyTooLarge, readJsonBody } from '../../base/read-body.ts';
import { close, type Endpoint, endpointOf, listen } from '../listening.ts';

const kinds = ['vllm', 'llama', 'tgi'] as const;
export type EngineKind = (typeof kinds)[number];

/** The servers behind the sandbox's inference engines: their metrics. */
export type Engines = {
  readonly endpoints: Readonly<Record<EngineKind, Endpoint>>;
  close(): Promise<void>;
};

/** Starts them all on loopback. `now` in epoch ms; `start` is when the engines began to count. */
export async function startEngines(now: () => number, start: number): Promise<Engines> {
  const server = (kind: EngineKind): Server => {
    const created = httpServer();
    answerWith(created, {
      request(request, response) {
        const path = (request.url ?? '/').split('?')[0] ?? '/';
        return answers[kind](path, { request, response }, (now() - start) / 1000);
      },
    });
    return created;
  };
  const servers = { vllm: server('vllm'), llama: server('llama'), tgi: server('tgi') };
  await Promise.all(kinds.map((kind) => listen(servers[kind])));
  return {
    endpoints: {
      vllm: endpointOf(servers.vllm),
      llama: endpointOf(servers.llama),
      tgi: endpointOf(servers.tgi),
    },
    async close() {
      await Promise.all(kinds.map((kind) => close(servers[kind])));
    },
  };
}

/** As vLLM lists it (OpenAI API, models). */
const servedModel = { id: 'northgate-large', object: 'model', owned_by: 'vllm', root: 'Qwen/Qwen3-32B-AWQ' };

type Call = { readonly request: IncomingMessage; readonly response: ServerResponse };

const answers: Readonly<
  Record<EngineKind, (path: string, call: Call, seconds: number) => void | Promise<void>>
> = {
  vllm: (path, { request, response }, seconds) => {
    // What says to a backend whose INFERENCE_REMOTE_URL this is that a model is ready.
    if (path === '/v1/models') json(response, 200, { object: 'list', data: [servedModel] });
    else if (path === '/v1/embeddings') return embeddings(request, response);
    else
      metrics(path, response, [
        [
          'vllm:prompt_tokens_total{model_name="northgate-large",tenant="willow"}',
          184_000_000 + seconds * 310,
        ],
        ['vllm:prompt_tokens_total{model_name="northgate-large",tenant="rowan"}', 41_000_000 + seconds * 90],
        [
          'vllm:generation_tokens_total{model_name="northgate-large",tenant="willow"}',
          22_500_000 + seconds * 42,
        ],
        [
          'vllm:generation_tokens_total{model_name="northgate-large",tenant="rowan"}',
          5_200_000 + seconds * 11,
        ],
      ]);
  },
  llama: (path, { response }, seconds) =>
    metrics(path, response, [
      ['llamacpp:prompt_tokens_total', 9_400_000 + seconds * 25],
      ['llamacpp:tokens_predicted_total', 1_100_000 + seconds * 4],
    ]),
  tgi: (path, { response }, seconds) =>
    metrics(path, response, [
      ['tgi_request_input_length_sum', 31_200_000 + seconds * 120],
      ['tgi_request_generated_tokens_sum', 4_700_000 + seconds * 19],
    ]),
};

/** Numbers of a vector, as the cockpit's index has them by default. */
const vectorWidth = 768;
const embeddingRequest = z.object({ input: z.array(z.string()) });

/** Bytes of the texts of one request. */
const largestBody = 4 * 1024 * 1024;

/** Vectors that are the same for the same text and near to no other: search works, and finds nothing by meaning. */
async function embeddings(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readJsonBody(request, largestBody).catch((error: unknown) => error);
  if (body instanceof BodyTooLarge) return json(response, 413, { error: body.message });
  const options = embeddingRequest.safeParse(body);
  if (!options.success)
    return json(response, 400, { error: 'The body must hold a list of texts as its input.' });
  json(response, 200, {
    object: 'list',
    data: options.data.input.map((text, index) => {
      const bytes = createHash('shake256', { outputLength: vectorWidth }).update(text).digest();
      return { object: 'embedding', index, embedding: [...bytes].map((byte) => byte / 127.5 - 1) };
    }),
  });
}

function metrics(
  path: string,
  response: ServerResponse,
  samples: readonly (readonly [string, number])[],
): void {
  if (path !== '/metrics') {
    json(response, 404, { error: 'not found' });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
  response.end(samples.map(([name, value]) => `${name} ${Math.round(value)}\n`).join(''));
}

function json(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
