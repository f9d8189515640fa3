import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Bundle, BundleProgress } from '#shared/api/targets.ts';
import { ConsoleError } from '#shared/errors.ts';
import { errorMessage } from '../../base/error-message.ts';
import { makeFolderSync } from '../../base/make-folder.ts';
import type { PodObject } from '../../cluster-model/index.ts';
import type { OpenBundle, OpenedBundle } from '../../sources/cluster/bundle/index.ts';
import { createSharedScan, type SharedScan } from '../../sources/cluster/bundle/index.ts';
import type { Cluster } from '../../sources/cluster/index.ts';

/** Most bundles open or being uploaded at a time: each holds its objects in memory. */
const mostBundles = 8;
/** Most uploads of one person at a time. */
const mostUploads = 2;

/** A bundle that is being opened, with its progress and its result. */
type Entry = {
  readonly id: string;
  /** Person who opened it. */
  readonly owner: string;
  readonly name: string;
  /** Folder of its uploaded file and of the files written for it; removed when it is closed. */
  readonly folder: string;
  readonly openedAt: number;
  readonly cancel: AbortController;
  progress: BundleProgress;
  opened: OpenedBundle | undefined;
  readonly scan: SharedScan;
  /** Those that are not well, as they are read. */
  pods: readonly PodObject[];
  /** Settles when the opening has ended, however it did: nothing of it is open or written after. */
  opening: Promise<void>;
  readonly listeners: Set<() => void>;
};

/** The readable part of a bundle before all of it is read. */
export type EarlyBundle = {
  /** Looks through its logs. */
  readonly scan: SharedScan;
  /** The first pods that are not well, so far. */
  pods(): readonly PodObject[];
  /** Calls back when there are more, or the opening has ended, until unsubscribed. */
  onChange(listener: () => void): () => void;
  isOpening(): boolean;
};

export type BundlesOptions = {
  readonly openBundle: OpenBundle;
  /** Folder that holds a folder for each bundle. */
  readonly folder: string;
  readonly now: () => number;
};

/** A place for a bundle that is being uploaded. */
export type Reserved = { readonly id: string; readonly folder: string; readonly owner: string };

/** A bundle without what depends on who asks. */
export type OwnedBundle = Omit<Bundle, 'closable'> & { readonly owner: string };

/** Offline bundles of this console: opened one by one, read by everybody who may read, closed by their owner. */
export type Bundles = {
  /**
   * Reserves a place: a new, empty folder, and the ID its bundle will have. Throws Conflict when too many are open,
   * Unavailable while uploads hold the places that are left, TooManyRequests while this person's do. `who` identifies a
   * person.
   */
  reserve(who: string): Reserved;
  /** Begins to open; resolves at once. `path` is a file or folder of this machine. */
  open(path: string, name: string, reserved: Reserved): OwnedBundle;
  /** Forgets a reservation whose upload did not succeed. */
  release(reserved: Reserved): void;
  list(): readonly OwnedBundle[];
  cluster(id: string): Cluster | undefined;
  /**
   * Returns the readable part of a bundle, also while it is being opened. Undefined when there is no such
   * bundle, or it failed to open.
   */
  early(id: string): EarlyBundle | undefined;
  /** Progress until it is open, failed or cancelled. Throws NotFound. */
  progress(id: string, signal: AbortSignal): AsyncGenerator<BundleProgress>;
  /** False when there is none. */
  close(id: string): Promise<boolean>;
  closeAll(): Promise<void>;
};

