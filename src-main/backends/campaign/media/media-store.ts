import { bucketStorage, folderStorage, type SealedStore, sealedStore } from '../../sealed/index.ts';
import type { CampaignParts } from '../parts.ts';

/** The sealed store of the backend's media. Throws `StartupRefused` for an object store that would be spoken to in cleartext. */
export function mediaStore({
  mediaLocation,
  config,
}: Pick<CampaignParts, 'mediaLocation' | 'config'>): SealedStore {
  const storage =
    mediaLocation.kind === 'folder' ? folderStorage(mediaLocation.dir) : bucketStorage(mediaLocation);
  return sealedStore(storage, config.envelopeKey);
}
