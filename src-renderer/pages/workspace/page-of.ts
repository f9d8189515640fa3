import { placeIn } from '#shared/page-address.ts';
import { pageTitles } from '#shared/page-titles.ts';
import { isTabName } from '../../core/tabs.ts';
import type { WorkspaceItem } from '../../core/workspace-queries.ts';

/** Returns the title of the page that an item leads to; undefined for one that leads nowhere. */
export function pageOf({ address }: Pick<WorkspaceItem, 'address'>): string | undefined {
  const { tab } = placeIn(address);
  return address === '' || tab === undefined || !isTabName(tab) ? undefined : pageTitles[tab];
}
