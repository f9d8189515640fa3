export type EndpointRequest = {
  /** With or without `/v1` at its end. */
  readonly base: string;
  /** Behind `/v1/`. */
  readonly path: 'chat/completions' | 'embeddings';
  readonly body: object;
  readonly apiKey: string | undefined;
  /** Timeout for the whole answer, in milliseconds. */
  readonly answerMs: number;
  readonly signal: AbortSignal;
};

/** Largest answer, in bytes. */
const largest = 8 * 1024 * 1024;

/**
 * The JSON an OpenAI-compatible endpoint answers. Throws an Error whose message is the end of a sentence and holds nothing that was sent:
 * what could not be reached, another status than 200, an answer that is too long, too late, or no JSON.
 */
export async function postJson(request: EndpointRequest): Promise<unknown> {
  const { base, path, body, apiKey, answerMs, signal } = request;
  const url = new URL(base);
  const folder = url.pathname.replace(/\/+$/, '');
  url.pathname = folder.endsWith('/v1') ? `${folder}/${path}` : `${folder}/v1/${path}`;
  const late = AbortSignal.timeout(answerMs);
  let text: string;
  try {
    const response = await fetch(url, {
      method: 'POST',
      // A redirect would carry the text and the key to an address nobody configured.
      redirect: 'error',
      signal: AbortSignal.any([signal, late]),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new EndpointFault(`it answered with status ${response.status}`);
    }
    text = await boundedText(response);
  } catch (error) {
    if (error instanceof EndpointFault) throw error;
    if (late.aborted) throw new EndpointFault(`it took longer than ${answerMs / 1000} s`);
    throw new EndpointFault(`it could not be reached${codeOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new EndpointFault('its answer is no JSON');
  }
}

class EndpointFault extends Error {}

async function boundedText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > largest) throw new EndpointFault(`its answer is longer than ${largest} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The words of fetch itself could quote the request; the code of its cause does not. */
function codeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
}
