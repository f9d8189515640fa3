import type { Config } from '../config/index.ts';
import type { Dial } from '../features/studio/index.ts';
import type { Targets } from '../features/targets/index.ts';

/** The studio's address, and the way to it where that address is not of this network. */
export type StudioAddress = { readonly upstream: URL; readonly dial: Dial | undefined };

/** Returns how the studio is reached now; the same object for as long as its address is the same. */
export function liveStudio(
  endpoint: () => Config['studio'],
  targets: Pick<Targets, 'forward'>,
): () => StudioAddress {
  const open = ({ url, through }: Config['studio']): StudioAddress => ({
    upstream: url,
    dial: through === undefined ? undefined : () => targets.forward(through),
  });
  const nameOf = ({ url, through }: Config['studio']): string => `${url} ${JSON.stringify(through)}`;
  let seen = endpoint();
  let address = open(seen);
  return () => {
    const wanted = endpoint();
    if (wanted === seen) return address;
    if (nameOf(wanted) !== nameOf(seen)) address = open(wanted);
    seen = wanted;
    return address;
  };
}
