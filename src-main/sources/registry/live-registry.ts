import type { Registry } from './types.ts';

/** A registry whose host may change while the console runs: `host` is asked at every read. */
export function createLiveRegistry(host: () => string, create: (host: string) => Registry): Registry {
  let used = host();
  let registry = create(used);
  return {
    manifest(image, tags) {
      const wanted = host();
      if (wanted !== used) {
        registry.close();
        used = wanted;
        registry = create(used);
      }
      return registry.manifest(image, tags);
    },
    close: () => registry.close(),
  };
}
