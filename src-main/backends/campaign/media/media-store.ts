import { folderPlace, objectStorePlace, type SealedStore, sealedStore } from '../../sealed/index.ts';
import type { CampaignParts } from '../parts.ts';

/** The sealed store of the backend's media. Throws `StartupRefused` for an object store that would be spoken to in cleartext. */
export function mediaStore({
  mediaPlace,
  config,
}: Pick<CampaignParts, 'mediaPlace' | 'config'>): SealedStore {
  const place = mediaPlace.kind === 'folder' ? folderPlace(mediaPlace.dir) : objectStorePlace(mediaPlace);
  return sealedStore(place, config.envelopeKey);
}
