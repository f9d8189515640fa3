import { httpAddress, StartupRefused } from '../../serving/index.ts';
import { type Environment, filled } from '../variables.ts';

/** Addresses of the models: OpenAI-compatible endpoints. */
export type InferenceConfig = {
  /** Endpoint of every call path that has one of its own. */
  readonly byPath: ReadonlyMap<string, string>;
  /** Endpoint of all other call paths; undefined leaves them without one. */
  readonly otherwise: string | undefined;
  readonly model: string | undefined;
  /** Bearer token. Never logged, never part of an error. */
  readonly apiKey: string | undefined;
};

/** Name of a call path. */
export const callPath = /^[a-z][a-z0-9-]{0,62}$/;
/** The call path of a request that names none. */
export const defaultPath = 'default';

/**
 * INFERENCE_REMOTE_URL: one address for every call path, or pairs such as `default=https://a,summaries=https://b`, where a path that
 * is not named has no endpoint. Throws `StartupRefused` when there is none at all (BCK-064).
 * INFERENCE_MODEL and INFERENCE_API_KEY are optional.
 */
export function readInferenceConfig(env: Environment): InferenceConfig {
  const text = filled(env, 'INFERENCE_REMOTE_URL');
  const rest = { model: filled(env, 'INFERENCE_MODEL'), apiKey: filled(env, 'INFERENCE_API_KEY') };
  if (text === undefined) throw unset();
  if (!/^[a-z0-9-]+=/.test(text))
    return { ...rest, byPath: new Map(), otherwise: httpAddress('INFERENCE_REMOTE_URL', text) };
  const byPath = new Map<string, string>();
  for (const part of text.split(',')) {
    const [name = '', ...address] = part.split('=');
    const path = name.trim();
    if (!callPath.test(path) || address.length === 0)
      throw new StartupRefused(
        'INFERENCE_REMOTE_URL must be one address, or pairs of a call path and its address such as default=https://model.example.',
      );
    const url = address.join('=').trim();
    // A path without an address is a path without an endpoint, told when it is called.
    if (url !== '') byPath.set(path, httpAddress(`INFERENCE_REMOTE_URL, call path ${path},`, url));
  }
  if (byPath.size === 0) throw unset();
  return { ...rest, byPath, otherwise: undefined };
}

function unset(): StartupRefused {
  return new StartupRefused(
    'no inference endpoint configured: set INFERENCE_REMOTE_URL to the address of an OpenAI-compatible endpoint.',
  );
}
