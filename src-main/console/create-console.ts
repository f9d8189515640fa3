import { setTimeout as delay } from 'node:timers/promises';
import type { Handlers } from '#shared/api/handler.ts';
import { routeTable } from '#shared/api/index.ts';
import { ProfileService } from '#shared/gen/profile/v1/profile_pb.js';
import { httpServer } from '../base/http-server.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { closeOnce, openParts } from '../base/open-parts.ts';
import { type Config, readCodeHostConfig } from '../config/index.ts';
import { accessHandlers, createAllowlists } from '../features/access/index.ts';
import { agentHandlers, createSessionCommands } from '../features/agents/index.ts';
import { auditHandlers, createAuditTrail } from '../features/audit/index.ts';
import { createAssets, pricedAssets } from '../features/capex/index.ts';
import { clusterHandlers } from '../features/cluster/index.ts';
import { codeHostHandlers, codeHostOrigin } from '../features/code-host/index.ts';
import { addDataSourceServices, dataSourceHandlers } from '../features/data-sources/index.ts';
import { createDelivery } from '../features/delivery/index.ts';
import { createDiagnostics, diagnosticsHandlers } from '../features/diagnostics/index.ts';
import { fleetHandlers } from '../features/fleet/index.ts';
import { createForwards } from '../features/forwards/index.ts';
import { objectsHandlers } from '../features/objects/index.ts';
import { overviewHandlers } from '../features/overview/index.ts';
import { profileService } from '../features/profile/index.ts';
import { requirementHandlers } from '../features/requirements/index.ts';
import { runHandlers } from '../features/runs/index.ts';
import { sandboxHandlers } from '../features/sandbox/index.ts';
import { searchHandlers } from '../features/search/index.ts';
import { setUpHandlers } from '../features/set-up/index.ts';
import { settingsHandlers } from '../features/settings/index.ts';
import {
  auditedSignIn,
  createLiveProvider,
  createPasswordSignIn,
  createSessions,
  createSignInLinks,
  signInAddress,
  signInHandlers,
} from '../features/sign-in/index.ts';
import {
  createForwarding,
  createIdentityKey,
  createLiveProxy,
  createStudioProxy,
  guardConnections,
  studioList,
  studioSafeServerOptions,
} from '../features/studio/index.ts';
import { openDiagnoses, readCatalogue, troubleshootHandlers } from '../features/troubleshoot/index.ts';
import { voiceHandlers } from '../features/voice/index.ts';
import { workloadLogHandlers } from '../features/workload-logs/index.ts';
import { tryCodeHost } from '../sources/code-host/index.ts';
import { createGate } from './access.ts';
import { openAssistant } from './assistant.ts';
import { openAutomation } from './automation.ts';
import { consoleBilling } from './billing.ts';
import { createCallers } from './callers.ts';
import { openClusterActs } from './cluster-acts.ts';
import type { ConsoleParts, OperatorConsole } from './console-parts.ts';
import { consoleDataSources } from './data-sources.ts';
import { answerErrors } from './errors.ts';
import { eventHandlers } from './event-connections.ts';
import { fastifyOn } from './fastify-server.ts';
import { createForeignWrites } from './foreign-writes.ts';
import { createGrpcWeb } from './grpc-web.ts';
import { drain, listen } from './listening.ts';
import { liveStudio } from './live-studio.ts';
import { createLoopbackLead } from './loopback-lead.ts';
import { mountRoutes } from './mount-routes.ts';
import { consoleNotices } from './notices.ts';
import { createOpenCalls } from './open-calls.ts';
import { openApi } from './openapi.ts';
import { createOriginGuard, ownHosts } from './origin-guard.ts';
import { readPlatform } from './platform.ts';
import { platformData } from './platform-data.ts';
import { reachedHereOnly } from './reached-here.ts';
import { createReportLimits } from './report-limits.ts';
import { attachRootHandler } from './root-handler.ts';
import { createRpcGate } from './rpc-gate.ts';
import { mountWebApp } from './web-app.ts';

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
  const { log, now, store, version, keys, current } = parts;
  const { db } = store;
  const platformDb = () => (parts.sandbox.store() ?? store).db;
  const sandboxRuns = (): boolean => parts.sandbox.store() !== undefined;
  const provider = createLiveProvider(current, { db, now });
  const password = createPasswordSignIn(
    { email: config.adminEmail, password: () => keys.value('CONSOLE_ADMIN_PASSWORD') },
    now,
  );
  const authRequired = (): boolean =>
    provider.settings() !== undefined || config.localOperator || password.isOn();
  const allowlists = createAllowlists({
    db,
    now,
    configured: () => current().allowlists,
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
  const studio = liveStudio(() => current().studio, parts.targets);

  const proxy = createLiveProxy(studio, ({ upstream, dial }) =>
    createStudioProxy({
      publicUrl: config.publicUrl,
      trustedProxies: config.trustedProxies,
      upstream,
      dial,
      identityKey,
      now,
      log,
      sessionOf: callers.session,
      endedOf: sessions.endedOf,
    }),
  );

  const { codeHost, targets } = parts;
  const { targetOf } = targets;
  const delivery = createDelivery({
    codeHost,
    registry: parts.registry,
    registryHost: () => current().registry,
    targetOf,
    db: platformDb,
    now,
    log,
  });
  const diagnostics = createDiagnostics({
    version,
    sandbox: sandboxRuns,
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
  let listening: number | undefined;
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
  const { dataSources, sandboxAssets } = consoleDataSources({
    config,
    current,
    db,
    secrets: parts.secrets,
    sandbox: parts.sandbox,
    log,
    audit,
    network: parts.network,
    studio: () => studio().upstream,
    port: () => listening,
    now,
  });
  const assets = createAssets(db, now);
  const read = {
    ...accessHandlers(allowlists),
    ...settingsHandlers({ settings: parts.settings, keys, isSessionAdmin }),
    ...runHandlers({ codeHost, db: platformDb, now, targetOf }),
    ...delivery.handlers,
    ...fleetHandlers({
      targetOf,
      codeHost,
      assets: async () => [...pricedAssets(await assets.list()), ...(await sandboxAssets())],
      db: platformDb,
      allowlists,
      now,
      isWritable: targets.isWritable,
    }),
  };
  let browserOrigin: string | undefined;
  const billing = consoleBilling(
    { config, current, db: platformDb, keys, audit, origin: () => browserOrigin, log, now },
    opened,
  );
  const notices = consoleNotices(store, config, log);
  opened.defer(() => notices.close());
  const commands = createSessionCommands({ db: platformDb, now, notices });
  const data = platformData({
    db,
    assets,
    platformDb,
    dataSources,
    targetOf,
    codeHost,
    read,
    audit,
    commands,
    acts: () => clusterActs.acts,
    authRequired,
    now,
  });
  const clusterActs = openClusterActs(
    {
      db,
      shared: store.kind === 'postgres',
      audit,
      targets,
      settings: parts.settings,
      decide: data.guardrails.decide,
      now,
      log,
    },
    opened,
  );
  const assistant = openAssistant({
    db,
    gate,
    handlers: () => handlers,
    acts: clusterActs.acts,
    decide: data.guardrails.decide,
    audit,
    current,
    keys,
    now,
  });
  const forwards = createForwards({
    db,
    live: targets.live,
    onThisMachine: reachedHereOnly(config),
    now,
  });
  opened.defer(() => forwards.close());
  const automation = openAutomation(
    {
      db,
      acts: clusterActs.acts,
      guardrails: data.guardrails,
      targetOf,
      sandboxRuns,
      commands,
      notices,
      audit,
      now,
      log,
    },
    opened,
  );
  const clientOf = createForwarding({ trustedProxies: config.trustedProxies });
  const rpcGate = createRpcGate({
    gate,
    openCalls,
    audit,
    addressOf: (request) => clientOf(request).for.split(',', 1)[0] ?? 'unknown',
    closing: closing.signal,
  });
  const grpcWeb = createGrpcWeb({
    log,
    routes: (router) => {
      router.service(ProfileService, profileService(db, rpcGate));
      addDataSourceServices(router, dataSources, rpcGate);
      data.addServices(router, rpcGate);
      automation.addServices(router, rpcGate);
      assistant.addServices(router, rpcGate);
    },
  });
  // Made once, when it is first asked for: it takes tens of milliseconds, and says the same every time.
  let description: ReturnType<typeof openApi> | undefined;
  // For every answer: none is what a browser would make of it by looking into it.
  app.fastify.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
  });
  const handlers: Handlers = {
    ...signInHandlers({
      sessions,
      audit,
      links,
      password,
      identityProvider: provider.now,
      clientId: () => provider.settings()?.clientId,
      localOperator: { on: config.localOperator, email: config.adminEmail },
      signInCommand: (address) =>
        reachedHereOnly(config) && isLoopbackHost(address.replace(/^::ffff:/i, ''))
          ? parts.signInCommand
          : undefined,
      authRequired,
      recaptchaSiteKey: config.recaptchaSiteKey,
      voice: () => {
        const { tts, stt } = current().voice;
        return { tts: tts !== undefined, stt: stt !== undefined };
      },
      sameSite: parts.sameSite,
      absoluteLifetime: config.sessionLifetime.absolute,
      isSessionAdmin,
    }),
    ...read,
    ...auditHandlers(audit, now),
    ...setUpHandlers({ settings: parts.settings, keys, forward: targets.forward }),
    ...sandboxHandlers(parts.sandbox),
    ...agentHandlers({
      db: platformDb,
      now,
      commands,
      onFinished: (id) => automation.playbooks.commandFinished(id),
    }),
    ...automation.handlers,
    ...codeHostHandlers({
      codeHost,
      settings: parts.settings,
      keys,
      now,
      codeHostSettings: readCodeHostConfig,
      tryOut: (settings) => tryCodeHost(settings, now),
    }),
    ...targets.handlers(isSessionAdmin),
    ...parts.kubeconfigs.handlers,
    ...diagnosticsHandlers(diagnostics),
    ...clusterHandlers({
      targetOf,
      now,
      openStreams: () => proxy.openStreams(),
      requests: () => requests,
      studioUpstream: () => studio().upstream,
    }),
    ...objectsHandlers({ targetOf, now }),
    ...workloadLogHandlers(targetOf, now),
    ...overviewHandlers({ targetOf, now, lastDiagnosis: diagnoses.last }),
    ...troubleshootHandlers({
      targetOf,
      earlyBundleOf: targets.earlyBundleOf,
      catalogue: readCatalogue,
      runs: diagnoses,
    }),
    ...requirementHandlers(),
    ...searchHandlers({
      targetOf,
      targets,
      codeHost,
      db: platformDb,
      catalogue: readCatalogue,
      audit,
      sessions,
      workspace: data.workspace,
      isSessionAdmin,
      now,
    }),
    ...eventHandlers({ log }),
    ...dataSourceHandlers(dataSources),
    ...data.handlers,
    ...clusterActs.handlers,
    ...billing.handlers,
    ...forwards.handlers,
    ...voiceHandlers({
      speech: () => speechEndpoint(current().voice.tts, keys.value('TTSD_API_KEY')),
      transcripts: () => speechEndpoint(current().voice.stt, keys.value('VOICE_REMOTE_API_KEY')),
      log,
      now,
    }),
    'system.healthz': () => 'ok',
    'system.openapi': () => {
      description ??= openApi(routeTable, version);
      return description;
    },
    'system.platform': () =>
      readPlatform({
        version,
        sandbox: sandboxRuns(),
        ...studio(),
        identityKey: identityKey(),
        now,
      }),
    'studio.list': () => studioList(codeHost),
    ...assistant.handlers,
  };
  mountRoutes(app.fastify, {
    gate,
    reportLimits: createReportLimits(now),
    openCalls,
    audit,
    closing: closing.signal,
    isSecure: (request) => secureHosts.has(request.headers.host?.toLowerCase() ?? ''),
    handlers,
  });
  answerErrors(app.fastify, log);
  await mountWebApp(app.fastify, {
    webDir: parts.webDir,
    version,
    identityProviderOrigin: provider.origin,
    codeHostOrigin: () => codeHostOrigin({ settings: parts.settings, codeHostSettings: readCodeHostConfig }),
    recaptcha: config.recaptchaSiteKey !== undefined,
    elsewhere: createLoopbackLead({
      // The desktop window is signed in at the address it loads, and goes nowhere else.
      leads: reachedHereOnly(config) && parts.sameSite !== 'Strict',
      origin: () => browserOrigin,
      isSignedIn: async (request) => (await callers.of(request)).email !== undefined,
    }),
  });
  await app.fastify.ready();

  const address = await listen(server, config.listen);
  listening = address.port;
  const own = ownHosts({
    listen: { host: config.listen.host, port: address.port },
    publicUrl: config.publicUrl,
    allowed: config.allowedHosts,
  });
  for (const host of own.secureHosts) secureHosts.add(host);
  const guard = createOriginGuard({ ...own, identityProviderOrigin: provider.origin });
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

  clusterActs.start();

  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  // Cookies are shared between the ports of a host: a browser gets a host name that is the console's alone.
  const ownOrigin =
    config.publicUrl?.origin ??
    (isLoopbackHost(config.listen.host) ? `http://console.localhost:${address.port}` : url);
  browserOrigin = ownOrigin;
  billing.start();
  const closeAll = closeOnce(opened, log);
  return {
    url,
    browserOrigin: ownOrigin,
    diagnostics,
    async signInLink() {
      return config.localOperator ? signInAddress(ownOrigin, await links.create()) : undefined;
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

const speechEndpoint = (url: URL | undefined, key: string | undefined) =>
  url === undefined ? undefined : { url, key };

/** Longest time open requests may continue when the console closes, in ms. */
const usualDraining = 4000;

/** Longest wait for cancelled diagnoses to finish, in ms: a cluster may not answer. */
const mostSettling = 1500;
