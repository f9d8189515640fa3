import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parsedJson } from '../../base/parsed-json.ts';
import { type Answer, json, notFound, problem } from './answer.ts';
import type { World } from './world.ts';

const manifestShape = z.object({
  name: z.string().min(1).max(34),
  url: z.url(),
  redirect_url: z.url(),
  public: z.boolean().optional(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
  /** Where it is present, an address is wanted although the webhook may be off. */
  hook_attributes: z.object({ url: z.url(), active: z.boolean().optional() }).optional(),
});

/** Time for which a code is good, in ms. */
const codeLife = 3_600_000;

export type AppRegistration = {
  /** Answers the requests of the manifest flow; undefined for any other. `form` is the body of a form. */
  answer(method: string, address: URL, form: string): Answer | undefined;
};

/**
 * Creates Apps from manifests, as `POST /organizations/{org}/settings/apps/new` and
 * `POST /app-manifests/{code}/conversions` do. What comes out is the App of the world with its key: there is one.
 */
export function appRegistration(parts: {
  readonly url: string;
  readonly world: () => World;
  /** PEM. */
  readonly privateKey: string;
  /** Epoch ms. */
  readonly now: () => number;
}): AppRegistration {
  const codes = new Map<string, number>();

  const confirmPage = (address: URL, form: string): Answer => {
    const manifest = manifestShape.safeParse(parsedJson(new URLSearchParams(form).get('manifest') ?? ''));
    if (!manifest.success) {
      const field = String(manifest.error.issues[0]?.path.at(-1) ?? 'manifest');
      return page(`Invalid GitHub App configuration. Error "${field}" wasn't supplied.`, 422);
    }
    const code = randomBytes(20).toString('hex');
    codes.set(code, parts.now());
    const back = new URL(manifest.data.redirect_url);
    back.searchParams.set('code', code);
    const state = address.searchParams.get('state');
    if (state !== null) back.searchParams.set('state', state);
    return page(`<a href="${escaped(back.href)}">Create GitHub App ${escaped(manifest.data.name)}</a>`, 200);
  };

  const convert = (code: string): Answer => {
    const madeAt = codes.get(code);
    codes.delete(code);
    if (madeAt === undefined || madeAt < parts.now() - codeLife) return notFound('rest/apps/apps');
    const { app } = parts.world();
    return json(
      {
        id: app.id,
        slug: app.slug,
        name: app.name,
        html_url: `${parts.url}/apps/${app.slug}`,
        client_id: 'Iv23liNorthgateConsole',
        client_secret: randomBytes(20).toString('hex'),
        webhook_secret: null,
        pem: parts.privateKey,
      },
      201,
    );
  };

  return {
    answer(method, address, form) {
      const [, org] = /^\/organizations\/([^/]+)\/settings\/apps\/new$/.exec(address.pathname) ?? [];
      const [, code] = /^\/app-manifests\/([^/]+)\/conversions$/.exec(address.pathname) ?? [];
      if (org === undefined && code === undefined) return undefined;
      if (method !== 'POST') return org === undefined ? problem(404, 'Not Found') : undefined;
      return code === undefined ? confirmPage(address, form) : convert(code);
    },
  };
}

function page(body: string, status: number): Answer {
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Register an App</title><p>${body}</p>`,
  };
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
