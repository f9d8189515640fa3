/** The tab opened when neither the address nor the person names one. */
export const firstTab = 'forgeStudio';

/**
 * The tab to open: the address decides, then the person's preference, then the studio. A preference for a page that
 * does not exist here is passed over; an address that names one is not, so that the person is told.
 */
export function openTab(address: string | null, preferred: string, tabs: readonly string[]): string {
  if (address !== null && address !== '') return address;
  return tabs.includes(preferred) ? preferred : firstTab;
}
