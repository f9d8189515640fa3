import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { createTargets, type Targets, type TargetTables } from '../../src-main/features/targets/index.ts';
import { openBundle } from '../../src-main/sources/cluster/bundle/index.ts';
import type { Cluster } from '../../src-main/sources/cluster/index.ts';
import type { LiveCluster } from '../../src-main/sources/cluster/live/index.ts';

/** The targets of a console with one cluster, named `test`, or none. */
export function testTargets(options: {
  readonly cluster: Cluster | undefined;
  readonly db: Kysely<TargetTables>;
  readonly now: () => number;
}): Targets {
  const { cluster, db, now } = options;
  // Made by whoever opens a bundle: a console that opens none leaves nothing behind.
  const folder = join(tmpdir(), `targets-${randomUUID()}`);
  const targets = createTargets({
    contexts: {
      list: async () =>
        cluster === undefined
          ? []
          : [{ name: 'test', kind: 'context', server: new URL('https://test.invalid'), fault: undefined }],
      current: async () => 'test',
      open: async () => ({
        ...(cluster as Cluster),
        forward: () => Promise.reject(new Error('not in this test')),
        forwardPod:
          cluster !== undefined && 'forwardPod' in cluster
            ? (cluster as LiveCluster).forwardPod
            : () => Promise.reject(new Error('not in this test')),
        retry: async () => undefined,
      }),
    },
    db,
    now,
    sandbox: () => false,
    isWritable: () => cluster !== undefined && 'writable' in cluster && cluster.writable === true,
    namespaces: () => [],
    bundles: {
      folder,
      openBundle,
    },
    pathsFor: 'operator@console.localhost',
  });
  return {
    ...targets,
    async close() {
      await targets.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
