import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Config, type Environment, readConfig } from '../../src-main/config/index.ts';
import type { ConsoleParts, OperatorConsole } from '../../src-main/console/console-parts.ts';
import { createConsole } from '../../src-main/console/create-console.ts';
import { type ConsoleTables, consoleMigrations } from '../../src-main/console/tables.ts';
import type { HeadKeeper } from '../../src-main/features/audit/index.ts';
import { createKubeconfigs, type Kubeconfigs } from '../../src-main/features/kubeconfigs/index.ts';
import { type StoreKey, storeKeyOf } from '../../src-main/features/settings/index.ts';
import { createSessions } from '../../src-main/features/sign-in/index.ts';
import type { Cluster } from '../../src-main/sources/cluster/index.ts';
import { createContexts } from '../../src-main/sources/cluster/live/index.ts';
import {
  type AgentTokens,
  type CodeHost,
  createCodeHost,
  noCodeHost,
} from '../../src-main/sources/code-host/index.ts';
import { noKeychain } from '../../src-main/sources/keychain/index.ts';
import { noRegistry, type Registry } from '../../src-main/sources/registry/index.ts';
import { type Network, systemNetwork } from '../../src-main/sources/service-probe/index.ts';
import { liveCodeHostSettings } from '../../src-main/start/code-host-settings.ts';
import { openSettings } from '../../src-main/start/console-settings.ts';
import { keptSecrets } from '../../src-main/start/console-store.ts';
import { liveConfig } from '../../src-main/start/live-config.ts';
import { openStore, type Store, type StoreLocation } from '../../src-main/store/index.ts';
import type { AgentCaller } from '../../src-shared/api/handler.ts';
import { ConsoleError } from '../../src-shared/errors.ts';
import { environmentSettings } from './environment-settings.ts';
import { repoRoot } from './repo-root.ts';
import { throwIfHeld, watchHolds } from './request-holds.ts';
import { testTargets } from './targets.ts';

export type TestConsole = OperatorConsole & {
  /** `host:port`. */
  readonly host: string;
  /** Its store, for tests that damage or inspect it. */
  readonly store: Store<ConsoleTables>;
  /** Moves the console's clock, in ms. */
  advance(ms: number): void;
  /** A Cookie header of a freshly signed-in local operator, as the desktop window has it. */
  cookie(): Promise<string>;
  /** A Cookie header of whoever redeems a new one-time sign-in link. */
  linkCookie(): Promise<string>;
  /** A Cookie header of anybody, signed in through the identity provider. */
  cookieOf(email: string): Promise<string>;
};

export type TestConsoleOptions = {
  readonly webDir?: string;
  /** Default: in memory. */
  readonly place?: StoreLocation;
  readonly auditHead?: HeadKeeper;
  /** Keeps secrets sealed in its store, and settings in this folder; the default keeps nothing. */
  readonly keeps?: { readonly folder: string };
  /**
   * The code host's answer for each installation token: its caller, or the error the lookup fails with.
   * Default: none.
   */
  readonly agentTokens?: Readonly<Record<string, AgentCaller | Error>>;
  /** Default: the one its settings name when it keeps them, else none. */
  readonly codeHost?: CodeHost;
  readonly registry?: Registry;
  /** What probes of connections reach; default: the machine's own network. */
  readonly network?: Network;
  /** The one cluster of every read; default: none. */
  readonly cluster?: Cluster;
};

