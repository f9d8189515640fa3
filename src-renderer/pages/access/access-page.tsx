import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { allowlistsQuery } from '../../core/access.ts';
import { sentenceOf } from '../../core/failure.ts';
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
            Each list names who may do one kind of thing. You see your own membership and how many are on it;
            other people’s names are not shown.
          </p>
          {lists.isPending && <SkeletonRows rows={3} />}
          {lists.data !== undefined && <AllowlistTable lists={lists.data} />}
          {lists.data === undefined && lists.error !== null && (
            <div className={css.failure}>
              <FailurePanel
                state="unknown"
                label="Not read"
                title="The access lists were not read"
                raw={sentenceOf(lists.error)}
                actions={
                  <Button variant="filled" onClick={() => lists.refetch()} loading={lists.isFetching}>
                    Try again
                  </Button>
                }
              >
                <p>The console still decides by them; only this page does not know them.</p>
              </FailurePanel>
            </div>
          )}
        </section>
        <SessionAdminsPanel />
        <AccessClasses />
      </div>
    </Page>
  );
}
