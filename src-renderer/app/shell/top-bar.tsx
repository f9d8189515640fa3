import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import { KeyCaps } from '../../components/key-caps.tsx';
import { IconMessage, IconSearch } from '../../core/icons/icons.ts';
import { TargetLayers } from '../targets/target-layers.tsx';
import { TalkButton } from '../voice/talk-button.tsx';
import { Freshness } from './freshness.tsx';
import { PersonMenu } from './person-menu.tsx';
import { PlatformIndicator } from './platform-indicator.tsx';
import css from './top-bar.module.css';

type TopBarProps = {
  readonly onSearch: () => void;
  /** Whether Ask is open beside the page. */
  readonly asking: boolean;
  /** Undefined on the page Ask itself. */
  readonly onAsk: (() => void) | undefined;
};

/** What the pages read and whether the studio answers, the way to everything, how fresh the page is, and who is here. */
export function TopBar({ onSearch, asking, onAsk }: TopBarProps) {
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
        {onAsk !== undefined && (
          <Tooltip label="Ask beside this page">
            <ActionIcon
              variant="transparent"
              onClick={onAsk}
              aria-label="Ask beside this page"
              aria-pressed={asking}
            >
              <IconMessage size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        <TalkButton />
        <Freshness />
        <PersonMenu />
      </div>
    </header>
  );
}
