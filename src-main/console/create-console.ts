import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { routeTable } from '#shared/api/index.ts';
import { ConsoleError } from '#shared/errors.ts';
import { ProfileService } from '#shared/gen/profile/v1/profile_pb.js';
import { httpServer } from '../base/http-server.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { closeOnce, openParts } from '../base/open-parts.ts';
import { requestIdHeader, requestIdOf } from '../base/request-id.ts';
import { type Config, readCodeHostConfig } from '../config/index.ts';
import { accessHandlers, createAllowlists } from '../features/access/index.ts';
import { agentHandlers } from '../features/agents/index.ts';
import { auditHandlers, createAuditTrail, type HeadKeeper } from '../features/audit/index.ts';
import { clusterHandlers } from '../features/cluster/index.ts';
import { codeHostHandlers } from '../features/code-host/index.ts';
import { createDelivery } from '../features/delivery/index.ts';
import {
  createDiagnostics,
  type DiagnosticsLog,
  diagnosticsHandlers,
} from '../features/diagnostics/index.ts';
import { fleetHandlers } from '../features/fleet/index.ts';
import { overviewHandlers } from '../features/overview/index.ts';
import { profileService } from '../features/profile/index.ts';
import { requirementHandlers } from '../features/requirements/index.ts';
import { runHandlers } from '../features/runs/index.ts';
import { type Keys, type LiveSettings, settingsHandlers } from '../features/settings/index.ts';
import {
  auditedSignIn,
  createIdentityProvider,
  createPasswordSignIn,
  createSessions,
  createSignInLinks,
  type SameSite,
  signInAddress,
  signInHandlers,
} from '../features/sign-in/index.ts';
import {
  createIdentityKey,
  createStudioProxy,
  guardConnections,
  studioList,
  studioSafeServerOptions,
} from '../features/studio/index.ts';
import type { Targets } from '../features/targets/index.ts';
import { openDiagnoses, readCatalogue, troubleshootHandlers } from '../features/troubleshoot/index.ts';
import { type CodeHost, tryCodeHost } from '../sources/code-host/index.ts';
import type { Registry } from '../sources/registry/index.ts';
import type { Store } from '../store/index.ts';
import { createGate } from './access.ts';
import { createCallers } from './callers.ts';
import { answerTo } from './errors.ts';
import { eventHandlers } from './event-connections.ts';
import { createForeignWrites } from './foreign-writes.ts';
import { createGrpcWeb, emailOf } from './grpc-web.ts';
import { drain, listen } from './listening.ts';
import { mountRoutes } from './mount-routes.ts';
import { createOpenCalls } from './open-calls.ts';
import { openApi } from './openapi.ts';
import { createOriginGuard, ownHosts } from './origin-guard.ts';
import { readPlatform } from './platform.ts';
import { attachRootHandler, type Listener } from './root-handler.ts';
import type { ConsoleTables } from './tables.ts';
import { mountWebApp } from './web-app.ts';

export type ConsoleParts = {
  readonly store: Store<ConsoleTables>;
  /**
   * Keeps what the sandbox platform and its agents report: run outcomes, reports and commands; what is made up never
   * stands beside what is real. Absent without the sandbox.
   */
  readonly sandboxStore?: Store<ConsoleTables> | undefined;
  readonly keys: Keys;
  readonly settings: LiveSettings;
  /** Storage of the audit chain's head outside the store. */
  readonly auditHead: HeadKeeper | undefined;
  readonly codeHost: CodeHost;
  readonly registry: Registry;
  readonly targets: Targets;
  readonly log: Logger;
  readonly diagnosticsLog: DiagnosticsLog;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Folder of the web app bundle. */
  readonly webDir: string;
  readonly version: string;
  /** SameSite attribute of the session cookie. */
  readonly sameSite: SameSite;
  /** True when the platform behind is the sandbox this program started. */
  readonly sandbox: boolean;
};

