import { Tooltip, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { BrandMark } from '../../components/brand-mark.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { IconChevronDown } from '../../core/icons/icons.ts';
import { useHref } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { platformQuery } from '../../core/queries.ts';
import { groupTitles, type Tab, tabs } from '../../core/tabs.ts';
import { preloadPage } from '../navigation.ts';
import { useOpenTab } from '../use-open-tab.ts';
import css from './rail.module.css';
import { useClosedGroups } from './rail-fold.ts';

const groups = [...new Set(tabs.map((tab) => tab.group))].map((group) => ({
  group,
  title: groupTitles[group],
  tabs: tabs.filter((tab) => tab.group === group),
}));

/** The left rail: every page that exists, by group. Folded it keeps the icons and their names on hover. */
export function Rail({ folded, onKeys }: { readonly folded: boolean; readonly onKeys: () => void }) {
  const { data: platform } = useQuery({ ...platformQuery, enabled: false });
  const { closed, toggle } = useClosedGroups();
  return (
    <nav className={css.rail} data-folded={folded} aria-label="Console">
      <div className={css.brand}>
        <BrandMark size={18} />
        {!folded && <span>Operator Console</span>}
      </div>
      <div className={css.nav}>
        {groups.map((group) => (
          <RailGroup
            key={group.group}
            {...group}
            folded={folded}
            closed={!folded && closed.includes(group.group)}
            onToggle={() => toggle(group.group)}
          />
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

type RailGroupProps = (typeof groups)[number] & {
  readonly folded: boolean;
  readonly closed: boolean;
  readonly onToggle: () => void;
};

/** A group of pages under a head that closes it. The page that is open stays in sight. */
function RailGroup({ group, title, tabs: inGroup, folded, closed, onToggle }: RailGroupProps) {
  const [tab] = useOpenTab();
  const shown = closed ? inGroup.filter((page) => page.tab === tab) : inGroup;
  return (
    <div className={css.group}>
      {!folded && title !== undefined && (
        <h2 className={css.heading}>
          <UnstyledButton
            className={css.title}
            aria-expanded={!closed}
            aria-controls={`rail-${group}`}
            onClick={onToggle}
          >
            {title}
            <IconChevronDown size={12} stroke={2} aria-hidden />
          </UnstyledButton>
        </h2>
      )}
      <ul id={`rail-${group}`} aria-label={title}>
        {shown.map((page) => (
          <li key={page.tab}>
            <PageLink page={page} folded={folded} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function PageLink({ page, folded }: { readonly page: Tab; readonly folded: boolean }) {
  const [tab, openTab] = useOpenTab();
  const href = useHref();
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
        href={href({ tab: page.tab })}
        aria-current={current ? 'page' : undefined}
        aria-label={page.title}
        onPointerEnter={() => preloadPage(page.tab)}
        onFocus={() => preloadPage(page.tab)}
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
