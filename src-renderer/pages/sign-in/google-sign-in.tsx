import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { IconUser } from '../../core/icons/icons.ts';
import { googleIdentity } from './google-identity.ts';
import css from './google-sign-in.module.css';

/**
 * Sign-in by Google. Its script is fetched only when asked for, so that nobody's visit to this page is told to Google.
 * Google then draws its own button, which leads away and answers by a form post to `/auth/callback`.
 */
export function GoogleSignIn({ clientId }: { readonly clientId: string }) {
  const container = useRef<HTMLDivElement>(null);
  const [step, setStep] = useState<'offered' | 'loading' | 'drawn' | 'failed'>('offered');
  const start = async () => {
    setStep('loading');
    try {
      const identity = await googleIdentity();
      identity.initialize({
        client_id: clientId,
        ux_mode: 'redirect',
        login_uri: `${location.origin}/auth/callback`,
      });
      if (container.current !== null)
        identity.renderButton(container.current, { theme: 'outline', size: 'large', width: 340 });
      setStep('drawn');
    } catch {
      setStep('failed');
    }
  };
  return (
    <div className={css.google}>
      {step === 'failed' && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="Google's sign-in did not load.">
          <br />
          This browser could not fetch <code>accounts.google.com</code>. Check the network, or sign in another
          way.
        </Banner>
      )}
      <div ref={container} hidden={step !== 'drawn'} />
      {step !== 'drawn' && (
        <Button
          size="md"
          fullWidth
          onClick={start}
          loading={step === 'loading'}
          leftSection={<IconUser size={14} stroke={2} aria-hidden />}
        >
          Continue with Google
        </Button>
      )}
    </div>
  );
}