export type OperatorConsole = {
  /** Origin on which it listens, such as `http://127.0.0.1:41123`. */
  readonly url: string;
  /** Origin that a person's browser should open: the public one, or a host name that is the console's alone. */
  readonly browserOrigin: string;
  /** A one-time sign-in link for a browser, or undefined when the local operator is off. */
  signInLink(): Promise<string | undefined>;
  /** A session of the local operator for the desktop window, handed over by the main process, never by URL. */
  startOperatorSession(): Promise<{ token: string; email: string } | undefined>;
  /** Facts about it to hand over with a question, secrets removed. */
  diagnostics(): Promise<Diagnostics>;
  /** Stops accepting, lets open requests finish for at most `drainMs`, then cuts them off. */
  close(drainMs?: number): Promise<void>;
};

/** Bytes of a JSON or form body. */
const bodyLimit = 1024 * 1024;

/**
 * The composition root: creates the whole console server from its settings and its parts, listening when it
 * resolves. It closes what it opens itself; its parts are closed by their owner.
 */
export function createConsole(config: Config, parts: ConsoleParts): Promise<OperatorConsole> {
  return openParts(parts.log, (opened) => openConsole(config, parts, opened));
}

async function openConsole(
  config: Config,
  parts: ConsoleParts,
  opened: AsyncDisposableStack,
): Promise<OperatorConsole> {
  const { log, now, store, version, keys } = parts;
  const { db } = store;
  const platformDb = (parts.sandboxStore ?? store).db;
  const provider = config.identityProvider;
  const providerOrigin = provider === undefined ? undefined : new URL(provider.issuer).origin;
  const password = createPasswordSignIn(
    { email: config.adminEmail, password: () => keys.value('CONSOLE_ADMIN_PASSWORD') },
    now,
  );
  const authRequired = (): boolean => provider !== undefined || config.localOperator || password.isOn();
  const allowlists = createAllowlists({
    db,
    now,
    configured: config.allowlists,
    sourceOf: parts.settings.sourceOf,
  });
  const isSessionAdmin = (email: string): Promise<boolean> =>
    allowlists.admits('CONSOLE_SESSION_ADMINS', email);
  const audit = createAuditTrail({ store, now, log, head: parts.auditHead });
  opened.defer(() => audit.close());

  const sessions = createSessions({
    db,
    now,
    lifetime: config.sessionLifetime,
    signingKey: () => keys.value('CONSOLE_SESSION_KEY'),
    // Another console on the same database may end a session: it is asked every time.
    shared: store.kind === 'postgres',
  });
  const links = createSignInLinks(db, now);
  const callers = createCallers(sessions);
  const identityKey = createIdentityKey(() => keys.value('CONSOLE_STUDIO_IDENTITY_KEY'));
  const { url: upstream, through } = config.studio;
  const dial = through === undefined ? undefined : () => parts.targets.forward(through);

  const proxy = createStudioProxy({
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    upstream,
    dial,
    identityKey,
    now,
    log,
    sessionOf: callers.session,
    endedOf: sessions.endedOf,
  });

  const grpcWeb = createGrpcWeb({
    log,
    routes: (router) => router.service(ProfileService, profileService({ db, emailOf })),
  });

  const { codeHost, targets } = parts;
  const { targetOf } = targets;
  const delivery = createDelivery({
    codeHost,
    registry: parts.registry,
    registryHost: config.registry,
    targetOf,
    db: platformDb,
    now,
    log,
  });
  const diagnostics = createDiagnostics({
    version,
    sandbox: parts.sandbox,
    settings: () => parts.settings.read({ people: false }),
    targets: () => targets.list(),
    log: parts.diagnosticsLog,
    now,
  });
  const closing = new AbortController();
  const diagnoses = openDiagnoses({ catalogue: readCatalogue, now, closing: closing.signal });
  opened.defer(() => Promise.race([diagnoses.settled(), delay(mostSettling, undefined, { ref: false })]));
  opened.defer(() => delivery.close());
  const server = httpServer(studioSafeServerOptions);
  guardConnections(server);
  let requests = 0;
  const secureHosts = new Set<string>();
  const app = fastifyOn(server, config.trustedProxies);
  opened.defer(() => app.fastify.close());
  let mostDraining = usualDraining;
  opened.defer(() => {
    closing.abort();
    return drain(server, mostDraining, () => proxy.close());
  });
  const gate = createGate({
    authRequired,
    allowlists,
    callers,
    ingestToken: keys.value,
    agentTokens: parts.codeHost,
  });
  const openCalls = createOpenCalls({ gate, endedOf: sessions.endedOf, log });
  opened.defer(() => openCalls.close());
  // Made once, when it is first asked for: it takes tens of milliseconds, and says the same every time.
  let description: ReturnType<typeof openApi> | undefined;
  // For every answer: none is what a browser would make of it by looking into it.
  app.fastify.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
  });
  mountRoutes(app.fastify, {
    gate,
    openCalls,
    audit,
    closing: closing.signal,
    isSecure: (request) => secureHosts.has(request.headers.host?.toLowerCase() ?? ''),
    handlers: {
      ...signInHandlers({
        sessions,
        audit,
        links,
        password,
        identityProvider:
          provider === undefined
            ? undefined
            : createIdentityProvider({ ...provider, db, allowedEmails: config.allowedEmails, now }),
        clientId: provider?.clientId,
        localOperator: { on: config.localOperator, email: config.adminEmail },
        authRequired,
        recaptchaSiteKey: config.recaptchaSiteKey,
        voice: {
          tts: config.voice.tts && isMounted('/api/tts'),
          stt: config.voice.stt && isMounted('/api/stt'),
        },
        sameSite: parts.sameSite,
        absoluteLifetime: config.sessionLifetime.absolute,
        isSessionAdmin,
      }),
      ...accessHandlers(allowlists),
      ...auditHandlers(audit, now),
      ...settingsHandlers({ settings: parts.settings, keys, isSessionAdmin }),
      ...agentHandlers({ db: platformDb, now }),
      ...runHandlers({ codeHost, db: platformDb, now, targetOf }),
      ...delivery.handlers,
      ...codeHostHandlers({
        codeHost,
        settings: parts.settings,
        keys,
        now,
        codeHostSettings: readCodeHostConfig,
        tryOut: (settings) => tryCodeHost(settings, now),
      }),
      ...targets.handlers,
      ...diagnosticsHandlers(diagnostics),
      ...clusterHandlers({
        targetOf,
        now,
        openStreams: () => proxy.openStreams(),
        requests: () => requests,
        studioUpstream: upstream,
      }),
      ...overviewHandlers({ targetOf, now, lastDiagnosis: diagnoses.last }),
      ...fleetHandlers({
        targetOf,
        codeHost,
        db: platformDb,
        allowlists,
        now,
        isWritable: targets.isWritable,
      }),
      ...troubleshootHandlers({
        targetOf,
        earlyBundleOf: targets.earlyBundleOf,
        catalogue: readCatalogue,
        runs: diagnoses,
      }),
      ...requirementHandlers(),
      ...eventHandlers({ log }),
      'system.healthz': () => 'ok',
      'system.openapi': () => {
        description ??= openApi(routeTable, version);
        return description;
      },
      'system.platform': () =>
        readPlatform({
          version,
          sandbox: parts.sandbox,
          upstream,
          dial,
          identityKey: identityKey(),
          now,
        }),
      'studio.list': () => studioList(codeHost),
    },
  });
  app.fastify.setErrorHandler((error, request, reply) => {
    const id = requestIdOf(request.raw);
    const answer = answerTo(error, id);
    const path = request.url.split('?', 1)[0];
    // A stream whose reader has left is no fault.
    if (answer.unexpected && !reply.raw.destroyed)
      log.error({ err: error, request_id: id, method: request.method, path }, 'request failed');
    return reply
      .code(answer.status)
      .headers({ 'cache-control': 'no-store', [requestIdHeader]: id, ...answer.headers })
      .send({ error: answer.message, request_id: id });
  });
  await mountWebApp(app.fastify, { webDir: parts.webDir, version, identityProviderOrigin: providerOrigin });
  await app.fastify.ready();

  const address = await listen(server, config.listen);
  const own = ownHosts({
    listen: { host: config.listen.host, port: address.port },
    publicUrl: config.publicUrl,
    allowed: config.allowedHosts,
  });
  for (const host of own.secureHosts) secureHosts.add(host);
  const guard = createOriginGuard({ ...own, identityProviderOrigin: providerOrigin });
  const onRequest = (): void => {
    requests += 1;
  };
  attachRootHandler(server, {
    guard,
    proxy,
    grpcWeb,
    callers,
    fastify: app.handler,
    onRequest,
    onForeign: createForeignWrites(audit, log),
    log,
  });

  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  // Cookies are shared between the ports of a host: a browser gets a host name that is the console's alone.
  const browserOrigin =
    config.publicUrl?.origin ??
    (isLoopbackHost(config.listen.host) ? `http://console.localhost:${address.port}` : url);
  const closeAll = closeOnce(opened, log);
  return {
    url,
    browserOrigin,
    diagnostics,
    async signInLink() {
      return config.localOperator ? signInAddress(browserOrigin, await links.create()) : undefined;
    },
    async startOperatorSession() {
      if (!config.localOperator) return undefined;
      let token = '';
      const email = await auditedSignIn(audit, {
        method: 'desktop',
        detail: {},
        verify: () => config.adminEmail,
        async start(operator) {
          ({ token } = await sessions.start(operator, 'desktop'));
        },
      });
      return { token, email };
    },
    close(drainMs = usualDraining) {
      mostDraining = drainMs;
      return closeAll();
    },
  };
}

