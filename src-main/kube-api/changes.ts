import type { World, WorldChange } from './world.ts';

/** The newest changes of a world, for watches that begin in the past. */
export type Changes = {
  /** Returns the changes after a revision, oldest first; undefined when those are no longer kept. */
  since(revision: number): readonly WorldChange[] | undefined;
  subscribe(onChange: (change: WorldChange) => void): () => void;
  /** Forgets what happened up to now, as a real server does after about 5 minutes: older watches answer 410. */
  compact(): void;
  close(): void;
};

/** Changes that are kept; a real API server keeps between a hundred and 100,000 of each kind. */
const mostKept = 20_000;

/** Follows a world from now on; a read-only one never changes. */
export function followChanges(world: World): Changes {
  const kept: WorldChange[] = [];
  const listeners = new Set<(change: WorldChange) => void>();
  let oldest = world.revision();
  const stop = world.write?.subscribe((change) => {
    kept.push(change);
    if (kept.length > mostKept) oldest = kept.shift()?.revision ?? oldest;
    for (const listener of listeners) listener(change);
  });
  return {
    since: (revision) =>
      revision < oldest ? undefined : kept.filter((change) => change.revision > revision),
    subscribe(onChange) {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
    compact() {
      kept.length = 0;
      oldest = world.revision();
    },
    close: () => stop?.(),
  };
}
