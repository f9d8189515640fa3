import type { SandboxData } from '#shared/sandbox-data.ts';
import type { Environment } from '../config/index.ts';
import type { ConsoleTables } from '../console/tables.ts';
import type { SandboxControl } from '../features/sandbox/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { Store } from '../store/index.ts';
import { openSandboxStore } from './console-store.ts';

/** The sandbox of a console, started with it or while it runs. */
export type LiveSandbox = SandboxControl & {
  /** Variables that it sets now; the same object for as long as they are the same. */
  env(): Environment;
  start(options?: { readonly admin?: boolean }): Promise<void>;
  /** Keeps what it reports; undefined while it does not run. */
  store(): Store<ConsoleTables> | undefined;
  /** What it has of data sources; undefined while it does not run. */
  data(): SandboxData | undefined;
  /** Has it report to a console, at once while it runs and at every later start. */
  reportTo(consoleUrl: string): void;
  close(): Promise<void>;
};

type Options = {
  /** Starts the platform; `admin`: with the local operator as session admin where nobody else is named. */
  readonly startPlatform: (admin: boolean) => Promise<Sandbox>;
  readonly whyNot: () => string | undefined;
  /** Called when it was attached, and before it is closed: what was read of it is forgotten. */
  readonly onChange: () => void;
};

type Running = { readonly platform: Sandbox; readonly store: Store<ConsoleTables> };

const nothing: Environment = {};

/** A sandbox that does not run yet. */
export function createLiveSandbox({ startPlatform, whyNot, onChange }: Options): LiveSandbox {
  let running: Running | undefined;
  let reportsTo: string | undefined;
  let state: ReturnType<SandboxControl['state']> = 'off';
  /** One after the other: two who start it at once start one. */
  let last: Promise<void> = Promise.resolve();
  const next = (act: () => Promise<void>): Promise<void> => {
    const done = last.then(act);
    last = done.catch(() => undefined);
    return done;
  };

  const start = async (admin: boolean): Promise<void> => {
    if (running !== undefined) return;
    state = 'starting';
    try {
      const store = await openSandboxStore();
      try {
        const platform = await startPlatform(admin);
        running = { store, platform };
        void platform.ended?.then(() =>
          next(() => (running?.platform === platform ? stop() : Promise.resolve())),
        );
      } catch (error) {
        await store.close();
        throw error;
      }
    } finally {
      state = running === undefined ? 'off' : 'on';
    }
    onChange();
    report();
  };

  /** What it reports is there a moment later: nobody waits for it. */
  const report = (): void => {
    if (reportsTo !== undefined) void running?.platform.report(reportsTo);
  };

  const stop = async (): Promise<void> => {
    if (running === undefined) return;
    const { platform, store } = running;
    state = 'stopping';
    // Nothing is read of it or written to it from here on.
    running = undefined;
    onChange();
    try {
      await platform.close();
    } finally {
      await store.close();
      state = 'off';
    }
  };

  return {
    state: () => state,
    whyNot,
    env: () => running?.platform.env ?? nothing,
    store: () => running?.store,
    data: () => running?.platform.data,
    reportTo(consoleUrl) {
      reportsTo = consoleUrl;
      report();
    },
    start: ({ admin = false } = {}) => next(() => start(admin)),
    stop: () => next(stop),
    close: () => next(stop),
  };
}
