import { UnstyledButton } from '@mantine/core';
import { KeyCaps } from '../../components/key-caps.tsx';
import { IconSearch } from '../../core/icons/icons.ts';
import { TargetLayers } from '../targets/target-layers.tsx';
import { Freshness } from './freshness.tsx';
import { PersonMenu } from './person-menu.tsx';
import { PlatformIndicator } from './platform-indicator.tsx';
import css from './top-bar.module.css';

/** What the pages read and whether the studio answers, the way to everything, how fresh the page is, and who is here. */
export function TopBar({ onSearch }: { readonly onSearch: () => void }) {
  return (
    <header className={css.bar}>
      <div className={css.side}>
        <TargetLayers />
        <PlatformIndicator />
      </div>
      <UnstyledButton className={css.search} onClick={onSearch}>
        <IconSearch size={14} stroke={2} aria-hidden />
        <span className={css.hint}>Search or run a command</span>
        <KeyCaps keys="mod+k" />
      </UnstyledButton>
      <div className={css.side} data-end>
        <Freshness />
        <PersonMenu />
      </div>
    </header>
  );
}
