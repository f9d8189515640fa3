import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Me } from '#shared/api/sign-in.ts';
import { call } from './api.ts';
import { type SignInState, signInQuery } from './queries.ts';

/** The signed-in person, and signing out. */
export type Session = {
  readonly me: Me;
  /** Ends this session on the console, then forgets what the page had read for this person. */
  signOut(): Promise<void>;
  /** Forgets the person on this page only: the console has already ended the session. */
  forget(): void;
};

const SessionContext = createContext<Session | undefined>(undefined);

/** Gives the pages the session that `/api/me` described. */
export function SessionProvider({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  const client = useQueryClient();
  const session = useMemo<Session>(() => {
    const forget = () => {
      const { email: _gone, ...rest } = me;
      client.setQueryData<SignInState>(signInQuery.queryKey, {
        me: { ...rest, authed: false },
        tookMs: 0,
        ended: false,
      });
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'me' });
      client.invalidateQueries({ queryKey: signInQuery.queryKey });
    };
    return {
      me,
      forget,
      signOut: async () => {
        await call('signIn.logout');
        forget();
      },
    };
  }, [me, client]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The session of the page; only inside the shell. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession is used outside the shell.');
  return session;
}
