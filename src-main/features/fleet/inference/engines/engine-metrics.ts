import type { Engine } from './engine-settings.ts';

/** Tokens since an engine started, in total and by tenant where its metrics distinguish tenants. */
export type TokenUse = {
  readonly prompt: number;
  readonly generated: number;
  /** Prompt and generated together; empty when no sample names a tenant. */
  readonly byTenant: ReadonlyMap<string, number>;
};

type Counters = { readonly prompt: string; readonly generated: string };

/** Counters of each engine's Prometheus metrics; Ollama has none. TGI counts in histograms, whose sums are the tokens. */
const counters: Readonly<Record<Exclude<Engine, 'ollama'>, Counters>> = {
  vllm: { prompt: 'vllm:prompt_tokens_total', generated: 'vllm:generation_tokens_total' },
  'llama.cpp': { prompt: 'llamacpp:prompt_tokens_total', generated: 'llamacpp:tokens_predicted_total' },
  tgi: { prompt: 'tgi_request_input_length_sum', generated: 'tgi_request_generated_tokens_sum' },
};

/** Engines that count tokens. */
export function countsTokens(engine: Engine | undefined): engine is Exclude<Engine, 'ollama'> {
  return engine !== undefined && engine !== 'ollama';
}

/** A sample of the Prometheus text format: name, labels, value. */
const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const tenantLabel = /(?:^|,)\s*tenant="((?:[^"\\]|\\.)*)"/;

/** Token use in an engine's metrics; undefined when they do not hold its counters. */
export function tokenUse(text: string, engine: Exclude<Engine, 'ollama'>): TokenUse | undefined {
  const { prompt, generated } = counters[engine];
  const sums = new Map<string, number>();
  const byTenant = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name = '', labels = '', written = ''] = sample.exec(line) ?? [];
    const value = Number(written);
    if ((name !== prompt && name !== generated) || !Number.isFinite(value)) continue;
    sums.set(name, (sums.get(name) ?? 0) + value);
    const tenant = tenantLabel.exec(labels)?.[1]?.replace(/\\(.)/g, '$1');
    if (tenant !== undefined) byTenant.set(tenant, (byTenant.get(tenant) ?? 0) + value);
  }
  if (sums.size === 0) return undefined;
  return { prompt: sums.get(prompt) ?? 0, generated: sums.get(generated) ?? 0, byTenant };
}
