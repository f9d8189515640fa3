import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { FailureBoundary } from '../components/failure-boundary.tsx';
import { AddressProvider } from '../core/address-provider.tsx';
import { CommandsProvider } from '../core/commands.tsx';
import { loadPart } from '../core/load-part.tsx';
import { signInQuery } from '../core/queries.ts';
import { ReadingProvider } from '../core/reading.tsx';
import { takeReturnAddress } from '../core/return-address.ts';
import { SessionProvider } from '../core/session.tsx';
import css from './app.module.css';
import { UnexpectedErrors } from './failures/unexpected-errors.tsx';
import { useFramePlace } from './frame.ts';
import { NotAnswering } from './not-answering.tsx';
import { Shell } from './shell/shell.tsx';

const SignUpPage = loadPart(async () => (await import('../pages/sign-up/sign-up-page.tsx')).SignUpPage);
const SignInPage = loadPart(async () => (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage);

/** The value of `?tab=` of the public sign-up page, which is no page of the shell. */
const signUpTab = 'signUp';

/** The window. What fails outside of every part is shown in its place. */
export function App() {
  return (
    <>
      <FailureBoundary part="The window" frame={(failure) => <Failed>{failure}</Failed>}>
        <SignInOrConsole />
      </FailureBoundary>
      <UnexpectedErrors />
    </>
  );
}

function Failed({ children }: { readonly children: ReactNode }) {
  useFramePlace(true);
  return <main className={css.failure}>{children}</main>;
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
  // For everybody, signed in or not: it is where people come back to who have paid.
  if (new URLSearchParams(location.search).get('tab') === signUpTab)
    return (
      <Suspense>
        <SignUpPage me={me} />
        <InPlaceOfFrame />
      </Suspense>
    );
  if (me.authRequired && !me.authed)
    return (
      <Suspense>
        <SignInPage me={me} tookMs={tookMs} ended={ended} />
        <InPlaceOfFrame />
      </Suspense>
    );
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

/** Beside the sign-in page: there when that is. */
function InPlaceOfFrame() {
  useFramePlace(false);
  return null;
}

/** The shell, at the address wanted before a sign-in that led away from this page. */
function AtWantedAddress() {
  // Before the shell first reads the address, so that no page opens only to be left again.
  useState(takeReturnAddress);
  return (
    <AddressProvider>
      <Shell />
    </AddressProvider>
  );
}
