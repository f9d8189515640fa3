import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { Config } from '../config/index.ts';
import { createRouteReads } from '../console/read-routes.ts';
import { createAllowlists } from '../features/access/index.ts';
import { clusterHandlers } from '../features/cluster/index.ts';
import { createDelivery } from '../features/delivery/index.ts';
import { fleetHandlers } from '../features/fleet/index.ts';
import { overviewHandlers } from '../features/overview/index.ts';
import { searchHandlers } from '../features/search/index.ts';
import type { OpenTargetOf } from '../features/targets/index.ts';
import { type Asker, type ReadingTool, toolsOver } from '../features/tools/index.ts';
import { openDiagnoses, readCatalogue, troubleshootHandlers } from '../features/troubleshoot/index.ts';
import type { Cluster } from '../sources/cluster/index.ts';
import { noCodeHost } from '../sources/code-host/index.ts';
import { noRegistry } from '../sources/registry/index.ts';
import { openSandboxStore } from './console-store.ts';

/** The reading tools over one cluster or bundle, without a console, its store and its sessions. */
export type ToolRoutes = {
  readonly tools: readonly ReadingTool[];
  askerOf(signal: AbortSignal): Asker;
  close(): Promise<void>;
};

type Options = {
  readonly cluster: Cluster;
  /** Name of the target; undefined for a bundle that was opened by its path. */
  readonly name: string | undefined;
  readonly config: Config;
};

const nothing = async (): Promise<never[]> => [];

/**
 * Opens the tools over the handlers of the routes that read nothing but a cluster: the same code answers as behind the
 * console's own addresses. Nobody is signed in, so what only some people may read is not read.
 */
export async function openToolRoutes({ cluster, name, config }: Options): Promise<ToolRoutes> {
  const now = Date.now;
  const closing = new AbortController();
  const store = await openSandboxStore();
  const targetOf: OpenTargetOf = async (requested) => {
    if (requested !== undefined && requested !== name)
      throw new ConsoleError('NotFound', `There is no target ${requested} here.`);
    return { id: name, cluster };
  };
  const db = () => store.db;
  const diagnoses = openDiagnoses({ catalogue: readCatalogue, now, closing: closing.signal });
  const delivery = createDelivery({
    codeHost: noCodeHost,
    registry: noRegistry,
    registryHost: () => config.registry,
    targetOf,
    db,
    now,
    log: { debug: () => undefined },
  });
  const { 'troubleshoot.run': run, 'troubleshoot.catalogue': catalogue } = troubleshootHandlers({
    targetOf,
    earlyBundleOf: () => undefined,
    catalogue: readCatalogue,
    runs: diagnoses,
  });
  const handlers: Partial<Handlers> = {
    ...clusterHandlers({
      targetOf,
      now,
      openStreams: () => 0,
      requests: () => 0,
      studioUpstream: () => config.studio.url,
    }),
    ...overviewHandlers({ targetOf, now, lastDiagnosis: diagnoses.last }),
    ...fleetHandlers({
      targetOf,
      codeHost: noCodeHost,
      db,
      allowlists: createAllowlists({
        db: store.db,
        now,
        configured: () => config.allowlists,
        sourceOf: () => 'env',
      }),
      now,
      isWritable: () => false,
      assets: nothing,
    }),
    ...searchHandlers({
      targetOf,
      codeHost: noCodeHost,
      db,
      targets: { list: nothing },
      catalogue: readCatalogue,
      audit: { list: async () => ({ items: [], nextCursor: undefined, unreadable: [] }) },
      sessions: { list: nothing },
      workspace: { listAll: nothing },
      isSessionAdmin: async () => false,
      now,
    }),
    'delivery.gitops': delivery.handlers['delivery.gitops'],
    'troubleshoot.run': run,
    'troubleshoot.catalogue': catalogue,
  };
  const askerOf = createRouteReads({
    handlers: () => handlers,
    now,
    gate: {
      async admitCaller(access, caller) {
        if (access.kind !== 'read' || access.allowlist !== undefined)
          throw new ConsoleError('NotAllowed', 'This is only read in a console, by who may.');
        return caller;
      },
    },
  });
  const nobody = { email: undefined, sessionId: undefined, localOperator: false, signInLink: false };
  const routes = new Set(Object.keys(handlers) as RouteId[]);
  return {
    tools: toolsOver(routes),
    askerOf: (signal) =>
      askerOf({ caller: nobody, target: undefined, signal: AbortSignal.any([signal, closing.signal]) }),
    async close() {
      closing.abort(new ConsoleError('Unavailable', 'The tools are being closed.'));
      await diagnoses.settled();
      await delivery.close();
      await store.close();
    },
  };
}
