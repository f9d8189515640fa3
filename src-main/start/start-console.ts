import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isLoopbackHost } from '../base/loopback.ts';
import { closeOnce, closeTogether, openParts } from '../base/open-parts.ts';
import { writePrivateFile } from '../base/private-file.ts';
import { processEnd } from '../base/process-end.ts';
import { type Config, ConfigError, type Environment, withoutSecrets } from '../config/index.ts';
import type { OperatorConsole } from '../console/console-parts.ts';
import { createConsole } from '../console/create-console.ts';
import { createKubeconfigs } from '../features/kubeconfigs/index.ts';
import { type Keys, type LiveSettings, secretNames } from '../features/settings/index.ts';
import { createSignInLinks, type SameSite, signInAddress } from '../features/sign-in/index.ts';
import { createTargets, sandboxTarget } from '../features/targets/index.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/index.ts';
import { openBundle } from '../sources/cluster/bundle/index.ts';
import { createContexts } from '../sources/cluster/live/index.ts';
import { createCodeHost } from '../sources/code-host/index.ts';
import { createLiveRegistry, createRegistry } from '../sources/registry/index.ts';
import { systemNetwork } from '../sources/service-probe/index.ts';
import { liveClusterSettings } from './cluster-settings.ts';
import { liveCodeHostSettings } from './code-host-settings.ts';
import { type ConsoleLog, openConsoleLog } from './console-log.ts';
import { openSettings, type ResolvedSettings, resolveSettings } from './console-settings.ts';
import { openConsoleStore } from './console-store.ts';
import { liveConfig } from './live-config.ts';
import { createLiveSandbox } from './live-sandbox.ts';
import { projectRoot, signInCommand, version } from './program.ts';
import { createRedact } from './redact.ts';

/** In ms. */
const prepareAfter = 200;

export type StartOptions = {
  readonly env: Environment;
  /** Start the sandbox platform and attach to it; `unless-attached`: only when no setting names a studio. */
  readonly sandbox: boolean | 'unless-attached';
  /** SameSite attribute of the session cookie; `Strict` for the desktop window. */
  readonly sameSite?: SameSite;
  /** Log lines on standard error as text although that is no terminal: a person reads them. */
  readonly logForm?: 'text';
  /** Starts the sandbox platform, in a process of its own; in this one where it is absent. */
  readonly startPlatform?: (options: SandboxOptions) => Promise<Sandbox>;
  /** Called with the log as soon as it is open, before anything else is, for crash reporting. */
  readonly onLog?: (log: ConsoleLog) => void;
};

export type RunningConsole = Omit<OperatorConsole, 'close'> & {
  /** Whether the sandbox platform was started with it. */
  readonly sandbox: boolean;
  readonly log: Logger;
  /** The newest log file. */
  readonly logFile: string;
  close(): Promise<void>;
};

/**
 * Starts a console with everything it owns: the store, and the sandbox if requested. Both entry points call
 * this.
 */
export async function startConsole(options: StartOptions): Promise<RunningConsole> {
  const { env } = options;
  const resolved = resolveSettings(env);
  const { dataDir, logLevel } = resolved.config;
  const secrets = liveSecrets();
  const logs = openConsoleLog({
    dataDir,
    level: logLevel,
    redact: createRedact(env, secrets.values),
    text: options.logForm === 'text',
  });
  options.onLog?.(logs);
  return openParts(logs.log, (opened) => {
    opened.defer(logs.close);
    return openConsole(options, resolved, { opened, logs, secrets });
  });
}

