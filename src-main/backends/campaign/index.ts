import { hkdfSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectRouter, createContextValues, type HandlerContext } from '@connectrpc/connect';
import { AuthService } from '#shared/gen/campaign/v1/auth_pb.js';
import { CampaignsService } from '#shared/gen/campaign/v1/campaigns_pb.js';
import { ContentService } from '#shared/gen/campaign/v1/content_pb.js';
import { LeadsService } from '#shared/gen/campaign/v1/leads_pb.js';
import { closeOnce, openParts } from '../../base/open-parts.ts';
import { storeTrouble } from '../../store/index.ts';
import { StorageUnavailable } from '../sealed/index.ts';
import {
  type BackendLog,
  callFailure,
  type PlainRoute,
  type Serving,
  StartupRefused,
  serveBackend,
  silentLog,
} from '../serving/index.ts';
import { a2aRoutes } from './a2a/index.ts';
import { authRoutes } from './auth-routes.ts';
import { addressKey, authService, type SignIn } from './auth-service.ts';
import { campaignsService } from './campaigns-service.ts';
import { healthRoute } from './health.ts';
import { leadsService } from './leads-service.ts';
import { contentService, mediaRoutes, mediaStore } from './media/index.ts';
import { messagingRoutes } from './messaging/index.ts';
import { type CampaignConfig, type CampaignParts, caller, callerKey, type MediaLocation } from './parts.ts';
import { podcastRoutes } from './podcast/index.ts';
import { createSessions } from './sessions.ts';
import { createOidcSignIn } from './sign-in-oidc.ts';
import { createPasswordSignIn } from './sign-in-password.ts';
import { type CampaignStore, openCampaignStore } from './store.ts';
import { voiceRoutes } from './voice/index.ts';
import { campaignWebApp } from './web-app.ts';

export { readCampaignConfig } from './config.ts';
export type { CampaignConfig } from './parts.ts';

export type CampaignOptions = {
  /** Port 0 lets the system choose. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly config: CampaignConfig;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly log?: BackendLog;
};

/** Names this program in its log and its answers. */
const name = 'campaign backend';

/**
 * Starts the campaign backend (BCK-001): the services of `campaign.v1`, its plain routes, and the web app, on one port. Throws
 * `StartupRefused` when something it needs cannot be had; nothing is left open then.
 */
export async function startCampaign(options: CampaignOptions): Promise<Serving> {
  const { config, listen, now = Date.now, log = silentLog } = options;
  return openParts(log, async (opened) => {
    const serveFile = config.webDir === undefined ? undefined : await campaignWebApp(config.webDir);
    const store = await openCampaignStore(config.store);
    opened.defer(store.close);
    const mediaLocation = config.mediaLocation ?? (await passingFolder(opened));
    await checkMedia({ config, mediaLocation });
    const signIn = await openSignIn({ config, store, now, log });
    const parts: CampaignParts = {
      config,
      mediaLocation,
      addressKey: derivedKey(config, 'signed addresses'),
      store,
      callerOf: signIn.sessions.callerOf,
      now,
      log,
    };
    let port = 0;
    const health = healthRoute({ inferenceUrl: config.inferenceUrl, port: () => port, now });
    const serving = await serveBackend({
      listen,
      name,
      unavailable: storeTrouble,
      services: services(parts, signIn),
      contextValues: (request) => {
        let found: ReturnType<CampaignParts['callerOf']> | undefined;
        return createContextValues()
          .set(callerKey, () => {
            found ??= parts.callerOf(request, { bearerOnly: true });
            return found;
          })
          .set(addressKey, request.socket.remoteAddress ?? '');
      },
      plain: plainRoutes(parts, signIn, health),
      ...(serveFile === undefined ? {} : { webApp: serveFile }),
      log,
    });
    port = serving.port;
    opened.defer(serving.close);
    warnOfGaps(config, log);
    return { ...serving, close: closeOnce(opened, log) };
  });
}

function services(parts: CampaignParts, signIn: SignIn): (router: ConnectRouter) => void {
  const { store, now, log } = parts;
  // Who has no session is refused before any of the request is read, and so before any of it is kept.
  const signedIn = {
    requestGate: async (context: HandlerContext) => {
      await caller(context).catch((error: unknown) => {
        throw callFailure(error, { name, unavailable: storeTrouble, log }, context.method.name);
      });
    },
  };
  return (router) =>
    router
      .service(AuthService, authService(signIn))
      .service(CampaignsService, campaignsService(store.campaigns, now), signedIn)
      .service(LeadsService, leadsService(store, now), signedIn)
      .service(ContentService, contentService(parts), signedIn);
}

function plainRoutes(parts: CampaignParts, signIn: SignIn, health: PlainRoute): PlainRoute[] {
  return [
    health,
    ...authRoutes(signIn, parts.config.oidc?.clientId),
    ...mediaRoutes(parts),
    ...podcastRoutes(parts),
    ...voiceRoutes(parts),
    ...a2aRoutes(parts),
    ...messagingRoutes(parts),
  ];
}

async function openSignIn({
  config,
  store,
  now,
  log,
}: {
  readonly config: CampaignConfig;
  readonly store: CampaignStore;
  readonly now: () => number;
  readonly log: BackendLog;
}): Promise<SignIn> {
  const { admin, oidc, allowedEmails } = config;
  const records = store.auth;
  return {
    sessions: createSessions({
      records,
      signingKey: config.sessionSecret,
      markKey: derivedKey(config, 'refresh tokens'),
      now,
      log,
    }),
    password: admin === undefined ? undefined : await createPasswordSignIn({ records, admin, now }),
    oidc: oidc === undefined ? undefined : createOidcSignIn({ records, oidc, allowedEmails, now, log }),
    secureCookie: config.publicBaseUrl?.startsWith('https:') === true,
  };
}

/** One secret, a key for each purpose (RFC 5869): what is signed for one is worth nothing for another. */
function derivedKey({ sessionSecret }: CampaignConfig, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', sessionSecret, '', `campaign backend: ${purpose}`, 32));
}

/** A folder for media that need not last longer than this process. */
async function passingFolder(opened: AsyncDisposableStack): Promise<MediaLocation> {
  const dir = await mkdtemp(join(tmpdir(), 'campaign-media-'));
  opened.defer(() => rm(dir, { recursive: true, force: true }));
  return { kind: 'folder', dir };
}

/** Checks that media can be stored, with the key of those already stored. Throws `StartupRefused`. */
async function checkMedia(parts: Parameters<typeof mediaStore>[0]): Promise<void> {
  try {
    await mediaStore(parts).check();
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    throw new StartupRefused(error.message, { cause: error });
  }
}

/** Warns of settings with effects the operator may not expect. */
function warnOfGaps({ admin, oidc, allowedEmails }: CampaignConfig, log: BackendLog): void {
  if (admin === undefined && oidc === undefined)
    log.warn({}, 'nobody can sign in: set OIDC_CLIENT_ID, or ADMIN_EMAIL and ADMIN_PASSWORD');
  if (oidc !== undefined && allowedEmails === undefined)
    log.warn(
      { issuer: oidc.issuer },
      'AUTH_ALLOWED_EMAILS is not set: everybody with a verified address at the identity provider may sign in',
    );
}
