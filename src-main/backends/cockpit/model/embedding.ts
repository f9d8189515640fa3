import { z } from 'zod';
import type { EmbeddingConfig, EmbeddingFormat } from './embedding-config.ts';
import { postJson } from './openai-endpoint.ts';

/** The vectors of texts as the endpoint returns them. Throws an Error whose message is the end of a sentence. */
export type Embed = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly (readonly number[])[]>;

/** Timeout for an answer, in milliseconds. */
const answerMs = 30_000;

const embeddings = z.object({
  data: z.array(z.object({ index: z.number().int().min(0).optional(), embedding: z.array(z.number()) })),
});

/** Asks `EMBEDDING_URL`, an OpenAI-compatible endpoint. */
export function createEmbed({ url, model, apiKey }: EmbeddingConfig & { readonly url: string }): Embed {
  return async (input, signal) => {
    const answer = await postJson({
      base: url,
      path: 'embeddings',
      body: { ...(model === undefined ? {} : { model }), input, encoding_format: 'float' },
      apiKey,
      answerMs,
      signal,
    });
    const read = embeddings.safeParse(answer);
    if (!read.success) throw new Error('its answer holds no embeddings');
    const { data } = read.data;
    // The protocol gives every vector the index of its text; the order is not promised.
    return input.map(
      (_, index) => (data.find((each) => each.index === index) ?? data[index])?.embedding ?? [],
    );
  };
}

/**
 * Formats whose models were trained so that the beginning of a vector is a vector, too (Matryoshka Representation Learning,
 * https://arxiv.org/abs/2205.13147), with the least width that still holds: the model cards of Qwen3-Embedding and nomic-embed-text-v1.5.
 */
const cuts: Readonly<
  Record<EmbeddingFormat, { readonly least: number; readonly centred: boolean } | undefined>
> = {
  'qwen3-embedding': { least: 32, centred: false },
  'nomic-v1.5': { least: 64, centred: true },
  raw: undefined,
};

/** Returns whether vectors of one width fit an index of another: as they are, or cut. */
export function fits(format: EmbeddingFormat, returned: number, width: number): boolean {
  const cut = cuts[format];
  return returned === width || (cut !== undefined && returned > width && width >= cut.least);
}

/**
 * A vector as the index holds it: cut to `width` and made one long again. Undefined when it does not fit, is empty, or has no direction
 * (all zeros, or a number that is none).
 */
export function fitted(
  vector: readonly number[],
  format: EmbeddingFormat,
  width: number,
): Float32Array | undefined {
  if (!fits(format, vector.length, width)) return undefined;
  const isCut = vector.length > width;
  // nomic-embed-text-v1.5 takes a layer norm over the whole vector before it is cut (its model card, "Adjusting dimensionality").
  const whole = isCut && cuts[format]?.centred === true ? layerNorm(vector) : vector;
  const kept = Float32Array.from(whole.slice(0, width));
  const length = Math.sqrt(kept.reduce((sum, each) => sum + each * each, 0));
  if (!Number.isFinite(length) || length === 0) return undefined;
  return kept.map((each) => each / length);
}

function layerNorm(vector: readonly number[]): number[] {
  const mean = vector.reduce((sum, each) => sum + each, 0) / vector.length;
  const variance = vector.reduce((sum, each) => sum + (each - mean) ** 2, 0) / vector.length;
  const deviation = Math.sqrt(variance + 1e-5);
  return vector.map((each) => (each - mean) / deviation);
}
