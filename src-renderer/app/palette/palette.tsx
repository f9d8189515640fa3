import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { longestQuery } from '#shared/api/search.ts';
import { placeIn } from '#shared/page-address.ts';
import { counted } from '#shared/text.ts';
import { Layer } from '../../components/dialogs/layer.tsx';
import { KeyCaps } from '../../components/key-caps.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useAllCommands } from '../../core/commands.tsx';
import { inDesktopWindow } from '../../core/desktop.ts';
import { IconSearch } from '../../core/icons/icons.ts';
import { movedIndex } from '../../core/keys.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { NotSearched } from './not-searched.tsx';
import css from './palette.module.css';
import { PaletteRow } from './palette-row.tsx';
import { findResults, type Result } from './results.ts';
import { useSearch } from './use-search.ts';

type PaletteProps = {
  readonly onClose: () => void;
  /** The query; typing begins before the palette is there. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Enter was pressed before the answer to what was typed was there, or the palette itself. */
  readonly entered: boolean;
  readonly onEntered: (entered: boolean) => void;
};

/** Everything there is, by name: pages and acts of the window, and what the console finds in clusters and beside them. */
export function Palette({ query, onQuery, entered, onEntered, onClose }: PaletteProps) {
  const commands = useAllCommands();
  const [address, go] = usePageAddress();
  const href = useHref();
  const [only, setOnly] = useState<string>();
  /** The result that was moved to; without one the best is selected, whichever comes. */
  const [moved, setMoved] = useState<string>();
  const [confirming, setConfirming] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const namespace =
    address.namespace ?? (address.tab === 'namespaces' ? (address.record ?? undefined) : undefined);
  const search = useSearch({ query, target: useClusterTarget(), namespace, narrowed: only !== undefined });
  const groups = useMemo(
    () => findResults(commands, search.answer, query, only),
    [commands, search.answer, query, only],
  );
  const flat = groups.flatMap(({ results }) => results);
  const selected = Math.max(
    0,
    flat.findIndex(({ id }) => id === moved),
  );
  const current = flat[selected];

  const select = (result: Result | undefined) => {
    setMoved(result?.id);
    setConfirming(undefined);
  };
  const narrow = (title: string | undefined) => {
    setOnly(title);
    select(undefined);
  };
  const run = (result: Result, inNewTab: boolean) => {
    const { opens } = result;
    const to = 'address' in opens ? placeIn(opens.address) : opens.command.to;
    // The window of the desktop program is the only one of its kind: there it opens in place.
    if (inNewTab && to !== undefined && !inDesktopWindow) {
      window.open(href(to), '_blank', 'noopener');
      return;
    }
    if ('command' in opens) {
      if (opens.command.confirm !== undefined && confirming !== result.id) return setConfirming(result.id);
      onClose();
      return opens.command.run();
    }
    onClose();
    if (to !== undefined) go(to);
  };
  const waiting = search.outdated && search.failure === undefined && query.trim() !== '';
  useEffect(() => {
    if (!entered || waiting) return;
    onEntered(false);
    if (current !== undefined) run(current, false);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    onEntered(false);
    if (event.key === 'ArrowDown') select(flat[movedIndex(selected, 1, flat.length)]);
    else if (event.key === 'ArrowUp') select(flat[movedIndex(selected, -1, flat.length)]);
    else if (event.key === 'Tab') narrow(only === undefined ? groupOf(current) : undefined);
    else if (event.key === 'Backspace' && query === '' && only !== undefined) narrow(undefined);
    else if (event.key === 'Enter') {
      const inNewTab = event.ctrlKey || event.metaKey;
      if (waiting && moved === undefined && !inNewTab) onEntered(true);
      else if (current !== undefined) run(current, inNewTab);
    } else return;
    event.preventDefault();
  };
  const groupOf = (result: Result | undefined): string | undefined =>
    groups.find(({ results }) => result !== undefined && results.includes(result))?.title;
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);

  return (
    <Layer name="Search or run a command" width={720} onClose={onClose}>
      <div className={css.search}>
        <IconSearch size={16} stroke={2} aria-hidden />
        <input
          className={css.input}
          value={query}
          maxLength={longestQuery}
          onChange={(event) => {
            onQuery(event.currentTarget.value);
            select(undefined);
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
        {groups.map(({ title, results, more, target }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own.
          <div key={title} role="group" aria-label={target === undefined ? title : `${title} in ${target}`}>
            <div className={css.group} aria-hidden="true">
              {title}
              {target !== undefined && <span className={css.target}>{target}</span>}
              {more > 0 && <span className={css.more}>{`${more.toLocaleString('en')} more`}</span>}
            </div>
            {results.map((result) => (
              <PaletteRow
                key={result.id}
                id={rowId(listId, result)}
                result={result}
                selected={result === current}
                confirming={confirming === result.id}
                onSelect={() => {
                  if (result !== current) select(result);
                }}
                onRun={(event: MouseEvent) => run(result, event.ctrlKey || event.metaKey)}
              />
            ))}
          </div>
        ))}
      </div>
      {flat.length === 0 && !waiting && (
        <p className={css.none}>Nothing is called “{query}”. Try fewer letters.</p>
      )}
      {query.trim() !== '' && <NotSearched search={search} />}
      <div className={css.foot}>
        <span>
          <KeyCaps keys="↑ ↓" /> move
        </span>
        <span>
          <KeyCaps keys="Enter" /> open
        </span>
        {!inDesktopWindow && (
          <span className={css.wide}>
            <KeyCaps keys="mod+Enter" /> new tab
          </span>
        )}
        <span>
          <KeyCaps keys="Tab" /> {only === undefined ? 'only this group' : 'all groups'}
        </span>
        <span className={css.count} role="status">
          {waiting ? 'Searching' : counted(flat.length, 'result')}
        </span>
      </div>
    </Layer>
  );
}

const rowId = (listId: string, { id }: Result): string => `${listId}-${id}`;
