import { type AddressPart, type PageAddress, pageHref, placeIn } from '#shared/page-address.ts';
import { readsCluster } from './tabs.ts';

/** What a view leaves out: the open row, and which cluster is read, so that it fits them all. */
const notOfView: readonly AddressPart[] = ['record', 'run', 'target'];

/** What leads to one thing. The filters of the list that it was pinned from do not belong to it. */
const ofPinned: readonly AddressPart[] = [
  'tab',
  'chat',
  'app',
  'panel',
  'section',
  'record',
  'run',
  'agent',
  'image',
  'sha',
];

/** What a thing that no row names is pinned without. */
const notOfPlace: readonly AddressPart[] = ['q', 'sort', 'hide', 'target'];

const kept = (place: PageAddress, keeps: (part: AddressPart) => boolean): string =>
  pageHref(Object.fromEntries(Object.entries(place).filter(([part]) => keeps(part as AddressPart)))).slice(1);

/** Returns the address that a view of a page is kept by, from the `?` on. */
export const viewAddress = (place: PageAddress): string => kept(place, (part) => !notOfView.includes(part));

/** Returns the address that a thing is pinned by, from the `?` on; with its cluster, on a page that reads one. */
export function pinAddress(address: string): string {
  const place = placeIn(address);
  const named = place.record !== undefined || place.run !== undefined;
  return kept(
    place,
    (part) =>
      (part === 'target' && readsCluster(place.tab ?? '')) ||
      (named ? ofPinned.includes(part) : !notOfPlace.includes(part)),
  );
}
