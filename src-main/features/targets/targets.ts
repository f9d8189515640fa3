import type { Kysely } from 'kysely';
import type { Target } from '#shared/api/targets.ts';
import { ConsoleError } from '#shared/errors.ts';
import { errorMessage } from '../../base/error-message.ts';
import { type Cluster, type ClusterStatus, noCluster, type OpenTarget } from '../../sources/cluster/index.ts';
import type { ClusterContext, Contexts, LiveCluster } from '../../sources/cluster/live/index.ts';
import type { Bundles } from './bundles.ts';
import type { OpenTargetOf } from './open-target.ts';
import { keepChoice, readChoice, type TargetTables } from './store.ts';

/** Prefix of the ID of a bundle's target. */
const bundlePrefix = 'bundle:';

/** Name of the context in the sandbox's kubeconfig. */
export const sandboxTarget = 'sandbox';

export type TargetRegistryOptions = {
  readonly contexts: Contexts;
  readonly bundles: Bundles;
  readonly db: Kysely<TargetTables>;
  /** Returns whether the context `sandbox` is that of this console's own sandbox. */
  readonly sandbox: () => boolean;
  readonly isWritable: (target: string) => boolean;
  readonly namespaces: () => readonly string[];
  /** Epoch milliseconds. */
  readonly now: () => number;
};

export type TargetList = {
  readonly items: readonly Target[];
  readonly chosen: string | undefined;
  /** Reasons contexts could not be read, a sentence each. */
  readonly unmeasured: readonly string[];
};

/** Every cluster and bundle that can be read. A cluster is contacted when it is first read, never before. */
export type TargetRegistry = {
  readonly targetOf: OpenTargetOf;
  list(email: string | undefined): Promise<TargetList>;
  select(id: string, email: string | undefined): Promise<void>;
  /** Reconnects to a target. Throws NotFound. */
  retry(id: string): Promise<Target>;
  /** Returns whether the console may change anything in it. */
  isWritable(target: string): boolean;
  /** A context's cluster, for a connection through it. Throws NotFound. */
  live(name: string): Promise<LiveCluster>;
  /** Closes a context's cluster, for one that is gone or another of the same name: the next read opens it anew. */
  forget(name: string): void;
  close(): void;
};

