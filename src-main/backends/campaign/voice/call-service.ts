import type { z } from 'zod';
import { type BackendLog, RouteRefused } from '../../serving/index.ts';

export type ServiceCall<T> = {
  /** Names it in the sentences of its failures, such as `The calling agent at CALLING_AGENT_URL`. */
  readonly service: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData;
  /** Schema of its answer. */
  readonly shape: z.ZodType<T>;
  /** Timeout, in milliseconds. */
  readonly patienceMs: number;
  /** Largest answer, in bytes. */
  readonly largest: number;
};

/**
 * Posts to a service behind this backend and answers its JSON. Throws 504 when it takes longer than `patienceMs`, 502 when it cannot be
 * reached or answers something else, both in words; why stands in the log, never what was sent.
 */
export async function callService<T>(call: ServiceCall<T>, log: BackendLog): Promise<T> {
  const signal = AbortSignal.timeout(call.patienceMs);
  try {
    const response = await fetch(call.url, {
      method: 'POST',
      // A redirect would carry what a person said, and the key, to an address nobody configured.
      redirect: 'error',
      signal,
      headers: { accept: 'application/json', ...call.headers },
      body: call.body,
    });
    const text = await boundedText(response, call.largest);
    if (!response.ok) throw new UnfitAnswer(`it answered with status ${response.status}`);
    return readAnswer(text, call.shape);
  } catch (error) {
    log.warn({ reason: reasonOf(error), host: new URL(call.url).host }, `${call.service} failed`);
    if (signal.aborted) {
      throw new RouteRefused(
        504,
        `${call.service} did not answer within ${call.patienceMs / 1000} s: try again in a moment.`,
      );
    }
    throw new RouteRefused(
      502,
      `${call.service} could not be used: ${reasonOf(error)}. Try again, or have its operator check that address.`,
    );
  }
}

class UnfitAnswer extends Error {}

async function boundedText(response: Response, largest: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > largest) throw new UnfitAnswer(`it answered more than ${largest} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readAnswer<T>(text: string, shape: z.ZodType<T>): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UnfitAnswer('its answer is no JSON');
  }
  const read = shape.safeParse(json);
  if (!read.success) throw new UnfitAnswer('its answer lacks a field, or one has another form');
  return read.data;
}

function reasonOf(error: unknown): string {
  if (error instanceof UnfitAnswer) return error.message;
  // fetch hides what happened in the cause; its own words may quote the request.
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? `it could not be reached (${cause.code})`
    : 'the connection to it broke';
}