/** Whether a route answers at this path: a window must not offer what nothing does. */
function isMounted(path: string): boolean {
  const paths: readonly string[] = routeTable.map((route) => route.path);
  return paths.includes(path);
}

/** Longest time open requests may continue when the console closes, in ms. */
const usualDraining = 4000;

/** Longest wait for cancelled diagnoses to finish, in ms: a cluster may not answer. */
const mostSettling = 1500;

/** Creates Fastify without its own listener: the root handler decides what reaches it. */
function fastifyOn(
  server: Server,
  trustedProxies: readonly string[] | undefined,
): { fastify: FastifyInstance; handler: Listener } {
  let handler: Listener = () => undefined;
  const fastify = Fastify({
    bodyLimit,
    exposeHeadRoutes: false,
    // Whose word counts for the caller's address; anybody else's X-Forwarded-For is theirs to make up.
    trustProxy: trustedProxies === undefined ? false : [...trustedProxies],
    logger: false,
    // Matched as it was sent: no second reading of an address may differ from the guard's and the proxy's.
    routerOptions: {
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      caseSensitive: true,
      maxParamLength: 512,
    },
    serverFactory: (fastifyHandler) => {
      handler = fastifyHandler;
      return server;
    },
  });
  // Fastify reads JSON and text by itself; the two sign-in posts are forms.
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      const fields = new Map<string, string>();
      for (const [name, value] of new URLSearchParams(String(body))) {
        // Which of two counts is anyone's guess: a credential given twice is not taken at all.
        if (fields.has(name))
          return done(new ConsoleError('BadInput', 'The form gives one of its fields more than once.'));
        fields.set(name, value);
      }
      done(null, Object.fromEntries(fields));
    },
  );
  // A file is taken as it comes: the one route that takes one writes it down piece by piece, and bounds it.
  fastify.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    const length = Number(request.headers['content-length']);
    done(null, { bytes: payload, length: Number.isFinite(length) ? length : undefined });
  });
  fastify.removeContentTypeParser('text/plain');
  return { fastify, handler: (request, response) => handler(request, response) };
}
