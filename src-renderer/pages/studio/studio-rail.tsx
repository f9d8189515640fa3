import { Button } from '@mantine/core';
import { type KeyboardEvent, type Ref, useRef, useState } from 'react';
import type { PageAddress } from '#shared/page-address.ts';
import { Banner } from '../../components/banner.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { useOneStop } from '../../components/list/use-one-stop.ts';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { passesFilter } from './rail-model.ts';
import { AppRow, ChatRow } from './rail-rows.tsx';
import css from './studio-rail.module.css';
import { moveInRail } from './use-studio-commands.ts';
import type { StudioLists } from './use-studio-lists.ts';

type StudioRailProps = {
  readonly ref: Ref<HTMLElement>;
  readonly lists: StudioLists;
  /** The open chat. */
  readonly current: string | undefined;
  readonly onNewChat: () => void;
  readonly go: (to: PageAddress) => void;
};

/** Chats and apps, filtered as one. The row of the open chat is marked. */
export function StudioRail({ ref, lists, current, onNewChat, go }: StudioRailProps) {
  const [filter, setFilter] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  useOneStop(rows);
  const chats = lists.chats.filter(({ title, project, id }) => passesFilter(filter, title, project, id));
  const apps = lists.apps.filter(({ name, detail, state }) =>
    passesFilter(filter, name, detail, state?.label ?? ''),
  );
  const inChats = lists.chats.some(({ id }) => id === current);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      moveInRail(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1);
      event.preventDefault();
    }
  };
  const open = (chat: string) => go({ tab: 'forgeStudio', chat });
  return (
    <section ref={ref} className={css.rail} aria-label="Chats and apps" onKeyDown={onKeyDown}>
      <div className={css.filter}>
        <FilterInput ref={input} value={filter} label="Filter apps and chats" onChange={setFilter} />
      </div>
      <div ref={rows} className={css.lists}>
        <h2 className={css.head}>
          Chats <span className={css.count}>{lists.askable && !lists.reading ? lists.chats.length : ''}</span>
        </h2>
        {lists.failure !== undefined && (
          <Banner
            look="unread"
            icon={<Glyph state="unknown" />}
            title={lists.chats.length === 0 ? 'Chats not read.' : 'Could not refresh.'}
          >
            {lists.failure}
          </Banner>
        )}
        {lists.reading && <SkeletonRows rows={4} />}
        {!lists.askable && lists.chats.length === 0 && (
          <p className={css.empty}>Not read: the studio is not available.</p>
        )}
        {lists.askable && !lists.reading && lists.chats.length === 0 && lists.failure === undefined && (
          <div className={css.empty}>
            <p>No chats yet. The studio listed all of yours.</p>
            <Button size="xs" onClick={onNewChat}>
              Start a chat
            </Button>
          </div>
        )}
        <ul aria-label="Chats">
          {chats.map((chat) => (
            <ChatRow key={chat.id} chat={chat} open={chat.id === current} onOpen={open} />
          ))}
        </ul>
        <h2 className={css.head}>
          Apps
          {lists.statesMissing && (
            <span className={css.note}>
              <i className={css.hatch} aria-hidden="true" />
              states not read
            </span>
          )}
          <span className={css.count}>{lists.askable || lists.apps.length > 0 ? lists.apps.length : ''}</span>
        </h2>
        {lists.apps.length === 0 && !lists.reading && <p className={css.empty}>{noApps(lists)}</p>}
        <ul aria-label="Apps">
          {apps.map((app) => (
            <AppRow
              key={app.name}
              app={app}
              open={!inChats && app.chat === current && current !== undefined}
              onOpen={open}
            />
          ))}
        </ul>
        {filter !== '' && chats.length + apps.length === 0 && (
          <p className={css.empty} role="status">
            Nothing here matches “{filter}”. Esc clears the filter.
          </p>
        )}
      </div>
    </section>
  );
}

function noApps(lists: StudioLists): string {
  if (!lists.askable && lists.statesMissing)
    return 'Not read: neither the studio nor the code host answered.';
  return 'No apps yet. A chat makes one when it has something to build.';
}
