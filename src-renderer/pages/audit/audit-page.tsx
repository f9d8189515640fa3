import { Button } from '@mantine/core';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { Waiting } from '../../components/skeleton.tsx';
import { useAllowlist } from '../../core/access.ts';
import { sentenceOf } from '../../core/failure.ts';
import css from './audit-page.module.css';
import { AuditRefused } from './audit-refused.tsx';
import { AuditTrail } from './audit-trail.tsx';

/**
 * The audit trail, for who may read it. Membership is asked first: a page for somebody else says what it needs, and
 * does not knock at doors that will refuse.
 */
export function AuditPage() {
  const list = useAllowlist('CONSOLE_SESSION_ADMINS');
  if (list.data?.member === true) return <AuditTrail />;
  return (
    <Page title="Audit" flush>
      <div className={css.room}>
        {list.isPending && <Waiting label="Checking who may read the audit trail" />}
        {list.data !== undefined && <AuditRefused list={list.data} />}
        {list.data === undefined && list.error !== null && (
          <FailurePanel
            state="unknown"
            label="Not read"
            title="The console did not say who may read the audit trail"
            raw={sentenceOf(list.error)}
            actions={
              <Button variant="filled" onClick={() => list.refetch()} loading={list.isFetching}>
                Retry
              </Button>
            }
          >
            <p>The trail is hidden until that is known.</p>
          </FailurePanel>
        )}
      </div>
    </Page>
  );
}
