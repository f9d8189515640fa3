import { useQuery } from '@tanstack/react-query';
import { Page } from '../../components/page/page.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { allowlistsQuery } from '../../core/access.ts';
import { useSession } from '../../core/session.tsx';
import { AccessClasses } from './access-classes.tsx';
import css from './access-page.module.css';
import { AllowlistTable } from './allowlist-table.tsx';
import { SessionAdminsPanel } from './session-admins-panel.tsx';

/** Shows every allowlist the person may see, the session admins, and the rules behind them. */
export function AccessPage() {
  const { me } = useSession();
  const lists = useQuery(allowlistsQuery);
  return (
    <Page title="Access" sub={me.email === undefined ? 'nobody is signed in' : `as ${me.email}`}>
      <div className={css.page}>
        <section className={css.panel} aria-labelledby="allowlists">
          <h2 className={css.title} id="allowlists">
            Allowlists
          </h2>
          <p className={css.about}>
            Each list names the people allowed one kind of action. You see your own membership and the number
            of people; other people’s names are not shown.
          </p>
          <PlainAnswer
            query={lists}
            what="the access lists"
            meanwhile="The console still enforces them; only this page could not read them."
            frame={css.failure}
          >
            {(answer) => <AllowlistTable lists={answer} />}
          </PlainAnswer>
        </section>
        <SessionAdminsPanel />
        <AccessClasses />
      </div>
    </Page>
  );
}
