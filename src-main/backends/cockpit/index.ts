import type { ConnectRouter } from '@connectrpc/connect';
import { AuthService } from '#shared/gen/cockpit/v1/auth_pb.js';
import { EstateService } from '#shared/gen/cockpit/v1/estate_pb.js';
import { ModelService } from '#shared/gen/cockpit/v1/model_pb.js';
import { RunnerService } from '#shared/gen/cockpit/v1/runner_pb.js';
import { ScheduleService } from '#shared/gen/cockpit/v1/schedules_pb.js';
import { closeOnce, openParts } from '../../base/open-parts.ts';
import { StoreError } from '../../store/index.ts';
import { openMeshIdentity } from '../mesh/index.ts';
import { type SealedStore, StorageUnavailable } from '../sealed/index.ts';
import { type BackendLog, type Serving, StartupRefused, serveBackend, silentLog } from '../serving/index.ts';
import { mountAppfs, sealedAt } from './appfs/index.ts';
import type { CockpitConfig } from './config.ts';
import { estateService } from './estate/estate-service.ts';
import { createFetching } from './estate/fetching.ts';
import { estateRecords } from './estate/records.ts';
import { createRunnerClient } from './estate/runner-client.ts';
import { runnerService } from './estate/runner-service.ts';
import { openSearch } from './estate/search.ts';
import { healthRoutes } from './health.ts';
import { openGrounding } from './model/grounding.ts';
import { createInference } from './model/inference.ts';
import { modelService } from './model/model-service.ts';
import { type Consensus, joinConsensus } from './raft/index.ts';
import { keepReplica, restoreReplica } from './replica.ts';
import { scheduleService } from './schedules/schedule-service.ts';
import { openScheduler } from './schedules/scheduler.ts';
import { openAccounts } from './sign-in/accounts.ts';
import { createAttempts } from './sign-in/attempts.ts';
import { authService } from './sign-in/auth-service.ts';
import { createIdentityProvider } from './sign-in/identity-provider.ts';
import { createSessions, type Sessions } from './sign-in/sessions.ts';
import { openCockpitStore } from './store.ts';

export { type CockpitConfig, type Role, readCockpitConfig, readPort } from './config.ts';

export type CockpitOptions = {
  /** Port 0 lets the system choose. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly config: CockpitConfig;
  /** Epoch ms. */
  readonly now?: () => number;
  /** Delay after boot before the embedding endpoint is checked, in milliseconds; 15 s (BCK-079). */
  readonly warmupMs?: number;
  /** Timeout for opening the consensus state, in milliseconds. */
  readonly raftStartMs?: number;
  readonly log?: BackendLog;
};

export type Cockpit = Serving & {
  /** Process id of the consensus engine now; undefined for who is no member. */
  enginePid(): number | undefined;
};

const warmupMs = 15_000;
const sweepMs = 60 * 60_000;
/** Lifetime of a session of the schedules' own, in milliseconds: longer than a fetch. */
const scheduleSessionMs = 5 * 60_000;

/**
 * Starts a control plane or a runner (BCK-003). Throws `StartupRefused` when something it needs cannot be had;
 * nothing is left open then.
 */
export async function startCockpit(options: CockpitOptions): Promise<Cockpit> {
  const { config, listen, now = Date.now, log = silentLog } = options;
  return openParts(log, async (opened) => {
    const mesh = await openMeshIdentity({ folder: config.meshFolder, now, log });
    const appfs = await mountAppfs(config.appfs, config.envelopeKey);
    const sessions = createSessions({ secret: config.signIn.jwtSecret, appfs, now, log });
    const consensus =
      config.raft === undefined
        ? undefined
        : await joinConsensus({
            config: config.raft,
            mesh: mesh.files,
            now,
            startMs: options.raftStartMs,
            log,
          });
    if (consensus !== undefined) opened.defer(consensus.close);
    const services =
      config.role === 'runner'
        ? (router: ConnectRouter) => router.service(RunnerService, runnerService(), signedIn(sessions))
        : await controlPlane({ options, opened, appfs, sessions, consensus, now, log });
    const serving = await serveBackend({
      listen,
      name: config.role === 'runner' ? 'cockpit runner' : 'cockpit backend',
      unavailable,
      services,
      plain: healthRoutes({
        mesh,
        consensus,
        whyNoConsensus:
          config.role === 'runner'
            ? 'A runner is no member of the consensus.'
            : 'RAFT_NODE_ID is not set, so this process is no member of the consensus.',
        signIn: config.signIn,
      }),
      log,
    });
    opened.defer(serving.close);
    if (config.namesEnrollment)
      log.warn(
        {},
        'RUNNER_ENROLL_ADDR is set, but this backend enrolls nowhere: a runner shares the appfs root of its control plane, and MANAGED_RUNNER_ENDPOINT of that control plane is its address',
      );
    return {
      ...serving,
      enginePid: () => consensus?.enginePid(),
      close: closeOnce(opened, log),
    };
  });
}

