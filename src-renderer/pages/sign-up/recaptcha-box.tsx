import { useEffect, useRef, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { loadRecaptcha, type Recaptcha } from './recaptcha.ts';

type RecaptchaBoxProps = {
  readonly siteKey: string;
  /** Tries that were refused: each needs a new token. */
  readonly tries: number;
  readonly onToken: (token: string | undefined) => void;
};

/** Has the person confirm that they are one. */
export function RecaptchaBox({ siteKey, tries, onToken }: RecaptchaBoxProps) {
  const container = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<{ recaptcha: Recaptcha; widget: number }>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    loadRecaptcha().then(
      (recaptcha) => {
        if (gone || container.current === null) return;
        const widget = recaptcha.render(container.current, {
          sitekey: siteKey,
          callback: onToken,
          'expired-callback': () => onToken(undefined),
        });
        setDrawn({ recaptcha, widget });
      },
      () => setFailed(true),
    );
    return () => {
      gone = true;
    };
  }, [siteKey, onToken]);
  useEffect(() => {
    if (tries > 0 && drawn !== undefined) drawn.recaptcha.reset(drawn.widget);
  }, [tries, drawn]);
  if (failed)
    return (
      <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The reCAPTCHA did not load.">
        This browser could not fetch <code>www.google.com</code>. Check the network and reload the page.
      </Banner>
    );
  return <div ref={container} />;
}
