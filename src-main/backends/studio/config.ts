import { identityKeyBytes, identityKeyFault } from '#shared/studio/identity-key.ts';
import { httpAddress } from '../serving/index.ts';
import { type Environment, filled, orDefault } from './variables.ts';

/** The studio's model: an OpenAI-compatible endpoint. */
export type InferenceOptions = {
  /** Base address; `/v1/chat/completions` is added, or `/chat/completions` when it already ends in `/v1`. */
  readonly url: string;
  /** Model name sent in the request and shown as who answered. */
  readonly model?: string;
  /** Bearer token. Never logged, never part of an error. */
  readonly apiKey?: string;
  /** Longest silence from the endpoint, in milliseconds, before the answer is given up. Default 60,000. */
  readonly silenceMs?: number;
};

/** The part of the studio's options that comes from the environment. */
export type StudioConfig = {
  readonly identityKey: Buffer;
  /** Seconds that the console's clock may differ from this one's. */
  readonly clockTolerance: number;
  /** SQLite file, or `:memory:`. */
  readonly storeFile: string;
  readonly inference?: InferenceOptions;
  readonly webDir?: string;
};

/**
 * Reads the settings of the studio from the environment. Throws an Error with one sentence that names the variable and
 * never holds its value.
 */
export function readStudioConfig(env: Environment): StudioConfig {
  const url = filled(env, 'INFERENCE_REMOTE_URL');
  const model = filled(env, 'INFERENCE_MODEL');
  const apiKey = filled(env, 'INFERENCE_API_KEY');
  const webDir = filled(env, 'STUDIO_WEB_DIR');
  return {
    identityKey: readKey(filled(env, 'CONSOLE_STUDIO_IDENTITY_KEY')),
    clockTolerance: readTolerance(orDefault(env, 'STUDIO_CLOCK_TOLERANCE')),
    storeFile: orDefault(env, 'STUDIO_STORE_FILE'),
    ...(url === undefined
      ? {}
      : {
          inference: {
            url: httpAddress('INFERENCE_REMOTE_URL', url),
            ...(model === undefined ? {} : { model }),
            ...(apiKey === undefined ? {} : { apiKey }),
          },
        }),
    ...(webDir === undefined ? {} : { webDir }),
  };
}

function readTolerance(value: string): number {
  if (/^\d{1,2}$/.test(value) && Number(value) <= 60) return Number(value);
  throw new Error('STUDIO_CLOCK_TOLERANCE must be whole seconds from 0 to 60.');
}

function readKey(value: string | undefined): Buffer {
  const say = (what: string) =>
    new Error(
      `CONSOLE_STUDIO_IDENTITY_KEY ${what}: set it to the base64 of at least ${identityKeyBytes} random bytes, the same value as in the console.`,
    );
  const fault = identityKeyFault(value);
  switch (fault?.kind) {
    case 'unset':
      throw say('is not set');
    case 'not-base64':
      throw say('is not base64');
    case 'short':
      throw say(`is ${fault.bytes} bytes long`);
    case undefined:
      return Buffer.from(value ?? '', 'base64');
  }
}
