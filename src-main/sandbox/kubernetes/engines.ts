import { createServer, type Server, type ServerResponse } from 'node:http';
import { close, listen, type Place, placeOf } from '../listening.ts';

const kinds = ['vllm', 'llama', 'tgi'] as const;
export type EngineKind = (typeof kinds)[number];

/** What listens behind the inference engines of the sandbox: their metrics. */
export type Engines = {
  readonly places: Readonly<Record<EngineKind, Place>>;
  close(): Promise<void>;
};

/** Starts them all on loopback. `now` in epoch ms; `start` is when the engines began to count. */
export async function startEngines(now: () => number, start: number): Promise<Engines> {
  const server = (kind: EngineKind): Server =>
    createServer((request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      answers[kind](path, response, (now() - start) / 1000);
    });
  const servers = { vllm: server('vllm'), llama: server('llama'), tgi: server('tgi') };
  await Promise.all(kinds.map((kind) => listen(servers[kind])));
  return {
    places: { vllm: placeOf(servers.vllm), llama: placeOf(servers.llama), tgi: placeOf(servers.tgi) },
    async close() {
      await Promise.all(kinds.map((kind) => close(servers[kind])));
    },
  };
}

/** As vLLM lists it (OpenAI API, models). */
const servedModel = { id: 'northgate-large', object: 'model', owned_by: 'vllm', root: 'Qwen/Qwen3-32B-AWQ' };

const answers: Readonly<
  Record<EngineKind, (path: string, response: ServerResponse, seconds: number) => void>
> = {
  vllm: (path, response, seconds) => {
    // What says to a backend whose INFERENCE_REMOTE_URL this is that a model is ready.
    if (path === '/v1/models') json(response, 200, { object: 'list', data: [servedModel] });
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
  llama: (path, response, seconds) =>
    metrics(path, response, [
      ['llamacpp:prompt_tokens_total', 9_400_000 + seconds * 25],
      ['llamacpp:tokens_predicted_total', 1_100_000 + seconds * 4],
    ]),
  tgi: (path, response, seconds) =>
    metrics(path, response, [
      ['tgi_request_input_length_sum', 31_200_000 + seconds * 120],
      ['tgi_request_generated_tokens_sum', 4_700_000 + seconds * 19],
    ]),
};

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
