import { z } from 'zod';
import {
  type AnyRequest,
  answerJson,
  type PlainRoute,
  RouteRefused,
  readBody,
  readJson,
  writeHead,
} from '../../serving/index.ts';
import { type CampaignParts, noSession } from '../parts.ts';
import { callService } from './call-service.ts';
import { answerShape, isSessionDescription, longestSdp, offerShape } from './sdp.ts';
import { pcmRate, pcmSampleBytes, readSamples, wavFile } from './wav.ts';

/** Longest recording, in seconds. */
const longestRecording = 300;
const largestRecording = longestRecording * pcmRate * pcmSampleBytes;
/** Recordings that are transcribed at once: each is in memory, whole. */
const mostRecordings = 8;
/** A model name every speech-to-text server of this interface knows (OpenAI API reference, Create transcription). */
const usualModel = 'whisper-1';

/** Timeout for each service, in milliseconds. */
export type VoicePatience = { readonly offerMs: number; readonly transcribeMs: number };
const usualPatience: VoicePatience = { offerMs: 10_000, transcribeMs: 60_000 };

/**
 * POST `/voice/webrtc/offer` and `/voice/transcribe` (BCK-025, BCK-026), both for a session. 401 without one, 503 while the
 * service behind is not configured, 502 and 504 when it fails or is late.
 */
export function voiceRoutes(parts: CampaignParts, patience: VoicePatience = usualPatience): PlainRoute[] {
  let recordings = 0;
  return [
    {
      method: 'POST',
      path: '/voice/webrtc/offer',
      async answer(request, response) {
        await requireSession(parts, request);
        const { callingAgentUrl } = parts.config;
        if (callingAgentUrl === undefined) {
          throw new RouteRefused(
            503,
            'Calls are not set up: no calling agent is configured. Set CALLING_AGENT_URL and start this backend again.',
          );
        }
        const isPlain = mediaTypeOf(request) === 'application/sdp';
        const sdp = isPlain ? await readPlainOffer(request) : await readOffer(request);
        const answer = await callService(
          {
            service: 'The calling agent at CALLING_AGENT_URL',
            url: callingAgentUrl,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ sdp, type: 'offer' }),
            shape: answerShape,
            patienceMs: patience.offerMs,
            largest: 4 * longestSdp,
          },
          parts.log,
        );
        if (!isPlain) return answerJson(response, 200, answer);
        writeHead(response, 200, {
          'content-type': 'application/sdp',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        response.end(answer.sdp);
      },
    },
    {
      method: 'POST',
      path: '/voice/transcribe',
      async answer(request, response) {
        await requireSession(parts, request);
        if (parts.config.speechToText === undefined) {
          throw new RouteRefused(
            503,
            'Speech is not transcribed here: no speech-to-text service is configured. Set SPEECH_TO_TEXT_URL and start this backend again.',
          );
        }
        if (recordings >= mostRecordings) {
          throw new RouteRefused(
            429,
            `${mostRecordings} recordings are being transcribed: try again in a moment.`,
            { 'retry-after': '2' },
          );
        }
        recordings += 1;
        try {
          const pcm = await readRecording(request);
          answerJson(response, 200, await transcribe(parts, parts.config.speechToText, pcm, patience));
        } finally {
          recordings -= 1;
        }
      },
    },
  ];
}

async function requireSession({ callerOf }: CampaignParts, request: AnyRequest): Promise<void> {
  if ((await callerOf(request)) === undefined)
    throw new RouteRefused(401, noSession, { 'www-authenticate': 'Bearer' });
}

async function readOffer(request: AnyRequest): Promise<string> {
  const { sdp } = await readJson(request, offerShape, 2 * longestSdp);
  return sdp;
}

async function readPlainOffer(request: AnyRequest): Promise<string> {
  const sdp = (await readBody(request, longestSdp)).toString('utf8');
  if (!isSessionDescription(sdp))
    throw new RouteRefused(400, 'The body is no session description (RFC 8866).');
  return sdp;
}

const recordingTypes = new Set([undefined, 'application/octet-stream', 'audio/pcm', 'audio/x-raw']);

async function readRecording(request: AnyRequest): Promise<Buffer> {
  if (!recordingTypes.has(mediaTypeOf(request))) {
    throw new RouteRefused(
      415,
      'The body is raw PCM, 16 kHz, mono, 16 bits little-endian: send it as application/octet-stream.',
    );
  }
  return readSamples(await readBody(request, largestRecording));
}

async function transcribe(
  { log }: CampaignParts,
  { url, apiKey, model }: NonNullable<CampaignParts['config']['speechToText']>,
  pcm: Buffer,
  patience: VoicePatience,
): Promise<{ text: string }> {
  const form = new FormData();
  form.append('file', new Blob([wavFile(pcm)], { type: 'audio/wav' }), 'recording.wav');
  form.append('model', model ?? usualModel);
  form.append('response_format', 'json');
  return callService(
    {
      service: 'The speech-to-text service at SPEECH_TO_TEXT_URL',
      url: `${url.replace(/\/v1$/, '')}/v1/audio/transcriptions`,
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      body: form,
      shape: z.object({ text: z.string() }),
      patienceMs: patience.transcribeMs,
      largest: 1024 * 1024,
    },
    log,
  );
}

function mediaTypeOf(request: AnyRequest): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}
