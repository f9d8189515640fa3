import { BecomeFirstAdmin } from '../../components/become-first-admin.tsx';
import { useAllowlist, useMayNameFirst } from '../../core/access.ts';
import { inDesktopWindow } from '../../core/desktop.ts';
import { useSession } from '../../core/session.tsx';
import css from './who-may-change.module.css';

/** Says who may change what stands below, when the person may not. */
export function WhoMayChange({ what }: { readonly what: string }) {
  const { me } = useSession();
  const { data: list } = useAllowlist('CONSOLE_SESSION_ADMINS');
  const mayNameFirst = useMayNameFirst() === true;
  if (list === undefined || list.member || (inDesktopWindow && me.authed && list.configured)) return null;
  if (me.email === undefined)
    return <p className={css.note}>Nobody is signed in, so {what} cannot be changed here.</p>;
  if (list.configured) {
    return (
      <p className={css.note}>
        Changing {what} requires membership of <code>{list.name}</code>, and {me.email} is not on it.
      </p>
    );
  }
  return (
    <div className={css.note}>
      <p>
        Changing {what} requires membership of <code>{list.name}</code>. That list is not set, and for this
        list, not set means nobody{inDesktopWindow ? ' but the owner of this window.' : '.'}
        {mayNameFirst && ' You may name the first one.'}
      </p>
      {mayNameFirst && <BecomeFirstAdmin email={me.email} />}
    </div>
  );
}
