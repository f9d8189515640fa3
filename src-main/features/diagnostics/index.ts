import { arch, release } from 'node:os';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import type { Handlers } from '#shared/api/handler.ts';
import type { Settings } from '#shared/api/settings.ts';
import type { Target } from '#shared/api/targets.ts';

/** The log as diagnostics read it. */
export type DiagnosticsLog = {
  readonly file: string;
  /** The newest lines, JSON, oldest first. */
  recent(): readonly string[];
  /** Removes the console's secrets from a text. */
  readonly redact: (text: string) => string;
};

export type DiagnosticsOptions = {
  readonly version: string;
  readonly sandbox: () => boolean;
  readonly settings: () => Promise<Pick<Settings, 'settings' | 'keys' | 'store'>>;
  readonly targets: () => Promise<readonly Target[]>;
  readonly log: DiagnosticsLog;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Lines of the log that are shown. */
const mostErrors = 20;
const warn = 40;

/** Returns what reads the console's diagnostics: facts about it, each text with its secrets removed. */
export function createDiagnostics(options: DiagnosticsOptions): () => Promise<Diagnostics> {
  const { log, now } = options;
  const startedAt = new Date(now()).toISOString();
  return async () => {
    const { settings, keys, store } = await options.settings();
    const { electron, node } = process.versions;
    return {
      version: options.version,
      program: electron === undefined ? 'headless' : 'desktop',
      read_at: new Date(now()).toISOString(),
      started_at: startedAt,
      platform: {
        system: process.platform,
        release: release(),
        arch: arch(),
        node,
        ...(electron === undefined ? {} : { electron }),
      },
      sandbox: options.sandbox(),
      store: { kind: store.kind, encrypted: store.encrypted, key_source: store.key_source },
      settings: settings.map(({ name, value, size, source }) => ({
        name,
        source,
        ...(value === undefined ? {} : { value: log.redact(value) }),
        ...(size === undefined ? {} : { size }),
      })),
      keys: keys.map(({ name, set, source }) => ({ name, set, source })),
      targets: (await options.targets()).map(({ kind, name, state, version }) => ({
        kind,
        name: log.redact(name),
        state,
        ...(version === undefined ? {} : { version }),
      })),
      log: { file: log.file, errors: log.recent().filter(warns).slice(-mostErrors).map(log.redact) },
    };
  };
}

/** The route that answers them. */
export function diagnosticsHandlers(read: () => Promise<Diagnostics>): Handlers<'diagnostics.read'> {
  return { 'diagnostics.read': read };
}

function warns(line: string): boolean {
  return Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0) >= warn;
}
