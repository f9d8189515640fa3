import type { BackendLog } from '../../serving/index.ts';
import { createEmbed, type Embed, fits, fitted } from './embedding.ts';
import type { EmbeddingConfig } from './embedding-config.ts';

/** The state of search, by the outcome of the warm-up check (BCK-079). */
export type GroundingState = {
  readonly state: 'pending' | 'active' | 'inactive';
  /** The reason it is inactive, as logged; empty otherwise. */
  readonly detail: string;
  /** Width of the vectors the endpoint returned; 0 when none was read. */
  readonly returnedWidth: number;
  readonly indexWidth: number;
};

export type Grounding = {
  state(): GroundingState;
  /** Vectors for the index; undefined while texts are to be searched as texts. */
  vectors(texts: readonly string[]): Promise<readonly Float32Array[] | undefined>;
  close(): void;
};

export type GroundingOptions = {
  readonly config: EmbeddingConfig;
  /** Delay after boot before the endpoint is checked, in milliseconds; about 15 s (BCK-079). */
  readonly warmupMs: number;
  readonly log: BackendLog;
};

/** Delay before an endpoint that did not answer is checked again, in milliseconds. */
const againMs = 60_000;
const probe = 'warm-up';

/**
 * Checks once, a while after boot, whether the vectors of EMBEDDING_URL fit the index, and says in the log when they do not: search goes
 * by text then. An endpoint that does not answer is asked again every minute; what it returns changes with a restart only.
 */
export function openGrounding(options: GroundingOptions): Grounding {
  const { config, warmupMs, log } = options;
  const { url, width: indexWidth } = config;
  const closing = new AbortController();
  if (url === undefined) {
    const detail = 'grounding is inactive: EMBEDDING_URL is not set; search goes by text.';
    log.info({}, detail);
    return {
      state: () => ({ state: 'inactive', detail, returnedWidth: 0, indexWidth }),
      vectors: async () => undefined,
      close: () => undefined,
    };
  }
  const embed = createEmbed({ ...config, url });
  let state: GroundingState = { state: 'pending', detail: '', returnedWidth: 0, indexWidth };
  let timer: NodeJS.Timeout;

  const check = async (): Promise<void> => {
    const outcome = await warmup(embed, config, closing.signal);
    if (closing.signal.aborted) return;
    if (outcome.detail !== '' && outcome.detail !== state.detail)
      log.warn({ returned_width: outcome.returnedWidth, index_width: indexWidth }, outcome.detail);
    if (outcome.state === 'active') log.info({ index_width: indexWidth }, 'grounding is active');
    state = outcome;
    if (outcome.answered) return;
    timer = setTimeout(check, againMs);
  };
  timer = setTimeout(check, warmupMs);

  return {
    state: () => state,
    async vectors(texts) {
      if (state.state !== 'active') return undefined;
      try {
        const vectors = await embed(texts, closing.signal);
        const inIndex = vectors.map((vector) => fitted(vector, config.format, indexWidth));
        if (inIndex.every((vector) => vector !== undefined)) return inIndex;
        log.warn({}, 'an embedding did not fit the index, so this one search goes by text');
      } catch (error) {
        log.warn(
          { why: reasonOf(error) },
          'the embedding endpoint did not answer, so this one search goes by text',
        );
      }
      return undefined;
    },
    close() {
      closing.abort();
      clearTimeout(timer);
    },
  };
}

async function warmup(
  embed: Embed,
  { format, width }: EmbeddingConfig,
  signal: AbortSignal,
): Promise<GroundingState & { readonly answered: boolean }> {
  const inactive = (why: string, returnedWidth: number, answered: boolean) => ({
    state: 'inactive' as const,
    detail: `grounding is inactive: ${why} Search falls back to text.`,
    returnedWidth,
    indexWidth: width,
    answered,
  });
  let vector: readonly number[];
  try {
    [vector = []] = await embed([probe], signal);
  } catch (error) {
    return inactive(
      `the embedding endpoint did not answer after warmup, so the embedding tier is down or unreachable: ${reasonOf(error)}.`,
      0,
      false,
    );
  }
  const returned = vector.length;
  if (vector.every((each) => each === 0))
    return inactive(
      `the embedding endpoint returned an ${returned === 0 ? 'empty' : 'all-zero'} vector, so EMBEDDING_URL points at a chat model.`,
      returned,
      true,
    );
  if (!fits(format, returned, width))
    return inactive(
      `the embedding endpoint returns vectors of width ${returned}, the index width is ${width} (MODEL_EMBEDDING_DIM), and the format ${format} cannot cut them. Set EMBEDDING_FORMAT to the model's own format, or MODEL_EMBEDDING_DIM to ${returned}.`,
      returned,
      true,
    );
  return { state: 'active', detail: '', returnedWidth: returned, indexWidth: width, answered: true };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no answer';
}
