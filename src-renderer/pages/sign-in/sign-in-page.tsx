import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Me } from '#shared/api/sign-in.ts';
import { desktopSignInPath } from '#shared/desktop-sign-in.ts';
import { Banner } from '../../components/banner.tsx';
import { BrandMark } from '../../components/brand-mark.tsx';
import { CommandBlock } from '../../components/command-block.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { State } from '../../components/state.tsx';
import { call } from '../../core/api.ts';
import { inDesktopWindow, localOperatorHere } from '../../core/desktop.ts';
import { keepReturnAddress } from '../../core/return-address.ts';
import { GoogleSignIn } from './google-sign-in.tsx';
import { PasswordForm } from './password-form.tsx';
import css from './sign-in-page.module.css';

type SignInPageProps = {
  readonly me: Me;
  /** Round trip of `/api/me` in milliseconds. */
  readonly tookMs: number;
  /** The page had a session and lost it. */
  readonly ended: boolean;
};

/** Asks who is here, by the ways this console has. The address stays as it was, and is opened afterwards. */
export function SignInPage({ me, tookMs, ended }: SignInPageProps) {
  // The window goes nowhere but to the console's own origin, so a provider's page cannot be shown in it.
  const provider = me.googleAuth && !inDesktopWindow ? me.googleClientId : undefined;
  const linkOnly = provider === undefined && !me.passwordAuth && !localOperatorHere;
  useEffect(keepReturnAddress, []);
  useEffect(() => {
    document.title = 'Sign in, Operator Console';
    return () => {
      document.title = 'Operator Console';
    };
  }, []);
  return (
    <div className={css.screen}>
      <main className={css.card}>
        <span className={css.mark}>
          <BrandMark size={28} />
        </span>
        <h1 className={css.title}>Sign in</h1>
        <p className={css.host}>
          to <code>{location.host}</code>
        </p>
        <Reason ended={ended} linkOnly={linkOnly} />
        {localOperatorHere && (
          <Button component="a" href={desktopSignInPath} variant="filled" fullWidth>
            Sign in as the local operator
          </Button>
        )}
        {localOperatorHere && me.passwordAuth && <p className={css.or}>or with the operator password</p>}
        {provider !== undefined && <GoogleSignIn clientId={provider} />}
        {provider !== undefined && me.passwordAuth && <p className={css.or}>or with the operator password</p>}
        {me.passwordAuth && <PasswordForm />}
        {linkOnly && (inDesktopWindow ? <NoSignInMethod /> : <LinkOnly />)}
      </main>
      <footer className={css.bottom}>
        <span>Operator Console</span>
        <State state="healthy" label={`Server answers, ${Math.max(1, Math.round(tookMs))} ms`} />
      </footer>
    </div>
  );
}

/** Explains why the person sees this page, unless they have just arrived. */
function Reason({ ended, linkOnly }: { readonly ended: boolean; readonly linkOnly: boolean }) {
  const expired = new URLSearchParams(location.search).get('signin') === 'expired';
  if (ended) {
    return (
      <div className={css.reason}>
        <Banner look="note" urgent icon={<Glyph state="idle" />} title="Your session ended.">
          Sign in to continue.
        </Banner>
      </div>
    );
  }
  if (!expired) return null;
  return (
    <div className={css.reason}>
      <Banner
        look="failing"
        urgent
        icon={<Glyph state="failing" />}
        title="That sign-in link no longer works."
      >
        A link works once, for 10 minutes.
        {!linkOnly && (
          <>
            {' '}
            <NewLink />
          </>
        )}
      </Banner>
    </div>
  );
}

function LinkOnly() {
  return (
    <div className={css.linkOnly}>
      <p>Use the one-time sign-in link printed by the console when it started.</p>
      <NewLink />
    </div>
  );
}

/** How to make a new link: the whole command on the console's machine, words to everybody else. */
function NewLink() {
  const { data } = useQuery(signInCommandQuery);
  if (data?.command === undefined)
    return (
      <p>
        A new one is printed on the machine of the console by <code>operator-console sign-in-link</code>,
        given the data folder of this console.
      </p>
    );
  return (
    <>
      <p>To make a new one, run this on this machine:</p>
      <CommandBlock command={data.command} />
    </>
  );
}

/** Without its answer the page says it in words. */
const signInCommandQuery = queryOptions({
  queryKey: ['me', 'command'],
  queryFn: () => call('signIn.command'),
});

function NoSignInMethod() {
  return (
    <div className={css.linkOnly}>
      <p>
        Nobody can sign in at this window: CONSOLE_LOCAL_OPERATOR is off, and neither an operator password nor
        an identity provider that the window could show is set. Set CONSOLE_ADMIN_PASSWORD and restart the
        console.
      </p>
    </div>
  );
}
