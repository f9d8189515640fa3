import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { StudioConfig } from '../backends/studio/index.ts';
import { writePrivateFile } from '../base/private-file.ts';
import { beginProcessEnd } from '../base/process-end.ts';
import { ConfigError, type Environment, parseListen } from '../config/index.ts';
import type { Crash } from '../start/crash-report.ts';
import { projectRoot, version } from '../start/program.ts';
import type { StartOptions } from '../start/start-console.ts';
import type { OpenTargetNamed } from './capture.ts';

type ServeOptions = { listen?: string; dataDir?: string; sandbox?: boolean; readyFile?: string };
type BackendOptions = { listen: string; readyFile?: string };
type Closeable = { url: string; close(): Promise<void> };

/** Exit code of a command line or a setting that cannot be used. */
const badUsage = 2;

/** Signals that end the program: from a supervisor, Ctrl+C, and a terminal or session that closes. */
const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Opens a cluster by its name; how is loaded when it is needed. */
const openTarget: OpenTargetNamed = async (name) => {
  const { openCommandTarget } = await import('../start/command-target.ts');
  return openCommandTarget(process.env, name);
};

/** Commands with a file of their own. Each is loaded when it is called: a short text is diagnosed in less than the server loads. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  audit: async () => (await import('./audit.ts')).auditCommand(),
  keys: async () => (await import('./keys.ts')).keysCommand(),
  capture: async () => (await import('./capture.ts')).captureCommand(openTarget, version()),
  bundle: async () => (await import('./bundle.ts')).bundleCommand(),
  diagnose: async () => (await import('./diagnose.ts')).diagnoseCommand(openTarget),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(openTarget, version()),
  runner: async () => (await import('./runner.ts')).runnerCommand(closeOnSignal),
  backend: backendCommand,
};

/** The command line; of the commands with a file of their own only the one that is called, all where none is. */
async function program(called: string | undefined): Promise<Command> {
  const root = new Command('operator-console')
    .description('The operator console: open it, serve it, or run the platform backends.')
    .version(version())
    .exitOverride()
    .configureOutput({ outputError: (message, write) => write(message) })
    .showHelpAfterError(false);

  root
    .command('start')
    .description(
      'open the desktop window; without a display or an Electron binary, serve the sandbox headless',
    )
    .option('--data-dir <folder>', 'folder of the store (CONSOLE_DATA_DIR)')
    .action(start);

  root
    .command('serve')
    .description('run the console without a window')
    .option('--listen <host:port>', 'address to listen on (CONSOLE_LISTEN; default 127.0.0.1:0)')
    .option('--data-dir <folder>', 'folder of the store (CONSOLE_DATA_DIR)')
    .option('--sandbox', 'start and use a sandbox platform')
    .option('--ready-file <file>', 'JSON {url, pid, sign_in_url?} written once requests are accepted')
    .action((options: ServeOptions) => serve(options));

  root
    .command('sign-in-link')
    .description('print a new one-time sign-in link for the console running on this machine')
    .option('--data-dir <folder>', 'data folder of that console (CONSOLE_DATA_DIR)')
    .action(async ({ dataDir }: { dataDir?: string }) => {
      const { newSignInLink } = await import('../start/start-console.ts');
      const link = await newSignInLink(environment({ dataDir }));
      process.stdout.write(`${link}\n`);
    });

  const one = called === undefined ? undefined : commands[called];
  for (const load of one === undefined ? Object.values(commands) : [one])
    root.addCommand(likeParent(root, await load()));
  return root;
}

async function backendCommand(): Promise<Command> {
  const [{ runBackend }, { backendCampaignCommand }, { backendCockpitCommand }] = await Promise.all([
    import('./run-backend.ts'),
    import('./backend-campaign.ts'),
    import('./backend-cockpit.ts'),
  ]);
  const backend = new Command('backend').description('run a platform backend');
  backend
    .command('studio')
    .description('the reference studio (CONSOLE_STUDIO_IDENTITY_KEY is required)')
    .option('--listen <host:port>', 'address to listen on', '127.0.0.1:8080')
    .option('--ready-file <file>', 'JSON {url, pid} written once requests are accepted')
    .action(({ listen, readyFile }: BackendOptions) =>
      runBackend({
        name: 'Studio',
        readyFile,
        start: async (log) => {
          const { readStudioConfig, startStudio } = await import('../backends/studio/index.ts');
          const config = studioConfig(readStudioConfig);
          return startStudio({ ...config, listen: parseListen(listen, '--listen'), log });
        },
        closeOnSignal,
      }),
    );
  backend.addCommand(backendCampaignCommand(closeOnSignal));
  backend.addCommand(backendCockpitCommand(closeOnSignal));
  return backend;
}

/** A command made elsewhere reports its mistakes as those made here do. */
function likeParent(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const sub of command.commands) likeParent(command, sub);
  return command;
}

