import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';

/** The desktop program as it runs in the rig. */
export type DesktopProgram = {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** The window's own origin. */
  readonly origin: string;
  readonly dataDir: string;
  /** Quits as its menu would. */
  quit(): Promise<void>;
};

export type ProgramOptions = {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of the program, such as a link. */
  readonly args?: readonly string[];
  /** Switches of Chromium. */
  readonly switches?: readonly string[];
};

/** Starts the program on a data folder and waits for its window to be loaded. */
export async function startProgram(options: ProgramOptions): Promise<DesktopProgram> {
  const { executable, args } = commandLine(options);
  const app = await _electron.launch({
    executablePath: executable,
    args,
    env: environment(options),
    timeout: 30_000,
  });
  const page = await windowOf(app);
  return {
    app,
    page,
    origin: new URL(page.url()).origin,
    dataDir: options.dataDir,
    quit: () => app.close(),
  };
}

async function windowOf(app: ElectronApplication): Promise<Page> {
  try {
    const page = await app.firstWindow({ timeout: 15_000 });
    await page.waitForURL(/^http:/);
    await page.waitForLoadState('load');
    return page;
  } catch (error) {
    app.process().kill('SIGKILL');
    throw error;
  }
}

/** What a start of the program that does not stay said, and its exit code. */
export type ShortRun = { readonly code: number | null; readonly stderr: string };

/** Runs the program without a driver until it ends; `preload` is a CommonJS file loaded before it. */
export async function runProgram(options: ProgramOptions, preload?: string): Promise<ShortRun> {
  const child = spawnProgram(options, preload);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return { code, stderr };
}

/** Starts the program without a driver. */
export function spawnProgram(options: ProgramOptions, preload?: string): ChildProcess {
  const { executable, args } = commandLine(options);
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const before = preload === undefined ? [] : ['-r', preload];
  return spawn(executable, [...root, ...before, ...args], {
    env: environment(options),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Ids of a process and of everything it started, such as Electron's helpers. */
export function familyOf(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), statusOf(Number(name)).parent] as const),
  );
  const family = [pid];
  for (const member of family)
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  return family;
}

/** Those of the processes that still run. */
export function stillRunning(pids: readonly number[]): number[] {
  return pids.filter((pid) => !['', 'Z', 'X'].includes(statusOf(pid).state));
}

const dataDirs: string[] = [];
process.on('exit', () => {
  for (const folder of dataDirs) rmSync(folder, { recursive: true, force: true });
});

/** A new data folder, removed at the end of the run. */
export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'desktop-'));
  dataDirs.push(folder);
  return folder;
}

/** Waits until `check` holds; throws after `timeoutMs`. */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`after ${timeoutMs} ms: ${what} did not come true`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

function commandLine({ args = [], switches = [] }: ProgramOptions): { executable: string; args: string[] } {
  const { ELECTRON_RIG: executable, RIG_APP: app } = process.env;
  if (executable === undefined || app === undefined) throw new Error('Run this with npm run test:desktop.');
  return { executable, args: ['--disable-gpu', '--disable-dev-shm-usage', ...switches, app, ...args] };
}

/** This process's environment without any setting of a console, then the test's own. */
function environment(options: ProgramOptions): Record<string, string> {
  const own = /^(?:CONSOLE_|STUDIO_|INFERENCE_|TTSD_|VOICE_|RECAPTCHA_|VITEST|NODE_OPTIONS$)/;
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !own.test(entry[0]),
  );
  return {
    ...Object.fromEntries(inherited),
    CONSOLE_LOG_LEVEL: 'warn',
    ...options.env,
    CONSOLE_DATA_DIR: options.dataDir,
  };
}

/** Parent and state letter (proc(5)); an empty state when there is no such process. */
function statusOf(pid: number): { parent: number; state: string } {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return {
      parent: Number(/^PPid:\s*(\d+)/m.exec(text)?.[1]),
      state: /^State:\s*(\S)/m.exec(text)?.[1] ?? '',
    };
  } catch {
    return { parent: 0, state: '' };
  }
}
