import { ConsoleError } from '#shared/errors.ts';
import { createSideThread } from '../../base/side-thread.ts';
import { deepestObject, isDeeperThan, type RawObject } from '../../cluster-model/index.ts';
import { objectYaml } from './object-yaml.ts';

/** Characters of an object's JSON that are written on the main thread: a few milliseconds, less than a thread costs. */
const smallest = 32 * 1024;
/** Characters of JSON that are written at all: etcd stores objects of 1.5 MB. */
const largestJson = 4 * 1024 * 1024;
/** Characters of YAML that are answered: indentation makes it longer than its JSON. */
const largestYaml = 8 * 1024 * 1024;
/** Milliseconds that writing one may take. */
const longest = 10_000;

/** An object's YAML, or the reason it is not written, a sentence. */
export type WrittenYaml =
  | { readonly yaml: string; readonly reason?: undefined }
  | { readonly yaml?: undefined; readonly reason: string };

export type YamlWriter = {
  /** Throws Unavailable while too many large objects wait. */
  write(object: RawObject, signal: AbortSignal): Promise<WrittenYaml>;
};

/** Creates the writer of objects as YAML: 3 MB with 100,000 keys take a second and 200 MB, in a thread of their own. */
export function createYamlWriter(): YamlWriter {
  const thread = createSideThread({
    folder: import.meta.dirname,
    name: 'yaml-worker',
    longest,
    memory: 384,
  });
  return {
    async write(object, signal) {
      if (isDeeperThan(object, deepestObject))
        return { reason: `The object is nested more than ${deepestObject} levels deep: it is not shown.` };
      const json = JSON.stringify(object);
      if (json.length <= smallest) return bounded(objectYaml(object));
      if (json.length > largestJson)
        return { reason: `The object has ${inMb(json.length)}: at most ${inMb(largestJson)} are shown.` };
      const work = await thread.run(json, signal);
      switch (work.state) {
        case 'done':
          return bounded(String(work.value));
        case 'busy':
          throw new ConsoleError(
            'Unavailable',
            'Other large objects are being written as YAML: retry in a few seconds.',
            { 'Retry-After': '5' },
          );
        case 'late':
          return { reason: `The object could not be written as YAML within ${longest / 1000} s.` };
        case 'memory':
          return { reason: 'The object takes too much memory to be written as YAML.' };
        case 'failed':
          return { reason: `The object could not be written as YAML: ${work.reason}.` };
      }
    },
  };
}

function bounded(yaml: string): WrittenYaml {
  return yaml.length <= largestYaml
    ? { yaml }
    : { reason: `The object's YAML has ${inMb(yaml.length)}: at most ${inMb(largestYaml)} are shown.` };
}

const inMb = (characters: number): string => `${Math.ceil(characters / 1024 / 1024)} MB`;
