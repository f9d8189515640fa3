import type { PageAddress } from '#shared/page-address.ts';
import type { Address } from '../../core/page-address.ts';
import { usualWindow, type WindowDays, windows } from './devex-queries.ts';

/** View of the page: a window of days, of one repository or all, as charts or as a table. */
export type DevexView = {
  readonly days: WindowDays;
  readonly repo: string | undefined;
  readonly view: 'charts' | 'table';
};

/** The view an address names; what it does not name, or names wrongly, is as usual. */
export function devexViewOf({ days, repo, section }: Pick<Address, 'days' | 'repo' | 'section'>): DevexView {
  return {
    days: windows.find((known) => known === days) ?? usualWindow,
    repo: repo === null || repo === '' ? undefined : repo,
    view: section === 'table' ? 'table' : 'charts',
  };
}

/** The address of a view. What is usual is not written. */
export function devexAddress({ days, repo, view }: DevexView): PageAddress {
  return {
    tab: 'devex',
    ...(view === 'table' && { section: 'table' }),
    ...(repo !== undefined && { repo }),
    ...(days !== usualWindow && { days }),
  };
}