async function openConsole(
  options: StartOptions,
  resolved: ResolvedSettings,
  { opened, logs, secrets }: Opening,
): Promise<RunningConsole> {
  const { log } = logs;
  const { env, sameSite = 'Lax', startPlatform = startPlatformHere } = options;
  const { config } = resolved;
  const consoleStore = await openConsoleStore(config, (error) =>
    log.warn({ reason: error.message }, 'a database connection broke and will be replaced'),
  );
  opened.defer(() => consoleStore.store.close());
  processEnd.throwIfAborted();
  const { notice } = consoleStore.status;
  if (notice !== undefined) log.warn(notice);
  const sandbox = createLiveSandbox({
    startPlatform: (admin) => startPlatform({ config: current(), env, log, admin }),
    whyNot: () => whyNoSandbox(config, settings),
    onChange: () => targets.forget(sandboxTarget),
  });
  const { keys, settings, close } = await openSettings({
    env,
    sandbox: sandbox.env,
    resolved,
    opened: consoleStore,
    log,
  });
  opened.defer(close);
  const current = liveConfig(settings, config);
  secrets.from(keys);
  const codeHost = createCodeHost({ settings: liveCodeHostSettings(settings, keys), now: Date.now });
  opened.defer(() => codeHost.close());
  const registry = createLiveRegistry(
    () => current().registry,
    (host) =>
      createRegistry({ host, credentials: () => keys.value('CONSOLE_REGISTRY_TOKEN'), now: Date.now }),
  );
  opened.defer(() => registry.close());
  const contextOptions = {
    loginShellPath: config.loginShellPath,
    // Sign-in programs and the login shell get it.
    env: withoutSecrets(env),
  };
  // The local operator's own machine: nobody else reaches a console on loopback as them.
  const pathsFor =
    config.localOperator && isLoopbackHost(config.listen.host) && config.publicUrl === undefined
      ? config.adminEmail
      : undefined;
  const contexts = createContexts({
    files: () => current().kubeconfig,
    attached: () => kubeconfigs.files(),
    ...contextOptions,
  });
  const kubeconfigs = createKubeconfigs({
    folder: join(config.dataDir, 'kubeconfigs'),
    contextsOf: (file) => createContexts({ files: () => [file], ...contextOptions }),
    contexts,
    onDetach: (names) => {
      for (const name of names) targets.forget(name);
    },
    pathsFor,
    now: Date.now,
  });
  const targets = createTargets({
    contexts,
    ...liveClusterSettings(settings),
    db: consoleStore.store.db,
    sandbox: () => sandbox.store() !== undefined,
    now: Date.now,
    bundles: { openBundle, folder: join(config.dataDir, 'bundles') },
    pathsFor,
  });
  opened.defer(() => targets.close());
  opened.defer(() => sandbox.close());
  // Then the local operator is a session admin, so that a newcomer sees every page. It starts while the console does.
  const sandboxStarted = wantsSandbox(options, resolved) ? sandbox.start({ admin: true }) : Promise.resolve();
  // Whatever comes first, its failure is told below.
  sandboxStarted.catch(() => undefined);
  const running = await createConsole(config, {
    store: consoleStore.store,
    current,
    sandbox,
    keys,
    secrets: consoleStore.kept,
    network: systemNetwork,
    settings,
    auditHead: consoleStore.auditHead,
    codeHost,
    registry,
    targets,
    kubeconfigs,
    log,
    diagnosticsLog: logs,
    now: Date.now,
    webDir: config.webDir ?? join(projectRoot(), 'out', 'renderer'),
    version: version(),
    signInCommand: signInCommand(config.dataDir),
    sameSite,
  });
  sandbox.reportTo(running.url);
  // Together: an answer that streams through the console ends when the studio lets it end.
  opened.defer(() => closeTogether([running, sandbox]));
  await sandboxStarted;
  // After the first page is served, and before somebody asks for apps.
  setTimeout(() => codeHost.prepare(), prepareAfter).unref();
  const file = runningFile(config);
  writePrivateFile(file, { origin: running.browserOrigin, pid: process.pid });
  opened.defer(() => {
    // Another console may have taken the folder over meanwhile: its note is not ours to remove.
    if (readRunning(file)?.pid === process.pid) rmSync(file);
  });
  return {
    ...running,
    sandbox: sandbox.store() !== undefined,
    log,
    logFile: logs.file,
    close: closeOnce(opened, log),
  };
}

type Opening = {
  readonly opened: AsyncDisposableStack;
  readonly logs: ConsoleLog;
  readonly secrets: ReturnType<typeof liveSecrets>;
};

/** The secrets in effect, for the log to hide: it is open before they are read. */
function liveSecrets() {
  let keys: Keys | undefined;
  return {
    from(read: Keys): void {
      keys = read;
    },
    values: (): string[] => secretNames.flatMap((name) => keys?.value(name) ?? []),
  };
}

/**
 * Returns why the sandbox is not started beside what is attached: it would stand in the place of everybody's studio, or on
 * one of several consoles only.
 */
function whyNoSandbox(config: Config, settings: LiveSettings): string | undefined {
  const apart = 'Start one separately: `operator-console serve --sandbox --data-dir ./sandbox`.';
  if (config.databaseUrl !== undefined)
    return `Other consoles may share this database, and would not have the sandbox. ${apart}`;
  if (settings.sourceOf('STUDIO_UPSTREAM') !== 'default')
    return `A studio is connected (STUDIO_UPSTREAM), and the sandbox would replace it. ${apart}`;
  return undefined;
}

/** Loaded only here: the platform's code is a quarter of the program, and most consoles run without it. */
async function startPlatformHere(options: SandboxOptions): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/index.ts');
  return startSandbox(options);
}

function wantsSandbox({ env, sandbox }: StartOptions, { inFile }: ResolvedSettings): boolean {
  if (sandbox !== 'unless-attached') return sandbox;
  return !env.STUDIO_UPSTREAM?.trim() && !inFile.STUDIO_UPSTREAM?.trim();
}

/**
 * Returns a one-time sign-in link for the console running on this machine with the same data folder: anyone
 * who can open its store can sign in to it. Throws when none is running there, or its local operator is off.
 */
export async function newSignInLink(env: Environment): Promise<string> {
  const { config } = resolveSettings(env);
  if (!config.localOperator)
    throw new ConfigError('CONSOLE_LOCAL_OPERATOR is off: there are no sign-in links.');
  const running = readRunning(runningFile(config));
  if (running === undefined) {
    throw new Error(
      `No console is running with the data folder ${config.dataDir}: start one, or name its folder with --data-dir.`,
    );
  }
  const { store } = await openConsoleStore(config);
  try {
    return signInAddress(running.origin, await createSignInLinks(store.db, Date.now).create());
  } finally {
    await store.close();
  }
}

const runningSchema = z.object({ origin: z.url(), pid: z.number().int().positive() });

/** The console that says it runs in this folder, or undefined: none, a note that cannot be read, or one left by a crash. */
function readRunning(file: string): z.infer<typeof runningSchema> | undefined {
  try {
    const running = runningSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    process.kill(running.pid, 0);
    return running;
  } catch {
    return undefined;
  }
}

function runningFile(config: Config): string {
  return join(config.dataDir, 'running.json');
}
