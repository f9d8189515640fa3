import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { audioTypes } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { createSlidingLimit } from '../../base/sliding-limit.ts';
import {
  type Speech,
  type SpeechEndpoint,
  SpeechError,
  speak,
  transcribe,
} from '../../sources/speech/index.ts';

/** Calls a minute of one person; a recording is in memory, whole, so few are at once. */
const perMinute = 60;
const mostAtOnce = 4;

export type VoiceParts = {
  /** The services as they are set now; undefined where none is. */
  readonly speech: () => SpeechEndpoint | undefined;
  readonly transcripts: () => SpeechEndpoint | undefined;
  readonly log: { warn(fields: object, message: string): void };
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** `POST /api/tts` and `POST /api/stt`. What is said is neither stored nor logged. */
export function voiceHandlers({
  speech,
  transcripts,
  log,
  now,
}: VoiceParts): Handlers<Extract<RouteId, `voice.${string}`>> {
  const limit = createSlidingLimit({ most: perMinute, windowMs: 60_000, now });
  const take = ({ caller, address }: Call): void => {
    const who = caller.sessionId ?? address;
    const wait = limit.waitOf(who);
    if (wait !== undefined) throw tooMany(Math.max(1, Math.ceil(wait / 1000)));
    limit.count(who);
  };
  const speaking = places();
  const writing = places();
  const told = (error: unknown): unknown => {
    if (!(error instanceof SpeechError)) return error;
    log.warn({ reason: error.message }, 'a speech service failed');
    return new ConsoleError('Unavailable', error.message, {}, { cause: error });
  };
  return {
    async 'voice.speak'({ body: { text } }, call) {
      const service = speech();
      if (service === undefined)
        throw new ConsoleError(
          'Unavailable',
          'Nothing is spoken here: TTSD_URL is not set. Set it in Settings.',
        );
      take(call);
      const leave = speaking.enter();
      try {
        const { type, bytes } = await speak(service, text, call.signal);
        return { audio: type, bytes: until(bytes, leave, told) };
      } catch (error) {
        leave();
        throw told(error);
      }
    },

    async 'voice.transcribe'({ body }, call) {
      const service = transcripts();
      if (service === undefined)
        throw new ConsoleError(
          'Unavailable',
          'Speech is not written down here: VOICE_REMOTE_URL is not set. Set it in Settings.',
        );
      take(call);
      const given = call.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
      // The route takes no other.
      const type = audioTypes.find((known) => known === given) ?? 'audio/wav';
      const leave = writing.enter();
      try {
        return { text: await transcribe(service, { type, bytes: body }, call.signal) };
      } catch (error) {
        throw told(error);
      } finally {
        leave();
      }
    },
  };
}

/** Places for calls under way at the same time. */
function places() {
  let taken = 0;
  return {
    /** Takes a place and returns what gives it back, once. Throws `TooManyRequests` when all are taken. */
    enter(): () => void {
      if (taken >= mostAtOnce) throw tooMany(2);
      taken += 1;
      let left = false;
      return () => {
        if (!left) taken -= 1;
        left = true;
      };
    },
  };
}

async function* until(
  bytes: Speech['bytes'],
  leave: () => void,
  told: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw told(error);
  } finally {
    leave();
  }
}

function tooMany(seconds: number): ConsoleError {
  return new ConsoleError('TooManyRequests', `Too much is said at once: try again in ${seconds} s.`, {
    'retry-after': String(seconds),
  });
}
