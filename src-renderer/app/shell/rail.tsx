import { Tooltip, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { BrandMark } from '../../components/brand-mark.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { platformQuery } from '../../core/queries.ts';
import { groupTitles, pageAddress, type Tab, tabs } from '../../core/tabs.ts';
import { useOpenTab } from '../use-open-tab.ts';
import css from './rail.module.css';

const groups = [...new Set(tabs.map((tab) => tab.group))].map((group) => ({
  group,
  title: groupTitles[group],
  tabs: tabs.filter((tab) => tab.group === group),
}));

/** The left rail: every page that exists, by group. Folded it keeps the icons and their names on hover. */
export function Rail({ folded, onKeys }: { readonly folded: boolean; readonly onKeys: () => void }) {
  const { data: platform } = useQuery({ ...platformQuery, enabled: false });
  return (
    <nav className={css.rail} data-folded={folded} aria-label="Console">
      <div className={css.brand}>
        <BrandMark size={18} />
        {!folded && <span>Operator Console</span>}
      </div>
      <div className={css.nav}>
        {groups.map(({ group, title, tabs: inGroup }) => (
          <div key={group} className={css.group}>
            {!folded && title !== undefined && <h2 className={css.title}>{title}</h2>}
            <ul aria-label={title}>
              {inGroup.map((page) => (
                <li key={page.tab}>
                  <PageLink page={page} folded={folded} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={css.foot}>
        {!folded && <span>{platform?.version}</span>}
        <UnstyledButton className={css.keys} onClick={onKeys} aria-label="Keys">
          <KeyCaps keys="?" />
          {!folded && 'keys'}
        </UnstyledButton>
      </div>
    </nav>
  );
}

function PageLink({ page, folded }: { readonly page: Tab; readonly folded: boolean }) {
  const [tab, openTab] = useOpenTab();
  const Icon = page.icon;
  const current = tab === page.tab;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (current) link.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <Tooltip label={page.title} position="right" disabled={!folded}>
      <a
        ref={link}
        className={css.link}
        href={pageAddress(page.tab)}
        aria-current={current ? 'page' : undefined}
        aria-label={page.title}
        onClick={(event) => {
          if (openedByPlainClick(event)) openTab(page.tab);
        }}
      >
        <Icon size={16} stroke={2} aria-hidden />
        {!folded && page.title}
      </a>
    </Tooltip>
  );
}
