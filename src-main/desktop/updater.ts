import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { errorMessage } from '../base/error-message.ts';
import { writePrivateFile } from '../base/private-file.ts';
import { processEnd } from '../base/process-end.ts';
import type { Environment } from '../config/index.ts';
import { projectRoot, version } from '../start/program.ts';
import {
  downloadUpdate,
  type Feed,
  feedSchema,
  findUpdate,
  type InstallationKind,
  installationKind,
  managedPolicyFile,
  type ReplacedVersion,
  readUpdatePolicy,
  replacedVersion,
  type Update,
  type UpdatePolicy,
} from '../updates/index.ts';

/** Time from the loaded window to the first check, and between checks, in ms. */
const firstCheck = 4000;
const everyMs = 6 * 3_600_000;

type Log = { info(fields: object, message: string): void; warn(fields: object, message: string): void };

export type Updater = {
  /** Checks because the person asked, and says what was found. */
  check(): void;
  /** Puts a downloaded update in the place of the program. Call when everything is closed. */
  installOnQuit(): void;
};

type Parts = {
  readonly folder: string;
  readonly feed: Feed | undefined;
  readonly policy: UpdatePolicy;
  readonly installed: InstallationKind;
  readonly replaced: ReplacedVersion;
  readonly log: Log;
};

/**
 * Puts the version before in the place of one that did not become ready twice, and starts it: true then, and this
 * process has only to end. Call before anything is started.
 */
export function leaveBrokenVersion(folder: string): boolean {
  const program = replacedVersion(folder).countStart(version());
  if (program === undefined) return false;
  app.relaunch({ execPath: program, args: process.argv.slice(1) });
  return true;
}

/**
 * Looks for updates as the policy says. The window is loaded, so this version works: the one before it is removed. Throws an
 * Error that names a variable which cannot be used.
 */
export function startUpdater(folder: string, env: Environment, log: Log): Updater {
  const replaced = replacedVersion(folder);
  replaced.becameReady(version());
  const parts: Parts = {
    folder,
    feed: builtFeed(),
    policy: readUpdatePolicy(env, managedPolicyFile(process.platform, env)),
    installed: installationKind({
      platform: process.platform,
      env,
      resources: process.resourcesPath,
      isPackaged: app.isPackaged,
    }),
    replaced,
    log,
  };
  let ready: { readonly update: Update; readonly file: string } | undefined;
  let looking = false;
  const look = async (asked: boolean): Promise<void> => {
    if (looking || ready !== undefined) {
      if (asked && ready !== undefined) await say(installedOnQuit(ready.update));
      return;
    }
    looking = true;
    try {
      const update = await find(parts, asked);
      if (update === undefined) return;
      const wanted = parts.policy.mode === 'automatic' || (await offered(update));
      if (!wanted) return;
      ready = { update, file: await download(parts, update) };
      if (asked || parts.policy.mode === 'notify') await say(installedOnQuit(update));
    } catch (error) {
      if (processEnd.aborted) return;
      log.warn({ reason: errorMessage(error) }, 'an update was not taken');
      if (asked) await say({ type: 'warning', message: 'No update was taken', detail: errorMessage(error) });
    } finally {
      looking = false;
    }
  };
  if (parts.feed !== undefined && parts.installed.by === 'itself' && parts.policy.mode !== 'off') {
    setTimeout(() => void look(false), firstCheck).unref();
    setInterval(() => void look(false), everyMs).unref();
  }
  return {
    check: () => void look(true),
    installOnQuit() {
      if (ready === undefined || parts.installed.by !== 'itself') return;
      try {
        replaced.replace(parts.installed.program, ready.update.manifest.version, ready.file);
      } catch (error) {
        log.warn({ reason: errorMessage(error) }, 'the update could not be put in place');
      }
    },
  };
}

/** The feed's update; where the person asked, says why there is none. */
async function find(
  { feed, policy, installed, replaced, folder }: Parts,
  asked: boolean,
): Promise<Update | undefined> {
  const why = whyNone({ feed, policy, installed });
  if (why !== undefined || feed === undefined || installed.by !== 'itself') {
    if (asked) await say({ message: `This is version ${version()}`, detail: why ?? '' });
    return undefined;
  }
  const update = await findUpdate({
    feed,
    installed: { version: version(), kind: installed.kind, arch: process.arch, id: installationId(folder) },
    pin: policy.pin,
    failed: replaced.failed(),
    asked,
    signal: processEnd,
  });
  if (update === undefined && asked)
    await say({
      message: `Version ${version()} is the newest for this machine`,
      detail: policy.pin === undefined ? '' : `Updates are pinned to version ${policy.pin}.`,
    });
  return update;
}

function whyNone({
  feed,
  policy,
  installed,
}: Pick<Parts, 'feed' | 'policy' | 'installed'>): string | undefined {
  if (installed.by === 'package manager')
    return `It was installed by a package manager, which updates it (${installed.name}):\n${installed.command}`;
  if (installed.by === 'person') return installed.why;
  if (feed === undefined) return 'This build names no server of updates.';
  if (policy.mode === 'off')
    return policy.managedBy === undefined
      ? 'Updates are off (CONSOLE_UPDATES).'
      : `Updates are off: ${policy.managedBy} decides for this machine.`;
  return undefined;
}

async function offered({ manifest }: Update): Promise<boolean> {
  const response = await say({
    message: `Version ${manifest.version} is there`,
    detail: `${manifest.notes.slice(0, 2000)}\n\nThis is version ${version()}. The new one is downloaded now and put in place when you quit.`,
    buttons: ['Download', 'Later'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}

async function download({ feed, folder, log }: Parts, update: Update): Promise<string> {
  if (feed === undefined) throw new Error('This build names no server of updates.');
  const [window] = BrowserWindow.getAllWindows();
  const show = (part: number): void => {
    if (window !== undefined && !window.isDestroyed()) window.setProgressBar(part);
  };
  try {
    const file = await downloadUpdate({
      feed,
      update,
      folder: join(folder, 'downloads'),
      signal: processEnd,
      onProgress: (received, size) => show(received / size),
    });
    log.info({ version: update.manifest.version }, 'an update is downloaded and is put in place at the quit');
    return file;
  } finally {
    show(-1);
  }
}

function installedOnQuit({ manifest }: Update): Partial<MessageBoxOptions> & { message: string } {
  return {
    message: `Version ${manifest.version} is downloaded`,
    detail: 'It is put in place when you quit, and runs at the next start.',
  };
}

async function say(options: Partial<MessageBoxOptions> & { message: string }): Promise<number> {
  const whole: MessageBoxOptions = { type: 'info', title: 'Operator Console', noLink: true, ...options };
  const [window] = BrowserWindow.getAllWindows();
  const { response } =
    window === undefined ? await dialog.showMessageBox(whole) : await dialog.showMessageBox(window, whole);
  return response;
}

/** The feed that the build names, written by the release; undefined in any other build. */
function builtFeed(): Feed | undefined {
  try {
    return feedSchema.parse(JSON.parse(readFileSync(join(projectRoot(), 'out', 'update-feed.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

/** A name that only decides when a staged rollout reaches this machine; it is never sent. */
function installationId(folder: string): string {
  const file = join(folder, 'rollout-id');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    const id = randomUUID();
    writePrivateFile(file, `${id}\n`);
    return id;
  }
}
