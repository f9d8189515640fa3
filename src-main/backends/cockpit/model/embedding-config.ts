import { httpAddress, StartupRefused } from '../../serving/index.ts';
import { type Environment, filled, orDefault } from '../variables.ts';

/** Formats in which an embedding model's vectors are read (BCK-065, BCK-080). */
export const embeddingFormats = ['qwen3-embedding', 'nomic-v1.5', 'raw'] as const;
export type EmbeddingFormat = (typeof embeddingFormats)[number];

export type EmbeddingConfig = {
  /** OpenAI-compatible endpoint; undefined leaves search by text. */
  readonly url: string | undefined;
  readonly format: EmbeddingFormat;
  /** Width of the index, in numbers a vector. */
  readonly width: number;
  readonly model: string | undefined;
  /** Bearer token. Never logged, never part of an error. */
  readonly apiKey: string | undefined;
};

/** No model in use returns wider vectors. */
const widest = 16_384;

/**
 * EMBEDDING_URL, EMBEDDING_FORMAT (default `raw`), MODEL_EMBEDDING_DIM (default 768), EMBEDDING_MODEL and EMBEDDING_API_KEY. Throws
 * `StartupRefused`.
 */
export function readEmbeddingConfig(env: Environment): EmbeddingConfig {
  const url = filled(env, 'EMBEDDING_URL');
  const name = orDefault(env, 'EMBEDDING_FORMAT');
  const format = embeddingFormats.find((each) => each === name);
  if (format === undefined)
    throw new StartupRefused(
      'unknown embedding format: EMBEDDING_FORMAT must be qwen3-embedding, nomic-v1.5 or raw.',
    );
  const width = Number(orDefault(env, 'MODEL_EMBEDDING_DIM'));
  if (!Number.isInteger(width) || width < 1 || width > widest)
    throw new StartupRefused(`MODEL_EMBEDDING_DIM must be a whole number from 1 to ${widest}.`);
  return {
    url: url === undefined ? undefined : httpAddress('EMBEDDING_URL', url),
    format,
    width,
    model: filled(env, 'EMBEDDING_MODEL'),
    apiKey: filled(env, 'EMBEDDING_API_KEY'),
  };
}
