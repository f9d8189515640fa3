import type { Kept } from '../../cluster-model/index.ts';
import type { Cluster } from './types.ts';

type Made = { readonly inputs: readonly unknown[]; readonly result: object };

const known = new WeakMap<Cluster, Kept>();

/** Returns what is kept of a cluster's objects: all pages judge them together, each once. */
export function keptOf(cluster: Cluster): Kept {
  const found = known.get(cluster) ?? createKept();
  known.set(cluster, found);
  return found;
}

function createKept(): Kept {
  const names = new Map<string, WeakMap<object, Made>>();
  return {
    recall<T extends object>(anchor: object, name: string, inputs: readonly unknown[]): T | undefined {
      const made = names.get(name)?.get(anchor);
      // What is kept under a name was made by the one who uses that name.
      return made !== undefined && areSame(made.inputs, inputs) ? (made.result as T) : undefined;
    },
    remember(anchor, name, inputs, result) {
      const made = names.get(name) ?? new WeakMap<object, Made>();
      names.set(name, made);
      made.set(anchor, { inputs, result });
      return result;
    },
  };
}

function areSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at += 1) if (left[at] !== right[at]) return false;
  return true;
}
