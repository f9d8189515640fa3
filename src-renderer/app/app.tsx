import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureBoundary } from '../components/failure-boundary.tsx';
import { CommandsProvider } from '../core/commands.tsx';
import { signInQuery } from '../core/queries.ts';
import { ReadingProvider } from '../core/reading.tsx';
import { takeReturnAddress } from '../core/return-address.ts';
import { SessionProvider } from '../core/session.tsx';
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx';
import css from './app.module.css';
import { UnexpectedErrors } from './failures/unexpected-errors.tsx';
import { NotAnswering } from './not-answering.tsx';
import { Shell } from './shell/shell.tsx';

/** The window. What fails outside of every part is shown in its place. */
export function App() {
  return (
    <>
      <FailureBoundary part="The window" frame={(failure) => <main className={css.failure}>{failure}</main>}>
        <SignInOrConsole />
      </FailureBoundary>
      <UnexpectedErrors />
    </>
  );
}

/** Asks who is here, then shows the sign-in page or the console. */
function SignInOrConsole() {
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