export function createTargetRegistry(options: TargetRegistryOptions): TargetRegistry {
  const { contexts, bundles, db, now } = options;
  const clusters = new Map<string, LiveCluster>();
  /** Choice of an open console, which has no person to store it for. */
  let nobodysChoice: string | undefined;
  const none = noCluster(now);

  const readContexts = async (): Promise<{ items: readonly ClusterContext[]; fault?: string }> => {
    try {
      return { items: await contexts.list() };
    } catch (error) {
      return { items: [], fault: errorMessage(error) };
    }
  };

  const openLive = async (name: string): Promise<LiveCluster> => {
    const known = clusters.get(name);
    if (known !== undefined) return known;
    const opened = await contexts.open(name, {
      writable: () => isWritable(name),
      namespaces: options.namespaces,
      now,
    });
    // Two first reads at once: the one that came second is not used.
    const first = clusters.get(name);
    if (first !== undefined) {
      opened.close();
      return first;
    }
    clusters.set(name, opened);
    return opened;
  };

  const isSandbox = (name: string): boolean => options.sandbox() && name === sandboxTarget;
  const isWritable = (name: string): boolean => isSandbox(name) || options.isWritable(name);

  const ofContext = (context: ClusterContext): Target => {
    const { name, kind, server, fault } = context;
    const status: ClusterStatus =
      fault === undefined
        ? (clusters.get(name)?.status() ?? { state: 'unread' })
        : { state: 'broken', detail: fault };
    return {
      id: name,
      kind: isSandbox(name) ? 'sandbox' : kind,
      name: isSandbox(name) ? 'Sandbox' : name,
      ...statusFields(status),
      ...(server === undefined ? {} : { address: server.host }),
      writable: isWritable(name),
    };
  };

  const ofBundles = (): Target[] =>
    bundles.list().map((bundle) => ({
      id: bundle.target,
      kind: 'bundle' as const,
      name: bundle.name,
      state: bundle.state === 'open' ? 'ready' : bundle.state === 'opening' ? 'opening' : 'broken',
      ...(bundle.state === 'open' ? {} : { detail: bundle.detail ?? 'Opening.' }),
      ...(bundle.version === undefined ? {} : { version: bundle.version }),
      ...(bundle.taken_at === undefined ? {} : { taken_at: bundle.taken_at, read_at: bundle.taken_at }),
      ...(bundle.taken_by === undefined ? {} : { taken_by: bundle.taken_by }),
      writable: false,
    }));

  const all = async (): Promise<{ items: Target[]; fault?: string }> => {
    const { items, fault } = await readContexts();
    return { items: [...items.map(ofContext), ...ofBundles()], ...(fault === undefined ? {} : { fault }) };
  };

  /**
   * Returns the person's choice as long as it exists; else kubectl's current context, else the first usable
   * one.
   */
  const chosenBy = async (
    email: string | undefined,
    items: readonly Target[],
  ): Promise<string | undefined> => {
    const choice = email === undefined ? nobodysChoice : await readChoice(db, email);
    const there = (id: string | undefined): boolean => items.some((item) => item.id === id);
    if (there(choice)) return choice;
    const current = await contexts.current().catch(() => undefined);
    if (there(current)) return current;
    return items.find(({ state }) => state !== 'broken')?.id;
  };

  const open = async (id: string): Promise<Cluster> => {
    if (!id.startsWith(bundlePrefix)) return openLive(id);
    const bundle = bundles.list().find(({ target }) => target === id);
    const cluster = bundle === undefined ? undefined : bundles.cluster(bundle.id);
    if (bundle === undefined)
      throw new ConsoleError('NotFound', `There is no target ${id}: that bundle is not open.`);
    return (
      cluster ??
      noCluster(
        now,
        `The bundle ${bundle.name} is not open: ${(bundle.detail ?? bundle.state).replace(/\.$/, '')}.`,
      )
    );
  };

  return {
    async targetOf(requested, { email }): Promise<OpenTarget> {
      const id = requested ?? (await chosenBy(email, (await all()).items));
      return id === undefined ? { id, cluster: none } : { id, cluster: await open(id) };
    },

    async list(email) {
      const { items, fault } = await all();
      return {
        items,
        chosen: await chosenBy(email, items),
        unmeasured: fault === undefined ? [] : [fault],
      };
    },

    async select(id, email) {
      const { items } = await all();
      if (!items.some((item) => item.id === id))
        throw new ConsoleError('NotFound', `There is no target ${id}: see the list of targets.`);
      if (email === undefined) nobodysChoice = id;
      else await keepChoice(db, email, id);
    },

    async retry(id) {
      const { items } = await readContexts();
      const context = items.find(({ name }) => name === id);
      if (context === undefined)
        throw new ConsoleError('NotFound', `There is no cluster ${id} to contact: bundles do not change.`);
      if (context.fault === undefined) await (await openLive(id)).retry();
      return ofContext(context);
    },

    isWritable,
    live: openLive,

    forget(name) {
      clusters.get(name)?.close();
      clusters.delete(name);
    },

    close() {
      for (const cluster of clusters.values()) cluster.close();
      clusters.clear();
    },
  };
}

function statusFields({
  state,
  detail,
  version,
  readAt,
}: ClusterStatus): Pick<Target, 'state'> & Partial<Target> {
  return {
    state,
    ...(detail === undefined ? {} : { detail }),
    ...(version === undefined ? {} : { version }),
    ...(readAt === undefined ? {} : { read_at: new Date(readAt).toISOString() }),
  };
}