type ControlPlaneParts = {
  readonly options: CockpitOptions;
  readonly opened: AsyncDisposableStack;
  readonly appfs: SealedStore;
  readonly sessions: Sessions;
  readonly consensus: Consensus | undefined;
  readonly now: () => number;
  readonly log: BackendLog;
};

/** Opens what only a control plane has: store, replica, accounts, model plane, estate and schedules. */
async function controlPlane(parts: ControlPlaneParts): Promise<(router: ConnectRouter) => void> {
  const { options, opened, sessions, consensus, now, log } = parts;
  const { config } = options;
  const store = await openStoreWithReplica(config, opened, log);
  const { oidc, admin } = config.signIn;
  const auth = authService({
    config: config.signIn,
    accounts: await openAccounts(store, admin, log),
    attempts: createAttempts(now),
    sessions,
    provider: oidc === undefined ? undefined : createIdentityProvider({ ...oidc, now }),
    log,
  });
  const grounding = openGrounding({
    config: config.embedding,
    warmupMs: options.warmupMs ?? warmupMs,
    log,
  });
  opened.defer(grounding.close);
  const inference = createInference(config.inference);
  const records = estateRecords(store);
  const runner = createRunnerClient(config.estate.runnerUrl);
  const fetching = createFetching({ records, runner, now });
  const search = await openSearch(store, grounding);
  const scheduler = await openScheduler({
    store,
    fetching,
    executeFetch: config.estate.executeFetch,
    leads: async () => consensus === undefined || consensus.leads(),
    withSession: (run) => withScheduleSession(sessions, run),
    now,
    log,
  });
  opened.defer(scheduler.close);
  opened.defer(sweeping(sessions, log));
  const { kubernetes } = config.estate;
  return (router) => {
    router.service(AuthService, auth);
    router.service(ModelService, modelService({ inference, grounding }), signedIn(sessions));
    router.service(
      EstateService,
      estateService({ records, fetching, search, kubernetes }),
      signedIn(sessions),
    );
    router.service(ScheduleService, scheduleService({ records, scheduler }), signedIn(sessions));
  };
}

/** The words of what it stands on name a file or a bucket; they are in the log. */
function unavailable(error: unknown): string | undefined {
  if (error instanceof StorageUnavailable) return 'The appfs root does not answer. Try again in a moment.';
  if (error instanceof StoreError) return 'The store of the cockpit cannot be used; its log says why.';
  return undefined;
}

/** Refuses requests without a session before reading any of them. */
function signedIn(sessions: Sessions) {
  return {
    requestGate: async ({ requestHeader }: { readonly requestHeader: Headers }): Promise<void> => {
      await sessions.callerOf(requestHeader);
    },
  };
}

async function openStoreWithReplica(config: CockpitConfig, opened: AsyncDisposableStack, log: BackendLog) {
  const { sqliteFile, replica, envelopeKey } = config;
  const location =
    replica === undefined
      ? undefined
      : { store: sealedAt(replica.location, envelopeKey), object: replica.object };
  if (location !== undefined) await restoreReplica(location, sqliteFile, log);
  const store = await openCockpitStore(sqliteFile).catch((error: unknown) => {
    if (error instanceof StoreError)
      throw new StartupRefused(`SQLITE_PATH cannot be used: ${error.message}`, { cause: error });
    throw error;
  });
  opened.defer(store.close);
  if (location !== undefined) opened.defer(keepReplica(store, sqliteFile, location, log).close);
  return store;
}

async function withScheduleSession<T>(
  sessions: Sessions,
  run: (authorization: string) => Promise<T>,
): Promise<T> {
  const { token, name } = await sessions.begin(
    { email: 'schedules@cockpit.invalid', admin: false },
    scheduleSessionMs,
  );
  try {
    return await run(`Bearer ${token}`);
  } finally {
    await sessions.end(name);
  }
}

/** Records of sessions that expired are removed now and every hour; answers what ends that. */
function sweeping(sessions: Sessions, log: BackendLog): () => void {
  const sweep = (): void => {
    sessions.sweep().catch((error: unknown) => {
      log.warn({ err: error }, 'the records of expired sessions could not be removed; it is tried again');
    });
  };
  const timer = setInterval(sweep, sweepMs);
  sweep();
  return () => clearInterval(timer);
}
