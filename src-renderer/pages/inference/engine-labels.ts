import type { InferenceWorkload } from '#shared/api/fleet.ts';

/** Engines by their own names. */
export const engineLabels: Readonly<Record<NonNullable<InferenceWorkload['engine']>, string>> = {
  vllm: 'vLLM',
  'llama.cpp': 'llama.cpp',
  tgi: 'TGI',
  ollama: 'Ollama',
};