/** A code host that vouches for the given tokens only. */
function agentTokensOf(tokens: NonNullable<TestConsoleOptions['agentTokens']>): AgentTokens {
  return {
    async verify(token) {
      const answer = tokens[token];
      if (answer === undefined)
        throw new ConsoleError('NotSignedIn', 'The code host does not know this installation token.');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

function keepingSettings(env: Environment, config: Config, store: Store<ConsoleTables>, storeKey: StoreKey) {
  const keychain = noKeychain();
  return openSettings({
    env,
    sandbox: () => ({}),
    resolved: { config, inFile: {} },
    opened: {
      kept: keptSecrets(store, storeKey, keychain),
      keychain,
      status: { kind: store.kind, place: 'the test', encrypted: false, key_source: 'env' },
    },
    log: pino({ level: 'silent' }),
  });
}

/** A sandbox without a platform: it says that it runs, and keeps nothing. */
function testSandbox(): ConsoleParts['sandbox'] {
  let on = false;
  return {
    state: () => (on ? 'on' : 'off'),
    whyNot: () => undefined,
    store: () => undefined,
    data: () => undefined,
    async start() {
      on = true;
    },
    async stop() {
      on = false;
    },
  };
}

/** A console with a store of its own in memory, a clock the test moves, and nothing configured but `env`. */
export async function testConsole(
  env: Environment = {},
  options: TestConsoleOptions = {},
): Promise<TestConsole> {
  watchHolds();
  let ahead = 0;
  const environment = {
    CONSOLE_STUDIO_IDENTITY_KEY: randomBytes(32).toString('base64'),
    STUDIO_UPSTREAM: 'http://127.0.0.1:9',
    CONSOLE_LISTEN: '127.0.0.1:0',
    ...(options.keeps === undefined ? {} : { CONSOLE_DATA_DIR: options.keeps.folder }),
    ...env,
  };
  const config = readConfig(environment);
  const store = await openStore<ConsoleTables>({
    location: options.place ?? { kind: 'sqlite', file: ':memory:', encryption: 'none' },
    migrations: consoleMigrations,
  });
  const storeKey = storeKeyOf('env', randomBytes(32));
  const { keys, settings } =
    options.keeps === undefined
      ? environmentSettings(environment)
      : await keepingSettings(environment, config, store, storeKey);
  const now = (): number => Date.now() + ahead;
  const sessions = createSessions({
    db: store.db,
    now,
    lifetime: config.sessionLifetime,
    signingKey: () => keys.value('CONSOLE_SESSION_KEY'),
    shared: true,
  });
  const codeHost =
    options.codeHost ??
    (options.keeps === undefined
      ? noCodeHost
      : createCodeHost({ settings: liveCodeHostSettings(settings, keys), now }));
  const targets = testTargets({ cluster: options.cluster, db: store.db, now });
  // Made by whoever attaches one: most tests leave nothing behind.
  const folder = join(tmpdir(), `kubeconfigs-${randomUUID()}`);
  const contextsOf = (file: string) =>
    createContexts({ files: () => [file], loginShellPath: false, env: {} });
  const kubeconfigs: Kubeconfigs = createKubeconfigs({
    folder,
    contextsOf,
    contexts: createContexts({
      files: () => [],
      attached: () => kubeconfigs.files(),
      loginShellPath: false,
      env: {},
    }),
    onDetach: () => undefined,
    pathsFor: undefined,
    now,
  });
  const running = await createConsole(config, {
    store,
    keys,
    secrets: keptSecrets(store, storeKey, noKeychain()),
    network: options.network ?? systemNetwork,
    settings,
    auditHead: options.auditHead,
    codeHost: {
      ...codeHost,
      ...(options.agentTokens === undefined ? {} : agentTokensOf(options.agentTokens)),
    },
    registry: options.registry ?? noRegistry,
    targets,
    kubeconfigs,
    log: pino({ level: 'silent' }),
    diagnosticsLog: { file: '/nowhere/console.log', recent: () => [], redact: (text) => text },
    now,
    webDir: options.webDir ?? join(repoRoot, 'test/support/no-such-bundle'),
    version: '0.0.0-test',
    current: options.keeps === undefined ? () => config : liveConfig(settings, config),
    sandbox: testSandbox(),
    signInCommand: 'operator-console sign-in-link --data-dir /srv/console',
    sameSite: 'Lax',
  });
  return {
    ...running,
    store,
    host: new URL(running.url).host,
    advance: (ms) => {
      ahead += ms;
    },
    async cookie() {
      const session = await running.startOperatorSession();
      if (session === undefined) throw new Error('the local operator is off in this console');
      return `console_session=${session.token}`;
    },
    async linkCookie() {
      const link = new URL((await running.signInLink()) ?? '', running.url);
      const { headers } = await fetch(`${running.url}${link.pathname}${link.search}`, { redirect: 'manual' });
      return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    },
    async cookieOf(email) {
      const { token } = await sessions.start(email, 'identity-provider');
      return `console_session=${token}`;
    },
    async close() {
      await running.close(200);
      await targets.close();
      codeHost.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
      throwIfHeld();
    },
  };
}