function studioConfig(read: (env: Environment) => StudioConfig): StudioConfig {
  try {
    return read(process.env);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The environment, with what the command line says in its place. */
function environment(options: { listen?: string | undefined; dataDir?: string | undefined }): Environment {
  return {
    ...process.env,
    ...(options.listen === undefined ? {} : { CONSOLE_LISTEN: options.listen }),
    ...(options.dataDir === undefined ? {} : { CONSOLE_DATA_DIR: options.dataDir }),
  };
}

async function serve(
  options: ServeOptions,
  requested: StartOptions['sandbox'] = options.sandbox === true,
  logForm: StartOptions['logForm'] = undefined,
): Promise<void> {
  if (options.listen !== undefined) parseListen(options.listen, '--listen');
  const [{ watchCrashes }, { startConsole }] = await Promise.all([
    import('../start/crash-report.ts'),
    import('../start/start-console.ts'),
  ]);
  let running: Closeable | undefined;
  const crashes = watchCrashes((crash) => endAfterCrash(crash, () => running?.close()));
  const started = await startConsole({
    env: environment(options),
    sandbox: requested,
    onLog: crashes.takeLog,
    ...(logForm === undefined ? {} : { logForm }),
  });
  running = started;
  const { sandbox } = started;
  closeOnSignal(started);
  const link = await started.signInLink();
  process.stdout.write(
    `Operator Console on ${started.browserOrigin}${sandbox ? ', on the sandbox platform' : ''}\n`,
  );
  if (link !== undefined) process.stdout.write(`Sign in (once, within 10 minutes): ${link}\n`);
  writeReadyFile(options.readyFile, {
    url: started.url,
    pid: process.pid,
    ...(link === undefined ? {} : { sign_in_url: link }),
  });
}

/** `npm start`: the window where it can be shown, else the headless console on the sandbox, saying so in one line. */
async function start({ dataDir }: { dataDir?: string }): Promise<void> {
  const electron = electronBinary();
  const missing = whyNoWindow(electron);
  if (electron !== undefined && missing === undefined) {
    const child = spawn(electron, [projectRoot()], { stdio: 'inherit', env: environment({ dataDir }) });
    for (const signal of endSignals) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
    return;
  }
  process.stdout.write(`No window: ${missing}. Running the headless console instead.\n`);
  await serve(dataDir === undefined ? {} : { dataDir }, 'unless-attached', 'text');
}

function whyNoWindow(electron: string | undefined): string | undefined {
  if (electron === undefined) return 'no Electron binary is installed (npx install-electron fetches one)';
  if (process.platform !== 'linux') return undefined;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display';
  // Chromium's sandbox does not start for root, and we do not turn it off.
  return process.getuid?.() === 0 ? 'Electron does not run as root' : undefined;
}

/** Path of Electron's program, or undefined where its package could not download it. */
function electronBinary(): string | undefined {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const name = process.platform === 'win32' ? 'electron.exe' : 'electron';
  if (override !== undefined) return existsSync(join(override, name)) ? join(override, name) : undefined;
  try {
    const folder = join(createRequire(import.meta.url).resolve('electron/package.json'), '..', 'dist');
    const program = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : name;
    return existsSync(join(folder, program)) ? join(folder, program) : undefined;
  } catch {
    return undefined;
  }
}

/** Open requests may finish; the process is gone within 5 s. A second signal ends it at once. */
function closeOnSignal(running: Closeable): void {
  let closing = false;
  const close = (): void => {
    if (closing) process.exit(1);
    closing = true;
    beginProcessEnd();
    setTimeout(() => process.exit(0), 4900).unref();
    running.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  for (const signal of endSignals) process.on(signal, close);
}

/** Longest time open parts may take to close after a crash, in ms. */
const closeAfterCrash = 2000;
let crashed = false;

/**
 * Reports the crash in one line and ends the program, whose supervisor restarts it. A second crash ends it at
 * once.
 */
function endAfterCrash({ message, file }: Crash, close: () => Promise<void> | undefined): void {
  const report = file === undefined ? '' : ` Report: ${file}`;
  process.stderr.write(`error: The console stopped because of an unexpected error: ${message}.${report}\n`);
  if (crashed) process.exit(1);
  crashed = true;
  setTimeout(() => process.exit(1), closeAfterCrash).unref();
  Promise.resolve(close())
    .catch(() => undefined)
    .finally(() => process.exit(1));
}

function writeReadyFile(file: string | undefined, content: object): void {
  if (file !== undefined) writePrivateFile(file, content);
}

/** Ends with one clear line; with a stack only for our own bugs. */
function fail(error: unknown): never {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : badUsage);
  if (error instanceof ConfigError) {
    process.stderr.write(`error: ${error.message}\n`);
    process.exit(badUsage);
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}

try {
  await (await program(process.argv[2])).parseAsync(process.argv);
} catch (error) {
  fail(error);
}
