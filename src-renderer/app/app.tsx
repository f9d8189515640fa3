import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CommandsProvider } from '../core/commands.tsx';
import { signInQuery } from '../core/queries.ts';
import { ReadingProvider } from '../core/reading.tsx';
import { takeReturnAddress } from '../core/return-address.ts';
import { SessionProvider } from '../core/session.tsx';
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx';
import { NotAnswering } from './not-answering.tsx';
import { Shell } from './shell/shell.tsx';

/** Asks who is here, then shows the sign-in page or the console. */
export function App() {
  const signIn = useQuery(signInQuery);
  if (signIn.data === undefined) {
    if (signIn.error === null) return null;
    return (
      <NotAnswering error={signIn.error} onRetry={() => signIn.refetch()} retrying={signIn.isFetching} />
    );
  }
  const { me, tookMs, ended } = signIn.data;
  if (me.authRequired && !me.authed) return <SignInPage me={me} tookMs={tookMs} ended={ended} />;
  return (
    <SessionProvider me={me}>
      <ReadingProvider>
        <CommandsProvider>
          <AtWantedAddress />
        </CommandsProvider>
      </ReadingProvider>
    </SessionProvider>
  );
}

/** The shell, at the address wanted before a sign-in that led away from this page. */
function AtWantedAddress() {
  // Before the shell first reads the address, so that no page opens only to be left again.
  useState(takeReturnAddress);
  return <Shell />;
}
