import css from '../../components/panel-tabs.module.css';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { type Panel, panelAddress } from './troubleshoot-address.ts';
import ownCss from './troubleshoot-page.module.css';

type TroubleshootTabsProps = {
  readonly open: Panel;
  /** Undefined while they are not known. */
  readonly findings: number | undefined;
  readonly symptoms: number | undefined;
};

/** The panels of the page. What narrows one says nothing in another, so it is left behind. */
export function TroubleshootTabs({ open, findings, symptoms }: TroubleshootTabsProps) {
  const [{ target }, go] = usePageAddress();
  const href = useHref();
  const tabs = [
    { panel: 'findings', title: 'Findings', count: findings },
    { panel: 'catalogue', title: 'Catalogue', count: symptoms },
    { panel: 'requirements', title: 'Requirements', count: undefined },
  ] as const;
  return (
    <nav className={ownCss.tabs} aria-label="Troubleshoot">
      {tabs.map(({ panel, title, count }) => {
        const to = panelAddress(panel, target);
        return (
          <a
            key={panel}
            className={css.tab}
            href={href(to)}
            aria-current={panel === open ? 'true' : undefined}
            onClick={(event) => {
              if (openedByPlainClick(event) && panel !== open) go(to);
            }}
          >
            {title} {count !== undefined && <span className={css.count}>{count.toLocaleString('en')}</span>}
          </a>
        );
      })}
    </nav>
  );
}
