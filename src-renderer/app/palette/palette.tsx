import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Layer } from '../../components/dialogs/layer.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { type Command, type CommandGroup, useAllCommands } from '../../core/commands.tsx';
import { IconSearch } from '../../core/icons/icons.ts';
import { movedIndex } from '../../core/keys.ts';
import css from './palette.module.css';
import { PaletteRow } from './palette-row.tsx';
import { findCommands } from './results.ts';

type PaletteProps = {
  readonly onClose: () => void;
  /** What is searched for; typing begins before the palette is there. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
};

/** Everything there is, by name: pages, chats, apps and actions. */
export function Palette({ query, onQuery, onClose }: PaletteProps) {
  const commands = useAllCommands();
  const [only, setOnly] = useState<CommandGroup>();
  const [selected, setSelected] = useState(0);
  const [confirming, setConfirming] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const groups = useMemo(() => findCommands(commands, query, only), [commands, query, only]);
  const flat = groups.flatMap(({ results }) => results);
  const current = flat[selected]?.command;

  const select = (index: number) => {
    setSelected(index);
    setConfirming(undefined);
  };
  const narrow = () => {
    const next = only === undefined ? current?.group : undefined;
    setOnly(next);
    select(0);
  };
  const run = (command: Command) => {
    if (command.confirm !== undefined && confirming !== command.id) return setConfirming(command.id);
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') select(movedIndex(selected, 1, flat.length));
    else if (event.key === 'ArrowUp') select(movedIndex(selected, -1, flat.length));
    else if (event.key === 'Tab') narrow();
    else if (event.key === 'Backspace' && query === '' && only !== undefined) narrow();
    else if (event.key === 'Enter' && current !== undefined) run(current);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);

  return (
    <Layer name="Search or run a command" width={640} onClose={onClose}>
      <div className={css.search}>
        <IconSearch size={16} stroke={2} aria-hidden />
        <input
          className={css.input}
          value={query}
          onChange={(event) => {
            onQuery(event.currentTarget.value);
            select(0);
          }}
          onKeyDown={onKeyDown}
          placeholder="Search or run a command"
          role="combobox"
          aria-label="Search or run a command"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={current === undefined ? undefined : rowId(listId, current)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        {only !== undefined && <span className={css.kind}>{only}</span>}
      </div>
      <div ref={list} className={css.list} id={listId} role="listbox" aria-label="Results">
        {groups.map(({ group, results }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own.
          <div key={group} role="group" aria-label={group}>
            <div className={css.group} aria-hidden="true">
              {group}
            </div>
            {results.map((result) => (
              <PaletteRow
                key={result.command.id}
                id={rowId(listId, result.command)}
                result={result}
                selected={result.command === current}
                confirming={confirming === result.command.id}
                onSelect={() => select(flat.indexOf(result))}
                onRun={() => run(result.command)}
              />
            ))}
          </div>
        ))}
      </div>
      {flat.length === 0 && <p className={css.none}>Nothing is called “{query}”. Try fewer letters.</p>}
      <div className={css.foot}>
        <span>
          <KeyCaps keys="↑ ↓" /> move
        </span>
        <span>
          <KeyCaps keys="Enter" /> open
        </span>
        <span>
          <KeyCaps keys="Tab" /> {only === undefined ? 'narrow to kind' : 'every kind'}
        </span>
        <span className={css.count} role="status">
          {flat.length === 1 ? '1 result' : `${flat.length} results`}
        </span>
      </div>
    </Layer>
  );
}

const rowId = (listId: string, command: Command): string => `${listId}-${command.id}`;
