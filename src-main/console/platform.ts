import { Client } from 'undici';
import type { Platform } from '#shared/api/system.ts';
import { type Dial, type IdentityKey, studioConnector } from '../features/studio/index.ts';

type Options = {
  readonly version: string;
  readonly sandbox: boolean;
  readonly upstream: URL;
  readonly dial: Dial | undefined;
  readonly identityKey: IdentityKey;
  readonly now: () => number;
};

/** Longest time the studio may take to answer, in ms. */
const patience = 2000;

/**
 * Reads what this console is attached to at this moment: whether the studio is reachable, or why not and what
 * to do.
 */
export async function readPlatform(options: Options): Promise<Platform> {
  const { version, sandbox, upstream } = options;
  const began = performance.now();
  const studio = await studioState(options);
  const answered = studio.state === 'ready';
  return {
    version,
    sandbox,
    studio: {
      ...studio,
      upstream: upstream.host,
      ...(answered ? { took_ms: Math.round((performance.now() - began) * 10) / 10 } : {}),
    },
    source: answered ? 'studio' : 'unavailable',
    complete: answered,
    read_at: new Date(options.now()).toISOString(),
    unmeasured: answered ? [] : [notAnswered(studio)],
  };
}

/** Says why nothing is known of the studio, which is not asked without a key to sign with. */
function notAnswered({ state, detail = '' }: Pick<Platform['studio'], 'state' | 'detail'>): string {
  return state === 'key_missing' ? `The studio was not asked: ${detail}` : detail;
}

async function studioState({
  upstream,
  dial,
  identityKey,
}: Options): Promise<Pick<Platform['studio'], 'state' | 'detail'>> {
  if (!identityKey.ok) return { state: 'key_missing', detail: identityKey.reason };
  const studio = new Client(upstream.origin, { connect: studioConnector(upstream, dial) });
  try {
    // Any answer will do, a refusal too: it is the studio that answers.
    const { body } = await studio.request({
      method: 'GET',
      path: `${upstream.pathname.replace(/\/*$/, '')}/healthz`,
      signal: AbortSignal.timeout(patience),
    });
    await body.dump();
    return { state: 'ready' };
  } catch {
    return {
      state: 'unreachable',
      detail: `The studio at ${upstream.host} did not answer: check that it runs and that STUDIO_UPSTREAM names it.`,
    };
  } finally {
    await studio.destroy();
  }
}
