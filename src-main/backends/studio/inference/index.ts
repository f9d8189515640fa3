import { Code, ConnectError } from '@connectrpc/connect';
import { z } from 'zod';
import type { Answerer, Conversation, Turn } from '../answerer.ts';
import type { InferenceOptions } from '../config.ts';
import { serverSentData } from './sse.ts';

const defaultSilenceMs = 60_000;
/** Most characters of the conversation sent along; the newest turns are kept. */
const mostHistory = 96_000;

const chunkShape = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  error: z.unknown().optional(),
});

const instructions = [
  "You are the studio of an internal platform: you turn a person's brief into a plan for a small app.",
  'Answer in plain Markdown: one short paragraph, then a line "App: <name>" (lower case letters, digits and hyphens),',
  'then "## Plan" with a numbered list of steps, then "## Components" with bullets "kind: name, detail",',
  'where kind is data, screen, rule, notice or output. No tables, no HTML. Never claim that something was built or run.',
].join(' ');

/**
 * The answerer behind `INFERENCE_REMOTE_URL`, an OpenAI-compatible endpoint read as a stream. Any failure (no
 * connection, a status that is not 200, silence, a broken or cut stream) ends the answer with UNAVAILABLE and one
 * sentence that names the variable; the key is never part of it.
 */
export function inferenceAnswerer(options: InferenceOptions): Answerer {
  const endpoint = completionsUrl(options.url);
  const silenceMs = options.silenceMs ?? defaultSilenceMs;
  return {
    name: options.model ?? `the model at ${endpoint.host}`,
    async *answer(conversation, signal) {
      const silence = new AbortController();
      const timer = setTimeout(() => silence.abort(), silenceMs);
      try {
        const response = await fetch(endpoint, {
          method: 'POST',
          // A redirect would carry the brief and the key to an address nobody configured.
          redirect: 'error',
          signal: AbortSignal.any([signal, silence.signal]),
          headers: {
            'content-type': 'application/json',
            accept: 'text/event-stream',
            ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
          },
          body: JSON.stringify({
            ...(options.model === undefined ? {} : { model: options.model }),
            stream: true,
            messages: promptOf(conversation),
          }),
        });
        if (response.status !== 200 || response.body === null) {
          await response.body?.cancel();
          throw new Error(`it answered with status ${response.status}`);
        }
        let finished = false;
        for await (const data of serverSentData(heard(response.body, () => timer.refresh()))) {
          if (data.trim() === '[DONE]') return;
          const choice = readChunk(data);
          if (typeof choice?.finish_reason === 'string') finished = true;
          const text = choice?.delta?.content;
          if (typeof text === 'string' && text !== '') yield text;
        }
        if (!finished) throw new Error('its stream ended before the answer did');
      } catch (error) {
        signal.throwIfAborted();
        throw unavailable(
          endpoint,
          silence.signal.aborted ? `it was silent for ${silenceMs / 1000} s` : reason(error),
          error,
        );
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Passes the chunks on and tells of each: a comment sent to keep the connection alive is not silence either. */
async function* heard(chunks: AsyncIterable<Uint8Array>, tell: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    tell();
    yield chunk;
  }
}

function completionsUrl(base: string): URL {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/v1') ? `${path}/chat/completions` : `${path}/v1/chat/completions`;
  return url;
}

function promptOf({ app, turns }: Conversation): { role: string; content: string }[] {
  const kept: Turn[] = [];
  let size = 0;
  for (const turn of [...turns].reverse()) {
    size += turn.text.length;
    if (size > mostHistory && kept.length > 0) break;
    kept.unshift(turn);
  }
  const about = app === '' ? '' : ` This chat is about the app "${app}": keep that name.`;
  return [
    { role: 'system', content: instructions + about },
    ...kept.map(({ role, text }) => ({ role: role === 'person' ? 'user' : 'assistant', content: text })),
  ];
}

function readChunk(data: string) {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    throw new Error('it sent an event that is not JSON');
  }
  const chunk = chunkShape.safeParse(json);
  if (!chunk.success) throw new Error('it sent an event of another shape than chat.completion.chunk');
  if (chunk.data.error !== undefined && chunk.data.error !== null)
    throw new Error('it reported an error of its own');
  return chunk.data.choices?.[0];
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'it could not be reached';
  const cause: unknown = error.cause;
  if (typeof cause === 'object' && cause !== null && 'code' in cause)
    return `it could not be reached (${String(cause.code)})`;
  // fetch throws TypeErrors whose words can quote the request; ours above are plain Errors.
  return error.constructor === Error ? error.message : 'the connection to it broke';
}

function unavailable(endpoint: URL, why: string, cause: unknown): ConnectError {
  return new ConnectError(
    `The model at INFERENCE_REMOTE_URL (${endpoint.host}) could not finish the answer: ${why}. Try again, or check that address.`,
    Code.Unavailable,
    undefined,
    undefined,
    cause,
  );
}
