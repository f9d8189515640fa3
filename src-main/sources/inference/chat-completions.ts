import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';

/** An OpenAI-compatible endpoint. The key is sent to it and nowhere else. */
export type InferenceEndpoint = {
  readonly url: URL;
  /** Model to request; the endpoint's own choice when undefined. */
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
};

export type ModelMessage = { readonly role: 'system' | 'user'; readonly content: string };

/** A function that the model may call. */
export type ModelTool = {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** A piece of an answer as it comes. The parts of a call's arguments are JSON only together. */
export type ModelPiece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly index: number;
      readonly name?: string | undefined;
      readonly args?: string | undefined;
    };

export type ModelRequest = {
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  /** Most tokens of the answer. */
  readonly mostTokens: number;
  readonly signal: AbortSignal;
};

/** A model that answers as it writes. */
export type Inference = {
  /** Name of the model, for people: who answered. */
  readonly name: string;
  /** Streams an answer. Throws `InferenceError`, or the reason of the signal. */
  stream(request: ModelRequest): AsyncIterable<ModelPiece>;
};

/** A model that did not answer. The message is one sentence with its reason, and never holds the key. */
export class InferenceError extends Error {
  override readonly name = 'InferenceError';
}

/** Time for a whole answer, and without a piece of it, in ms. */
const longestAnswer = 60_000;
const longestSilence = 20_000;
/** Characters of an answer: an endpoint that ignores its limit must not fill the memory. */
const mostCharacters = 100_000;

const chunkShape = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().int().min(0).max(100).optional(),
                  function: z
                    .object({ name: z.string().max(200).nullish(), arguments: z.string().nullish() })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  error: z.unknown().optional(),
});

/** The model at an OpenAI-compatible endpoint, read as a stream of server-sent events. */
export function createInference({ url, model, apiKey }: InferenceEndpoint): Inference {
  const endpoint = completionsUrl(url);
  return {
    name: model ?? `the model at ${endpoint.host}`,
    async *stream({ messages, tools = [], mostTokens, signal }) {
      const silence = new AbortController();
      const timer = setTimeout(() => silence.abort(), longestSilence);
      const whole = AbortSignal.timeout(longestAnswer);
      try {
        const response = await fetch(endpoint, {
          method: 'POST',
          // A redirect would carry the question and the key to an address nobody configured.
          redirect: 'error',
          signal: AbortSignal.any([signal, silence.signal, whole]),
          headers: {
            'content-type': 'application/json',
            accept: 'text/event-stream',
            ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          },
          body: JSON.stringify({
            ...(model === undefined ? {} : { model }),
            stream: true,
            temperature: 0,
            max_tokens: mostTokens,
            messages,
            ...(tools.length === 0
              ? {}
              : { tools: tools.map((tool) => ({ type: 'function', function: tool })), tool_choice: 'auto' }),
          }),
        });
        if (response.status !== 200 || response.body === null) {
          await response.body?.cancel();
          throw new InferenceError(`it answered with status ${response.status}`);
        }
        const events = response.body
          .pipeThrough(new TextDecoderStream())
          .pipeThrough(new EventSourceParserStream({ maxBufferSize: mostCharacters }));
        let left = mostCharacters;
        let finished = false;
        for await (const { data } of events) {
          timer.refresh();
          if (data.trim() === '[DONE]') return;
          const choice = readChunk(data);
          if (typeof choice?.finish_reason === 'string') finished = true;
          for (const piece of piecesOf(choice)) {
            left -= piece.kind === 'text' ? piece.text.length : (piece.args?.length ?? 0);
            if (left < 0) throw new InferenceError('its answer is longer than 100,000 characters');
            yield piece;
          }
        }
        if (!finished) throw new InferenceError('its stream ended before the answer did');
      } catch (error) {
        signal.throwIfAborted();
        if (silence.signal.aborted) throw new InferenceError(`it was silent for ${longestSilence / 1000} s`);
        if (whole.aborted) throw new InferenceError(`it took longer than ${longestAnswer / 1000} s`);
        throw new InferenceError(reasonOf(error), { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function completionsUrl(base: URL): URL {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/v1') ? `${path}/chat/completions` : `${path}/v1/chat/completions`;
  return url;
}

type Choice = NonNullable<z.infer<typeof chunkShape>['choices']>[number];

function readChunk(data: string): Choice | undefined {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    throw new InferenceError('it sent an event that is not JSON');
  }
  const chunk = chunkShape.safeParse(json);
  if (!chunk.success)
    throw new InferenceError('it sent an event of another shape than chat.completion.chunk');
  if (chunk.data.error !== undefined && chunk.data.error !== null)
    throw new InferenceError('it reported an error of its own');
  return chunk.data.choices?.[0];
}

function piecesOf(choice: Choice | undefined): ModelPiece[] {
  const pieces: ModelPiece[] = [];
  const text = choice?.delta?.content;
  if (typeof text === 'string' && text !== '') pieces.push({ kind: 'text', text });
  for (const [at, call] of (choice?.delta?.tool_calls ?? []).entries())
    pieces.push({
      kind: 'call',
      index: call.index ?? at,
      name: call.function?.name ?? undefined,
      args: call.function?.arguments ?? undefined,
    });
  return pieces;
}

function reasonOf(error: unknown): string {
  if (error instanceof InferenceError) return error.message;
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (typeof cause === 'object' && cause !== null && 'code' in cause)
    return `it could not be reached (${String(cause.code)})`;
  // Errors of fetch can quote the request.
  return 'the connection to it broke';
}
