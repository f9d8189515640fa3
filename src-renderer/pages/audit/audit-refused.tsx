import { Button } from '@mantine/core';
import type { AllowlistItem } from '#shared/api/access.ts';
import { counted } from '#shared/text.ts';
import { BecomeFirstAdmin } from '../../components/become-first-admin.tsx';
import { NotAllowed } from '../../components/not-allowed.tsx';
import { useMayNameFirst } from '../../core/access.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { useSession } from '../../core/session.tsx';

/** Explains why the person may not read the audit trail, and what to do. */
export function AuditRefused({ list }: { readonly list: AllowlistItem }) {
  const { me } = useSession();
  const mayNameFirst = useMayNameFirst() === true;
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
        actions={mayNameFirst ? <BecomeFirstAdmin email={me.email} /> : <SeeAccess />}
      >
        <p>
          It requires membership of <code>{list.name}</code>. That list is not set, and for this list, not set
          means nobody.
        </p>
        <p>
          {mayNameFirst ? (
            'You are the local operator of this console and can name the first session admin. The change is recorded in the audit trail.'
          ) : (
            <>
              Set <code>{list.name}</code> to email addresses, separated by commas, where the console is
              deployed, and restart it. In the console’s desktop window, or signed in by its one-time link,
              the first one can be named here.
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
        {counted(list.size ?? 0, 'person', 'people')}, and {me.email} is not one of them.
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
  const href = useHref();
  return (
    <Button
      component="a"
      href={href({ tab: 'access' })}
      onClick={(event) => {
        if (openedByPlainClick(event)) go({ tab: 'access' });
      }}
    >
      See the access lists
    </Button>
  );
}
