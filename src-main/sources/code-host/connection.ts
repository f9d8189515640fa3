import { createHash, randomUUID } from 'node:crypto';
import { RequestError } from '@octokit/request-error';
import type { Octokit } from '@octokit/rest';
import { z } from 'zod';
import { rsaPrivateKey } from '../../base/private-key.ts';
import { createOutgoing, type Outgoing } from '../outgoing.ts';
import { NotUnderstood, NotUsable } from './failures.ts';
import type { CodeHostSettings, Installation } from './types.ts';

/** One installation of the App, signed in to. */
export type Connection = {
  /** Asks as the installation; its token is made and renewed by itself. */
  readonly octokit: Octokit;
  readonly installation: Installation;
  /** Epoch ms. */
  readonly since: number;
};

/** Largest JSON answer that is read, in bytes. */
const largestAnswer = 32 * 1024 * 1024;

/** Clients for the code host: its JSON, and log archives, whose reader limits their size itself. */
export type Wire = { readonly json: Outgoing; readonly archives: Outgoing; close(): void };

export function createWire(): Wire {
  const json = createOutgoing({ largest: largestAnswer });
  const archives = createOutgoing();
  return {
    json,
    archives,
    close() {
      json.close();
      archives.close();
    },
  };
}

/** The App's key as auth-app takes it. Throws `NotUsable` for what is no RSA private key. */
function pkcs8(pem: string): string {
  try {
    return rsaPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    throw new NotUsable('CONSOLE_GITHUB_PRIVATE_KEY is not an RSA private key in PEM: set it again');
  }
}

const installationShape = z.object({
  id: z.number().int(),
  account: z.object({ login: z.string() }),
  app_id: z.number().int(),
  app_slug: z.string(),
  repository_selection: z.enum(['all', 'selected']),
  permissions: z.record(z.string(), z.string()),
  suspended_at: z.string().nullish(),
});

/** The library, loaded, and the App's key read. */
export type Clients = {
  /** Asks as the App itself. */
  readonly app: Octokit;
  forInstallation(id: number): Octokit;
};

/** Loads what reads need; asks nothing. Throws `NotUsable` for a key that cannot be used. */
export async function loadClients(settings: CodeHostSettings, wire: Wire): Promise<Clients> {
  const { appId = '', privateKey = '' } = settings;
  // Loaded when first used: a console without a code host starts without it.
  const [{ Octokit: Rest }, { createAppAuth }, { retry }, { throttling }] = await Promise.all([
    import('@octokit/rest'),
    import('@octokit/auth-app'),
    import('@octokit/plugin-retry'),
    import('@octokit/plugin-throttling'),
  ]);
  const Client = Rest.plugin(retry, throttling);
  const key = pkcs8(privateKey);
  const client = (auth: object): Octokit =>
    new Client({
      authStrategy: createAppAuth,
      auth: { appId, privateKey: key, ...auth },
      baseUrl: settings.apiUrl.href.replace(/\/$/, ''),
      userAgent: 'operator-console',
      request: { fetch: wire.json.fetch },
      // One more try for a 5xx, soon: a person waits for the page. A 429 says itself when it may be asked again.
      retry: {
        retries: 1,
        retryAfterBaseValue: 200,
        doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451],
      },
      throttle: {
        // Its queues are shared by all clients of a process that have one id.
        id: randomUUID(),
        onRateLimit: () => false,
        onSecondaryRateLimit: () => false,
      },
      log: { debug: silent, info: silent, warn: silent, error: silent },
    });
  const app = client({});
  // Signs once, for nobody: the first signature takes as long as the next hundred.
  await app.auth({ type: 'app' });
  return { app, forInstallation: (installationId) => client({ installationId }) };
}

/**
 * Signs in as the App and finds its installation. Throws `NotUsable` with words for the person when the App has no such
 * installation, several, or a suspended one; the library's errors otherwise.
 */
export async function connect(
  { app, forInstallation }: Clients,
  installationId: number | undefined,
  now: () => number,
): Promise<Connection> {
  const found = await installationOf(app, installationId);
  if (found === undefined) throw new NotUnderstood("the App's installation was not understood");
  if (found.suspended_at != null) throw new NotUsable("the App's installation is suspended");
  return {
    octokit: forInstallation(found.id),
    installation: {
      id: found.id,
      org: found.account.login,
      app: { id: found.app_id, slug: found.app_slug },
      repositories: found.repository_selection,
      permissions: found.permissions,
    },
    since: now(),
  };
}

/** The installation that is named, or the App's only one. */
async function installationOf(
  app: Octokit,
  installationId: number | undefined,
): Promise<z.infer<typeof installationShape> | undefined> {
  try {
    if (installationId === undefined) return await onlyInstallation(app);
    const { data } = await app.request('GET /app/installations/{installation_id}', {
      installation_id: installationId,
    });
    return installationShape.safeParse(data).data;
  } catch (error) {
    if (!(error instanceof RequestError) || (error.status !== 404 && error.status !== 401)) throw error;
    throw new NotUsable(
      error.status === 404 && installationId !== undefined
        ? `the App has no installation ${installationId} any more, or this is another App`
        : 'the code host does not know this App, or the key is not one of its keys',
    );
  }
}

async function onlyInstallation(app: Octokit): Promise<z.infer<typeof installationShape> | undefined> {
  const { data } = await app.request('GET /app/installations', { per_page: 100 });
  const parsed = z.array(installationShape).safeParse(data);
  if (!parsed.success) return undefined;
  const [first, second] = parsed.data;
  if (first === undefined)
    throw new NotUsable('the App is not installed in any organisation: install it, then read again');
  if (second !== undefined) {
    throw new NotUsable(
      `the App has ${parsed.data.length} installations: name one with CONSOLE_GITHUB_INSTALLATION_ID`,
    );
  }
  return first;
}

/** Returns a hash that identifies an App connection without keeping its key in memory. */
export function identityOf({ appId, installationId, apiUrl, privateKey }: CodeHostSettings): string {
  return createHash('sha256')
    .update(JSON.stringify([appId, installationId, apiUrl.href, privateKey]))
    .digest('base64');
}

function silent(): void {}
