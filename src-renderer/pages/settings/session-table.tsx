import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { SessionItem } from '#shared/api/sign-in.ts';
import { exactTime, formatDuration } from '../../components/format-time.ts';
import { deviceLabel, inOrder, methodLabels } from '../../components/session-labels.ts';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useNow } from '../../core/use-now.ts';
import css from './session-table.module.css';

type SessionTableProps = {
  /** Accessible name of the table. */
  readonly name: string;
  readonly sessions: readonly SessionItem[];
  /** The session being ended. */
  readonly ending: string | undefined;
  readonly onEnd: (id: string) => void;
};

const keyOf = ({ id }: SessionItem): string => id;

/** A person's open sessions. This one is ended by signing out, the others here. */
export function SessionTable({ name, sessions, ending, onEnd }: SessionTableProps) {
  const now = useNow(10_000);
  const columns = useMemo(() => sessionColumns(now, ending, onEnd), [now, ending, onEnd]);
  return (
    <div className={css.panel}>
      <PanelTable id="sessions" label={name} columns={columns} rows={inOrder(sessions)} keyOf={keyOf} />
    </div>
  );
}

const sessionColumns = (
  now: number,
  ending: string | undefined,
  onEnd: (id: string) => void,
): readonly TableColumn<SessionItem>[] => [
  {
    id: 'where',
    title: 'Where',
    value: ({ user_agent }) => deviceLabel(user_agent),
    hover: ({ user_agent }) => user_agent,
  },
  {
    id: 'method',
    title: 'Signed in by',
    width: 124,
    quiet: true,
    value: ({ method }) => methodLabels[method],
  },
  {
    id: 'began',
    title: 'Began',
    width: 104,
    from: 560,
    numbers: true,
    quiet: true,
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <TimeAgo at={Date.parse(created_at)} />,
  },
  {
    id: 'seen',
    title: 'Last seen',
    width: 104,
    numbers: true,
    quiet: true,
    value: ({ last_seen_at }) => last_seen_at,
    cell: ({ last_seen_at }) => <TimeAgo at={Date.parse(last_seen_at)} />,
  },
  {
    id: 'ends',
    title: 'Ends in',
    width: 96,
    from: 660,
    numbers: true,
    quiet: true,
    value: ({ expires_at }) => expires_at,
    hover: ({ expires_at }) => exactTime(Date.parse(expires_at)),
    cell: ({ expires_at }) => formatDuration(Date.parse(expires_at) - now),
  },
  {
    id: 'end',
    title: 'End',
    width: 96,
    cell: ({ id, current, user_agent }) =>
      current ? (
        <span className={css.here}>This session</span>
      ) : (
        <Button
          size="xs"
          onClick={() => onEnd(id)}
          loading={ending === id}
          aria-label={`End the session on ${deviceLabel(user_agent)}`}
        >
          End
        </Button>
      ),
  },
];
