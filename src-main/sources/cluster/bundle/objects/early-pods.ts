import type { PodObject } from '../../../../cluster-model/kinds/index.ts';
import { pods } from '../../../../cluster-model/kinds/index.ts';
import type { ObjectText } from './object-store.ts';
import type { FoundObject } from './read-objects.ts';

/** Pods reported while a bundle is read: the first a person sees before the rest is loaded. */
const mostEarly = 50;

/** A pod whose text says that it is not well, in JSON or YAML; parsing all of them would keep the others waiting. */
const unwell = /\bphase"?: ?"?(?:Failed|Pending|Unknown)\b|\bready"?: ?false\b/;
const endedWell = /\bphase"?: ?"?Succeeded\b/;

export type EarlyPods = {
  see(found: FoundObject, text: ObjectText, namespace: string | undefined): void;
};

/** Tells of the first pods of a bundle that are not well, as they are met; of each once, also when it is read again. */
export function createEarlyPods(onPod: (pod: PodObject) => void): EarlyPods {
  const reported = new Set<string>();
  return {
    see(found, { text }, namespace) {
      if (reported.size === mostEarly) return;
      const latin1 = text.toString('latin1');
      if (!unwell.test(latin1) || endedWell.test(latin1)) return;
      const { metadata, ...rest } = found.whole();
      const { data } = pods.schema.safeParse({
        ...rest,
        metadata: typeof metadata === 'object' ? { ...metadata, namespace } : metadata,
      });
      if (data === undefined) return;
      const key = `${namespace ?? ''}/${data.metadata.name}`;
      if (reported.has(key)) return;
      reported.add(key);
      onPod(data);
    },
  };
}
