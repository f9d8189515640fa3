import { Code, ConnectError } from '@connectrpc/connect';
import { z } from 'zod';
import { defaultPath, type InferenceConfig } from './inference-config.ts';
import { postJson } from './openai-endpoint.ts';

export type Inference = {
  /**
   * The model's answer to a prompt, on a call path (the default one when empty). Throws FAILED_PRECONDITION, naming INFERENCE_REMOTE_URL,
   * for a path without an endpoint (BCK-076), and UNAVAILABLE when the endpoint does not answer.
   */
  generate(prompt: string, path: string, signal: AbortSignal): Promise<{ text: string; model: string }>;
};

/** Timeout for an answer, in milliseconds. */
const answerMs = 120_000;

const completion = z.object({
  model: z.string().optional(),
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** The model plane behind INFERENCE_REMOTE_URL. */
export function createInference(config: InferenceConfig): Inference {
  const { byPath, otherwise, model, apiKey } = config;
  return {
    async generate(prompt, path, signal) {
      const name = path === '' ? defaultPath : path;
      const url = byPath.get(name) ?? otherwise;
      if (url === undefined)
        throw new ConnectError(
          `The call path "${name}" has no inference endpoint: add it to INFERENCE_REMOTE_URL and restart.`,
          Code.FailedPrecondition,
        );
      const answer = await postJson({
        base: url,
        path: 'chat/completions',
        body: { ...(model === undefined ? {} : { model }), messages: [{ role: 'user', content: prompt }] },
        apiKey,
        answerMs,
        signal,
      }).then((value) => completion.safeParse(value), reasonOf);
      if (typeof answer === 'string') throw unavailable(url, answer);
      if (!answer.success) throw unavailable(url, 'its answer is no chat completion');
      const { choices, model: answeredBy } = answer.data;
      return { text: choices[0]?.message.content ?? '', model: answeredBy ?? model ?? new URL(url).host };
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it does not answer';
}

function unavailable(url: string, why: string): ConnectError {
  return new ConnectError(
    `The inference endpoint at INFERENCE_REMOTE_URL (${new URL(url).host}) did not answer: ${why}. Try again, or check that address.`,
    Code.Unavailable,
  );
}
