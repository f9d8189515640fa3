import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { close, listen } from '../listening.ts';
import type { WorkloadSeed } from './seed-schema.ts';

type Kind = Exclude<NonNullable<WorkloadSeed['backend']>, 'studio'>;
type Place = { readonly host: string; readonly port: number };

/** What listens behind the pods of the sandbox: health endpoints of the backends and metrics of inference engines. */
export type Backends = {
  readonly places: Readonly<Record<Kind, Place>>;
  close(): Promise<void>;
};

/** Starts them all on loopback. `now` in epoch ms; `start` is when the engines began to count. */
export async function startBackends(now: () => number, start: number): Promise<Backends> {
  const servers = new Map<Kind, Server>();
  const places = await Promise.all(
    kinds.map(async (kind) => {
      const server = createServer((request, response) => {
        const path = (request.url ?? '/').split('?')[0] ?? '/';
        answers[kind](path, response, (now() - start) / 1000);
      });
      await listen(server);
      servers.set(kind, server);
      const { port } = server.address() as AddressInfo;
      return [kind, { host: '127.0.0.1', port }] as const;
    }),
  );
  const placeOf = (kind: Kind): Place => {
    const found = places.find(([name]) => name === kind);
    if (found === undefined) throw new Error(`the sandbox has no backend ${kind}`);
    return found[1];
  };
  return {
    places: {
      ready: placeOf('ready'),
      not_ready: placeOf('not_ready'),
      campaign: placeOf('campaign'),
      vllm: placeOf('vllm'),
      llama: placeOf('llama'),
      tgi: placeOf('tgi'),
    },
    async close() {
      await Promise.all([...servers.values()].map(close));
    },
  };
}

const kinds = ['ready', 'not_ready', 'campaign', 'vllm', 'llama', 'tgi'] as const satisfies readonly Kind[];

const answers: Readonly<Record<Kind, (path: string, response: ServerResponse, seconds: number) => void>> = {
  ready: (path, response) => cockpit(path, response, true),
  // A runner that has lost its consensus, as spec/backends.md tells it.
  not_ready: (path, response) => cockpit(path, response, false),
  campaign: (path, response) => {
    if (path === '/health') json(response, 200, { status: 'ok', model_ready: true, port: 7100 });
    else if (path === '/auth/config') json(response, 200, { google_client_id: '', password_auth: true });
    else json(response, 404, { error: 'There is no such page.' });
  },
  vllm: (path, response, seconds) =>
    metrics(path, response, [
      ['vllm:prompt_tokens_total{model_name="northgate-large",tenant="willow"}', 184_000_000 + seconds * 310],
      ['vllm:prompt_tokens_total{model_name="northgate-large",tenant="rowan"}', 41_000_000 + seconds * 90],
      [
        'vllm:generation_tokens_total{model_name="northgate-large",tenant="willow"}',
        22_500_000 + seconds * 42,
      ],
      ['vllm:generation_tokens_total{model_name="northgate-large",tenant="rowan"}', 5_200_000 + seconds * 11],
    ]),
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

function cockpit(path: string, response: ServerResponse, ready: boolean): void {
  const answer = cockpitAnswer(path, ready);
  if (answer === undefined) json(response, 404, { error: 'There is no such page.' });
  else json(response, path === '/readyz' && !ready ? 503 : 200, answer);
}

function cockpitAnswer(path: string, ready: boolean): object | undefined {
  if (path === '/livez') return { status: 'alive' };
  if (path === '/auth/config') return { google_client_id: '', password_auth: true };
  if (path !== '/readyz') return undefined;
  return {
    status: ready ? 'ready' : 'not_ready',
    checks: [
      { name: 'mesh_identity', status: 'pass' },
      ready
        ? { name: 'raft_consensus', status: 'pass' }
        : { name: 'raft_consensus', status: 'fail', detail: 'no leader for 48 s' },
    ],
  };
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
