import type { Named, Resource } from '../../../cluster-model/kinds/index.ts';
import type { ClusterChange, ClusterStatus } from '../types.ts';

/** Milliseconds in which the changes of one resource are one notice. */
const together = 200;

/** Tells those who watch that a resource, or how the cluster stands, is no longer what it was. */
export type ChangeNotices = {
  watch(onChange: (change: ClusterChange) => void): () => void;
  /** `resource` changed, or without it the status. */
  changed(resource?: Resource<Named>): void;
  readonly watched: boolean;
  close(): void;
};

export function createChangeNotices(status: () => ClusterStatus): ChangeNotices {
  const watchers = new Set<(change: ClusterChange) => void>();
  const waiting = new Map<Resource<Named> | undefined, NodeJS.Timeout>();
  return {
    watch(onChange) {
      // A function of its own, so that one who watches twice can stop once.
      const watcher = (change: ClusterChange): void => onChange(change);
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    changed(resource) {
      if (watchers.size === 0 || waiting.has(resource)) return;
      const timer = setTimeout(() => {
        waiting.delete(resource);
        const change = { ...(resource === undefined ? {} : { resource }), status: status() };
        for (const watcher of [...watchers]) watcher(change);
      }, together);
      waiting.set(resource, timer);
    },
    get watched() {
      return watchers.size > 0;
    },
    close() {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
      watchers.clear();
    },
  };
}