export function createBundles({ openBundle, folder, now }: BundlesOptions): Bundles {
  const entries = new Map<string, Entry>();
  /** Owner of the upload that each reserved ID is for. */
  const reserved = new Map<string, string>();
  const own = join(folder, String(process.pid));
  removeLeftOvers(folder);

  const bundleOf = (entry: Entry): OwnedBundle => {
    const { progress, opened } = entry;
    return {
      id: entry.id,
      owner: entry.owner,
      target: `bundle:${entry.id}`,
      name: entry.name,
      state: progress.state,
      ...(progress.detail === undefined ? {} : { detail: progress.detail }),
      opened_at: new Date(entry.openedAt).toISOString(),
      ...(opened?.facts ?? {
        files: progress.files,
        objects: progress.objects,
        logs: 0,
        gaps: [],
        ...(progress.bytes === undefined ? {} : { bytes: progress.bytes }),
      }),
    };
  };

  const report = (entry: Entry, progress: Partial<BundleProgress>): void => {
    entry.progress = { ...entry.progress, ...progress };
    for (const listener of entry.listeners) listener();
  };

  const open = async (entry: Entry, path: string): Promise<void> => {
    try {
      const opened = await openBundle({
        path,
        spool: entry.folder,
        signal: entry.cancel.signal,
        scan: entry.scan,
        onProgress: (progress) => report(entry, { ...progress, state: 'opening' }),
        onPod(pod) {
          entry.pods = [...entry.pods, pod];
          report(entry, {});
        },
      });
      if (entry.cancel.signal.aborted) {
        await opened.close();
        return;
      }
      entry.opened = opened;
      report(entry, { state: 'open', step: 'Open' });
    } catch (error) {
      if (entry.cancel.signal.aborted) return;
      rmSync(entry.folder, { recursive: true, force: true });
      report(entry, {
        state: 'failed',
        step: 'Not opened',
        detail: errorMessage(error),
      });
    }
  };

  const close = async (entry: Entry): Promise<void> => {
    entries.delete(entry.id);
    entry.cancel.abort();
    if (entry.progress.state === 'opening') report(entry, { state: 'cancelled', step: 'Cancelled' });
    await entry.opening;
    await entry.scan.close();
    await entry.opened?.close();
    rmSync(entry.folder, { recursive: true, force: true });
  };

  return {
    reserve(who) {
      if (entries.size >= mostBundles) {
        throw new ConsoleError('Conflict', `${mostBundles} bundles are open, the maximum: close one first.`);
      }
      if ([...reserved.values()].filter((other) => other === who).length >= mostUploads)
        throw new ConsoleError(
          'TooManyRequests',
          `You are already uploading ${mostUploads} bundles: wait for one to finish.`,
          { 'Retry-After': '30' },
        );
      if (entries.size + reserved.size >= mostBundles)
        throw new ConsoleError(
          'Unavailable',
          `${entries.size} bundles are open and ${reserved.size} uploading, out of ${mostBundles}: close one, or retry later.`,
          { 'Retry-After': '30' },
        );
      const id = randomBytes(5).toString('hex');
      reserved.set(id, who);
      const bundleFolder = join(own, id);
      makeFolderSync(bundleFolder);
      return { id, folder: bundleFolder, owner: who };
    },

    open(path, name, { id, folder: bundleFolder, owner }) {
      const entry: Entry = {
        id,
        owner,
        name: name || basename(path),
        folder: bundleFolder,
        openedAt: now(),
        cancel: new AbortController(),
        progress: { state: 'opening', step: 'Opening', bytes_read: 0, files: 0, objects: 0 },
        opened: undefined,
        scan: createSharedScan(path),
        pods: [],
        opening: Promise.resolve(),
        listeners: new Set(),
      };
      reserved.delete(id);
      entries.set(id, entry);
      entry.opening = open(entry, path);
      return bundleOf(entry);
    },

    release({ id, folder: bundleFolder }) {
      reserved.delete(id);
      rmSync(bundleFolder, { recursive: true, force: true });
    },
    list: () => [...entries.values()].map(bundleOf),
    cluster: (id) => entries.get(id)?.opened?.cluster,
    early(id) {
      const entry = entries.get(id);
      if (entry === undefined || entry.progress.state === 'failed') return undefined;
      return {
        scan: entry.scan,
        pods: () => entry.pods,
        onChange(listener) {
          entry.listeners.add(listener);
          return () => void entry.listeners.delete(listener);
        },
        isOpening: () => entry.progress.state === 'opening',
      };
    },

    async *progress(id, signal) {
      const entry = entries.get(id);
      if (entry === undefined) throw noBundle(id);
      let wake = (): void => undefined;
      const listener = (): void => wake();
      entry.listeners.add(listener);
      signal.addEventListener('abort', listener);
      try {
        for (;;) {
          const changed = new Promise<void>((resolve) => {
            wake = resolve;
          });
          yield entry.progress;
          if (entry.progress.state !== 'opening' || signal.aborted) return;
          await changed;
        }
      } finally {
        entry.listeners.delete(listener);
        signal.removeEventListener('abort', listener);
      }
    },

    async close(id) {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      await close(entry);
      return true;
    },

    async closeAll() {
      await Promise.all([...entries.values()].map(close));
      rmSync(own, { recursive: true, force: true });
    },
  };
}

/** The error for a bundle that is not there. */
export function noBundle(id: string): ConsoleError {
  return new ConsoleError('NotFound', `There is no bundle ${id}: it was closed, or never opened.`);
}

/** Removes what consoles that crashed left behind: their folders carry the number of a process that is no more. */
function removeLeftOvers(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!runs(Number(name))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function runs(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one that runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
