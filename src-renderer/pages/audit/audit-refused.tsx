import { Button } from '@mantine/core';
import type { AllowlistItem } from '#shared/api/access.ts';
import { pageHref } from '#shared/page-address.ts';
import { BecomeFirstAdmin } from '../../components/become-first-admin.tsx';
import { NotAllowed } from '../../components/not-allowed.tsx';
import { inDesktopWindow } from '../../core/desktop.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { useSession } from '../../core/session.tsx';

/** Explains why the person may not read the audit trail, and what to do. */
export function AuditRefused({ list }: { readonly list: AllowlistItem }) {
  const { me } = useSession();
  if (me.email === undefined) {
    return (
      <NotAllowed title="Nobody is signed in">
        <p>
          Only people in <code>{list.name}</code> may read the audit trail, so the console must know who you
          are. No sign-in is configured: set <code>CONSOLE_ADMIN_PASSWORD</code> or an identity provider, and
          restart the console.
        </p>
      </NotAllowed>
    );
  }
  if (!list.configured) {
    return (
      <NotAllowed
        title="Nobody may read the audit trail yet"
        actions={inDesktopWindow ? <BecomeFirstAdmin email={me.email} /> : <SeeAccess />}
      >
        <p>
          It requires membership of <code>{list.name}</code>. That list is not set, and for this list, not set
          means nobody.
        </p>
        <p>
          {inDesktopWindow ? (
            'This window belongs to the owner of this machine, who can add the first session admin. The change is recorded in the audit trail.'
          ) : (
            <>
              Set <code>{list.name}</code> to email addresses, separated by commas, where the console is
              deployed, and restart it. In the console’s desktop window the first one can be added here.
            </>
          )}
        </p>
      </NotAllowed>
    );
  }
  return (
    <NotAllowed title="You may not read the audit trail" actions={<SeeAccess />}>
      <p>
        It requires membership of <code>{list.name}</code>. The list has{' '}
        {list.size === 1 ? '1 person' : `${list.size} people`}, and {me.email} is not one of them.
      </p>
      <p>
        {list.source === 'store'
          ? 'Ask a session admin to add you on the Access page.'
          : 'The list is changed where the console is deployed: ask whoever runs it.'}
      </p>
    </NotAllowed>
  );
}

function SeeAccess() {
  const [, go] = usePageAddress();
  return (
    <Button
      component="a"
      href={pageHref({ tab: 'access' })}
      onClick={(event) => {
        if (openedByPlainClick(event)) go({ tab: 'access' });
      }}
    >
      See the access lists
    </Button>
  );
}
