import { addressWith } from '../core/address-with.ts';
import { useHref, usePageAddress } from '../core/page-address.ts';
import { openedByPlainClick } from '../core/plain-click.ts';
import css from './panel-tabs.module.css';

/** One part of a drawer: its value in the address; the first has none. */
export type PanelTab = {
  readonly panel: string | undefined;
  readonly title: string;
  /** Undefined where it was not read or says nothing. */
  readonly count?: number | undefined;
};

/** Parts of a drawer that are opened one at a time, by the address. */
export function PanelTabs({ name, tabs }: { readonly name: string; readonly tabs: readonly PanelTab[] }) {
  const [address, go] = usePageAddress();
  const href = useHref();
  const open = openPanel(address.panel, tabs);
  return (
    <nav className={css.tabs} aria-label={name}>
      {tabs.map(({ panel, title, count }) => {
        const to = addressWith(address, { panel });
        return (
          <a
            key={title}
            className={css.tab}
            href={href(to)}
            aria-current={panel === open ? 'true' : undefined}
            onClick={(event) => {
              if (openedByPlainClick(event)) go(to, 'replace');
            }}
          >
            {title} {count !== undefined && <span className={css.count}>{count.toLocaleString('en')}</span>}
          </a>
        );
      })}
    </nav>
  );
}

/** The part that the address opens; the first for one that is none. */
export const openPanel = (panel: string | null, tabs: readonly PanelTab[]): string | undefined =>
  tabs.find((tab) => tab.panel === panel)?.panel;
