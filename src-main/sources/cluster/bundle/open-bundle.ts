import { bundleCluster } from './bundle-cluster.ts';
import { createSharedScan } from './scan/shared-scan.ts';
import { startBundleThread } from './thread/bundle-thread.ts';
import type { OpenBundle } from './types.ts';

/** Opens a bundle in a thread of its own, which holds it until it is closed. */
export const openBundle: OpenBundle = async (options) => {
  const thread = await startBundleThread(options);
  const { facts, kinds } = thread.facts;
  const scan = options.scan ?? createSharedScan(options.path);
  const cluster = bundleCluster(thread, options.path, scan);
  return {
    cluster,
    facts,
    kinds,
    async objects({ group, plural }, namespace) {
      const parts = await Array.fromAsync(thread.query('objects', { group, plural, namespace }));
      return parts.flat();
    },
    async origin({ group, plural }, name, namespace) {
      const [origin] = await Array.fromAsync(thread.query('origin', { group, plural, name, namespace }));
      return origin;
    },
    async close() {
      cluster.close();
      await scan.close();
      await thread.end();
    },
  };
};
