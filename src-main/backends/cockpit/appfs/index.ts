import {
  bucketStorage,
  folderStorage,
  type ObjectStorage,
  type SealedStore,
  StorageUnavailable,
  sealedStore,
} from '../../sealed/index.ts';
import { StartupRefused } from '../../serving/index.ts';
import type { AppfsLocation } from './location.ts';

export {
  type AppfsLocation,
  readAppfsLocation,
  readAtRestKey,
} from './location.ts';

/** The objects of a place, sealed with the envelope key of 32 bytes. */
export function sealedAt(location: AppfsLocation, envelopeKey: Buffer): SealedStore {
  return sealedStore(objectsAt(location), envelopeKey);
}

/**
 * The appfs root, which control planes and runners share (BCK-048). Throws `StartupRefused` when it does not
 * serve, or when what it holds was sealed with another key.
 */
export async function mountAppfs(location: AppfsLocation, envelopeKey: Buffer): Promise<SealedStore> {
  const root = sealedAt(location, envelopeKey);
  const message = `appfs root could not be mounted${location.kind === 's3' ? ', object store unavailable' : ''}`;
  try {
    await root.check();
    return root;
  } catch (error) {
    if (error instanceof StorageUnavailable)
      throw new StartupRefused(`${message}: ${error.message}`, { cause: error });
    if (error instanceof StartupRefused)
      throw new StartupRefused(`appfs root could not be mounted: ${error.message}`, { cause: error });
    throw error;
  }
}

function objectsAt(storage: AppfsLocation): ObjectStorage {
  return storage.kind === 'folder' ? folderStorage(storage.folder) : bucketStorage(storage);
}
