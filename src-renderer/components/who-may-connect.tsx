import { useMayConnect } from '../core/access.ts';
import { useSession } from '../core/session.tsx';
import { Banner } from './banner.tsx';
import { Glyph } from './glyph.tsx';

/** Says which list names the people who may change connections and runners, when the person is not on it. */
export function WhoMayConnect({ what }: { readonly what: string }) {
  const { me } = useSession();
  const may = useMayConnect();
  if (may !== false) return null;
  return (
    <div>
      <Banner look="note" icon={<Glyph state="idle" />} title="You can only look.">
        {me.email === undefined ? (
          `Nobody is signed in, so ${what} cannot be changed here.`
        ) : (
          <>
            Changing {what} requires membership of <code>CONSOLE_CONNECTION_ADMINS</code>, and {me.email} is
            not on it.
          </>
        )}
      </Banner>
    </div>
  );
}
