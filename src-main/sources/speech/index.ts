import { z } from 'zod';
import { type AudioType, audioTypes } from '#shared/api/route.ts';
import { parsedJson } from '../../base/parsed-json.ts';

/** A speech service: its address, and the token it takes. */
export type SpeechEndpoint = { readonly url: URL; readonly key: string | undefined };

/** Time for the first byte of speech, for all of it, and for a transcript, in ms. */
const firstByteMs = 15_000;
const wholeSpeechMs = 120_000;
const transcriptMs = 60_000;
/** Bytes of speech: four thousand characters read slowly, uncompressed. */
const largestSpeech = 64 * 1024 * 1024;
const largestTranscript = 256 * 1024;
const longestTranscript = 10_000;
/** Names that every service of this interface knows (OpenAI API reference, Audio). */
const speechModel = 'tts-1';
const voice = 'alloy';
const transcriptModel = 'whisper-1';

/** The error for a service that failed: a sentence for people, without anything that was said or sent. */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
}

export type Speech = { readonly type: AudioType; readonly bytes: AsyncIterable<Uint8Array> };

/**
 * Speaks a text: `POST /v1/audio/speech` of the OpenAI API, which many speech servers have. Resolves when the first
 * bytes are here; the rest comes as it is read. Throws `SpeechError`, also while it is read.
 */
export async function speak(
  { url, key }: SpeechEndpoint,
  text: string,
  signal: AbortSignal,
  patience = { firstByteMs, wholeSpeechMs },
): Promise<Speech> {
  const service = 'The text-to-speech service at TTSD_URL';
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patience.firstByteMs);
  const whole = AbortSignal.timeout(patience.wholeSpeechMs);
  const ended = AbortSignal.any([signal, late.signal, whole]);
  try {
    const response = await fetch(endpointOf(url, 'speech'), {
      method: 'POST',
      // A redirect would carry the text, and the token, to an address nobody configured.
      redirect: 'error',
      signal: ended,
      headers: { 'content-type': 'application/json', ...authorization(key) },
      body: JSON.stringify({ model: speechModel, voice, input: text, response_format: 'wav' }),
    });
    if (!response.ok) throw new SpeechError(`${service} answered with status ${response.status}.`);
    const type = audioTypeOf(response.headers.get('content-type'));
    if (type === undefined) throw new SpeechError(`${service} answered with something that is no sound.`);
    const bytes = bounded(response.body ?? [], service)[Symbol.asyncIterator]();
    const first = await bytes.next();
    if (first.done === true) throw new SpeechError(`${service} answered with an empty sound.`);
    return { type, bytes: startingWith(first.value, bytes, service) };
  } catch (error) {
    throw explained(error, { service, signal, isLate: late.signal.aborted || whole.aborted });
  } finally {
    clearTimeout(timer);
  }
}

/** Writes down a recording: `POST /v1/audio/transcriptions` of the OpenAI API. Throws `SpeechError`. */
export async function transcribe(
  { url, key }: SpeechEndpoint,
  recording: { readonly type: AudioType; readonly bytes: Uint8Array },
  signal: AbortSignal,
  patienceMs = transcriptMs,
): Promise<string> {
  const service = 'The speech-to-text service at VOICE_REMOTE_URL';
  const late = AbortSignal.timeout(patienceMs);
  const form = new FormData();
  const name = `recording.${recording.type.slice('audio/'.length)}`;
  form.append('file', new Blob([Buffer.from(recording.bytes)], { type: recording.type }), name);
  form.append('model', transcriptModel);
  form.append('response_format', 'json');
  try {
    const response = await fetch(endpointOf(url, 'transcriptions'), {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.any([signal, late]),
      headers: { accept: 'application/json', ...authorization(key) },
      body: form,
    });
    if (response.status === 415 || response.status === 400)
      throw new SpeechError(`${service} cannot read this recording (${recording.type}).`);
    if (!response.ok) throw new SpeechError(`${service} answered with status ${response.status}.`);
    const pieces: Uint8Array[] = [];
    for await (const piece of bounded(response.body ?? [], service, largestTranscript)) pieces.push(piece);
    const read = z.object({ text: z.string() }).safeParse(parsedJson(Buffer.concat(pieces).toString('utf8')));
    if (!read.success) throw new SpeechError(`${service} answered with something that is no transcript.`);
    return read.data.text.trim().slice(0, longestTranscript);
  } catch (error) {
    throw explained(error, { service, signal, isLate: late.aborted });
  }
}

function endpointOf(base: URL, what: 'speech' | 'transcriptions'): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/audio/${what}`;
  return url;
}

const authorization = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

function audioTypeOf(header: string | null): AudioType | undefined {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase().replace('audio/x-wav', 'audio/wav');
  return audioTypes.find((known) => known === type);
}

async function* bounded(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  service: string,
  largest = largestSpeech,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    // Leaving the loop cancels the rest.
    if (size > largest) throw new SpeechError(`${service} answered with more than ${largest} bytes.`);
    yield piece;
  }
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  service: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } catch (error) {
    throw error instanceof SpeechError ? error : new SpeechError(`${service} stopped in the middle.`);
  } finally {
    await rest.return?.();
  }
}

type Circumstances = { readonly service: string; readonly signal: AbortSignal; readonly isLate: boolean };

function explained(error: unknown, { service, signal, isLate }: Circumstances): unknown {
  // The caller left: nobody reads why.
  if (signal.aborted || error instanceof SpeechError) return error;
  if (isLate) return new SpeechError(`${service} did not answer in time: try again in a moment.`);
  // fetch hides what happened in the cause; its own words may quote the address, which may hold a password.
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
  return new SpeechError(`${service} could not be reached${code}: check that it runs.`);
}
