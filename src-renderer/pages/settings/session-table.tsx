import { Button } from '@mantine/core';
import type { SessionItem } from '#shared/api/sign-in.ts';
import { exactTime, formatDuration } from '../../components/format-time.ts';
import { deviceLabel, inOrder, methodLabels } from '../../components/session-labels.ts';
import { Spoken } from '../../components/spoken.tsx';
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

/** A person's open sessions. This one is ended by signing out, the others here. */
export function SessionTable({ name, sessions, ending, onEnd }: SessionTableProps) {
  const now = useNow(10_000);
  return (
    <div className={css.panel}>
      <table className={css.table} aria-label={name}>
        <thead>
          <tr>
            <th>Where</th>
            <th>Signed in by</th>
            <th className={css.right}>Began</th>
            <th className={css.right}>Last seen</th>
            <th className={css.right}>Ends in</th>
            <th className={css.action}>
              <Spoken>End</Spoken>
            </th>
          </tr>
        </thead>
        <tbody>
          {inOrder(sessions).map((session) => {
            const device = deviceLabel(session.user_agent);
            const ends = Date.parse(session.expires_at);
            return (
              <tr key={session.id}>
                <td title={session.user_agent}>{device}</td>
                <td className={css.fact}>{methodLabels[session.method]}</td>
                <td className={css.right}>
                  <TimeAgo at={Date.parse(session.created_at)} />
                </td>
                <td className={css.right}>
                  <TimeAgo at={Date.parse(session.last_seen_at)} />
                </td>
                <td className={css.right} title={exactTime(ends)}>
                  {formatDuration(ends - now)}
                </td>
                <td className={css.action}>
                  {session.current ? (
                    <span className={css.here}>This session</span>
                  ) : (
                    <Button
                      size="xs"
                      onClick={() => onEnd(session.id)}
                      loading={ending === session.id}
                      aria-label={`End the session on ${device}`}
                    >
                      End
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
