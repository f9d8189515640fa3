import { z } from 'zod';
import { audioTypes, defineRoute } from './route.ts';

/** Characters of a text that is spoken. */
const longestSpeech = 4_000;
/** Bytes of a recording. */
const largestRecording = 25 * 1024 * 1024;

export const voiceRoutes = [
  defineRoute({
    id: 'voice.speak',
    method: 'POST',
    path: '/api/tts',
    access: { kind: 'read' },
    summary:
      'Speaks a text through the service at TTSD_URL, streamed. 503 while that is not set, or when the service fails.',
    body: z.strictObject({ text: z.string().trim().min(1).max(longestSpeech) }),
    answer: 'audio',
  }),
  defineRoute({
    id: 'voice.transcribe',
    method: 'POST',
    path: '/api/stt',
    access: { kind: 'read' },
    summary:
      'Writes down a recording through the service at VOICE_REMOTE_URL; an empty text when nothing was understood. 503 while that is not set, or when the service fails.',
    rawBody: true,
    accepts: audioTypes,
    largestBody: largestRecording,
    body: z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length > 0),
    answer: z.object({ text: z.string() }),
  }),
] as const;
