import {
  folderPlace,
  type ObjectPlace,
  objectStorePlace,
  PlaceUnavailable,
  type SealedStore,
  sealedStore,
} from '../../sealed/index.ts';
import { StartupRefused } from '../../serving/index.ts';
import type { AppfsPlace } from './place.ts';

export { type AppfsPlace, readAppfsPlace, readAtRestKey } from './place.ts';

/** The objects of a place, sealed with the envelope key of 32 bytes. */
export function sealedAt(place: AppfsPlace, envelopeKey: Buffer): SealedStore {
  return sealedStore(objectsAt(place), envelopeKey);
}

/**
 * The appfs root, which control planes and runners share (BCK-048). Throws `StartupRefused` when it does not
 * serve, or when what it holds was sealed with another key.
 */
export async function mountAppfs(place: AppfsPlace, envelopeKey: Buffer): Promise<SealedStore> {
  const root = sealedAt(place, envelopeKey);
  const words = `appfs root could not be mounted${place.kind === 's3' ? ', object store unavailable' : ''}`;
  try {
    await root.check();
    return root;
  } catch (error) {
    if (error instanceof PlaceUnavailable)
      throw new StartupRefused(`${words}: ${error.message}`, { cause: error });
    if (error instanceof StartupRefused)
      throw new StartupRefused(`appfs root could not be mounted: ${error.message}`, { cause: error });
    throw error;
  }
}

function objectsAt(place: AppfsPlace): ObjectPlace {
  return place.kind === 'folder' ? folderPlace(place.folder) : objectStorePlace(place);
}
