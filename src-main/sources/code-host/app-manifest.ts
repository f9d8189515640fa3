import { z } from 'zod';
import { createOutgoing } from '../outgoing.ts';
import type { NotRead } from './types.ts';

/** An App that the code host has just created from a manifest. */
export type CreatedApp = {
  readonly id: number;
  readonly slug: string;
  /** Page of the App at the code host; it is installed from there. */
  readonly url: string;
  /** PEM. The code host shows it this once. */
  readonly privateKey: string;
};

const createdShape = z.object({
  id: z.number().int().positive(),
  slug: z.string().min(1).max(200),
  html_url: z.url({ protocol: /^https?$/ }).max(2048),
  pem: z.string().min(1).max(16_384),
});

/** Bytes of the answer, and time for it in ms. */
const largest = 256 * 1024;
const within = 10_000;

/**
 * Returns the address of the code host's web pages for an address of its REST API: `https://github.com` for
 * `https://api.github.com`, the host itself for `https://HOST/api/v3` of an Enterprise Server, `https://NAME.ghe.com`
 * for `https://api.NAME.ghe.com`, and the API's own origin for anything else.
 */
export function webAddressOf(apiUrl: URL): URL {
  const web = new URL(apiUrl.origin);
  if (web.hostname === 'api.github.com' || /^api\.[^.]+\.ghe\.com$/.test(web.hostname))
    web.hostname = web.hostname.slice('api.'.length);
  return web;
}

/**
 * Exchanges the code that the code host gave for a manifest, once and within an hour, for the App with its key
 * (`POST /app-manifests/{code}/conversions`). Nobody needs to be signed in for it.
 */
export async function createdFromManifest(
  apiUrl: URL,
  code: string,
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly value: CreatedApp } | NotRead> {
  const outgoing = createOutgoing({ largest });
  try {
    const answer = await outgoing.fetch(
      `${apiUrl.href.replace(/\/$/, '')}/app-manifests/${encodeURIComponent(code)}/conversions`,
      {
        method: 'POST',
        redirect: 'error',
        headers: { accept: 'application/vnd.github+json', 'user-agent': 'operator-console' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(within)]),
      },
    );
    if (answer.status === 404 || answer.status === 422)
      return notCreated('the code host does not know this code: it is good for an hour, and once');
    if (answer.status !== 201) return notCreated(`the code host answered ${answer.status}`);
    const parsed = createdShape.safeParse(await answer.json());
    if (!parsed.success) return notCreated('the answer of the code host names no App with a key');
    const { id, slug, html_url: url, pem: privateKey } = parsed.data;
    return { ok: true, value: { id, slug, url, privateKey } };
  } catch {
    return notCreated('the code host did not answer');
  } finally {
    outgoing.close();
  }
}

function notCreated(reason: string): NotRead {
  return { ok: false, kind: 'unavailable', reason };
}
