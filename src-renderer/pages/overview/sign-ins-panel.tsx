import { useQuery } from '@tanstack/react-query';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { deviceLabel, inOrder, methodLabels } from '../../components/session-labels.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useSession } from '../../core/session.tsx';
import { ownSessionsQuery } from './overview-queries.ts';
import css from './side-panels.module.css';

/** Sessions shown; Settings has all. */
const most = 4;

/** Shows where the person is signed in. An open console has no signed-in person. */
export function SignInsPanel() {
  const { me } = useSession();
  const { data } = useQuery({ ...ownSessionsQuery, enabled: me.authed });
  if (!me.authed || data === undefined) return null;
  return (
    <Panel
      title="Your sign-ins"
      sub={data.length}
      tools={<PageLink to={{ tab: 'settings', section: 'sessions' }}>All</PageLink>}
    >
      <ul className={css.rows}>
        {inOrder(data)
          .slice(0, most)
          .map(({ id, user_agent, method, current, last_seen_at }) => (
            <li key={id}>
              <span className={css.name}>{deviceLabel(user_agent)}</span>
              <span className={css.fact}>{current ? 'this window' : methodLabels[method]}</span>
              <span className={css.state}>
                <TimeAgo at={Date.parse(last_seen_at)} fromNow />
              </span>
            </li>
          ))}
      </ul>
    </Panel>
  );
}
