import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { Ref } from 'react';
import type { Icon } from '../../core/icon.ts';
import {
  IconArrowDown,
  IconArrowUp,
  IconClock,
  IconFold,
  IconLetterCase,
  IconRegex,
  IconSearch,
  IconTextWrap,
} from '../../core/icons/icons.ts';
import { KeyCaps } from '../key-caps.tsx';
import css from './log-bar.module.css';

/** A search query and its options. */
export type Wanted = { readonly text: string; readonly regex: boolean; readonly matchCase: boolean };

/** Display options of the lines. */
export type LogLook = { readonly wrap: boolean; readonly times: boolean };

type LogBarProps = {
  readonly inputRef: Ref<HTMLInputElement>;
  readonly wanted: Wanted;
  readonly onWanted: (wanted: Wanted) => void;
  /** Formatted result of the search. */
  readonly found: string;
  /** Error of the search, such as an invalid expression. */
  readonly trouble: string | undefined;
  readonly onNext: (step: 1 | -1) => void;
  /** Gives the focus back to the lines. */
  readonly onLeave: () => void;
  readonly look: LogLook;
  readonly onLook: (look: LogLook) => void;
  /** False where no line has a time that could be shown. */
  readonly timed: boolean;
  /** True when every group is folded; undefined when there is none. */
  readonly allFolded: boolean | undefined;
  readonly onFoldAll: () => void;
  readonly errors: number;
  readonly onError: () => void;
};

/** The search of a log, and how its lines are shown. */
export function LogBar(props: LogBarProps) {
  const { inputRef, wanted, onWanted, found, trouble, onNext, onLeave, look, onLook } = props;
  const { timed, allFolded, onFoldAll, errors, onError } = props;
  return (
    <search className={css.bar} aria-label="Search the log">
      <label className={css.search} data-trouble={trouble !== undefined}>
        <IconSearch size={14} stroke={2} aria-hidden />
        <input
          ref={inputRef}
          type="search"
          value={wanted.text}
          onChange={(event) => onWanted({ ...wanted, text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              event.preventDefault();
              onNext(event.shiftKey ? -1 : 1);
            } else if (event.key === 'Escape') {
              event.preventDefault();
              if (wanted.text === '') onLeave();
              else onWanted({ ...wanted, text: '' });
            }
          }}
          placeholder="Search the log"
          aria-label="Search the log"
          aria-invalid={trouble !== undefined}
          autoComplete="off"
          spellCheck={false}
        />
        {wanted.text === '' && <KeyCaps keys="/" />}
        <Toggle
          label="Match case"
          icon={IconLetterCase}
          on={wanted.matchCase}
          onToggle={() => onWanted({ ...wanted, matchCase: !wanted.matchCase })}
        />
        <Toggle
          label="Regular expression"
          icon={IconRegex}
          on={wanted.regex}
          onToggle={() => onWanted({ ...wanted, regex: !wanted.regex })}
        />
      </label>
      <span className={css.found} role="status" data-trouble={trouble !== undefined} title={trouble}>
        {trouble ?? found}
      </span>
      {wanted.text !== '' && trouble === undefined && (
        <span className={css.steps}>
          <Step label="Previous match (Shift+Enter)" icon={IconArrowUp} onClick={() => onNext(-1)} />
          <Step label="Next match (Enter)" icon={IconArrowDown} onClick={() => onNext(1)} />
        </span>
      )}
      <span className={css.looks}>
        {errors > 0 && (
          <Button size="xs" onClick={onError} rightSection={<KeyCaps keys="e" />}>
            Next error
          </Button>
        )}
        {allFolded !== undefined && (
          <Toggle
            label={allFolded ? 'Unfold every group (f)' : 'Fold every group (f)'}
            icon={IconFold}
            on={allFolded}
            onToggle={onFoldAll}
          />
        )}
        {timed && (
          <Toggle
            label="Timestamps (t)"
            icon={IconClock}
            on={look.times}
            onToggle={() => onLook({ ...look, times: !look.times })}
          />
        )}
        <Toggle
          label="Wrap long lines (w)"
          icon={IconTextWrap}
          on={look.wrap}
          onToggle={() => onLook({ ...look, wrap: !look.wrap })}
        />
      </span>
    </search>
  );
}

type ToggleProps = {
  readonly label: string;
  readonly icon: Icon;
  readonly on: boolean;
  readonly onToggle: () => void;
};

function Toggle({ label, icon: ToggleIcon, on, onToggle }: ToggleProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        className={css.toggle}
        variant="transparent"
        onClick={onToggle}
        aria-label={label}
        aria-pressed={on}
      >
        <ToggleIcon size={16} stroke={2} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

type StepProps = { readonly label: string; readonly icon: Icon; readonly onClick: () => void };

function Step({ label, icon: StepIcon, onClick }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon className={css.toggle} variant="transparent" onClick={onClick} aria-label={label}>
        <StepIcon size={14} stroke={2} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
