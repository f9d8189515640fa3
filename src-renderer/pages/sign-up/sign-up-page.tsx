import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import type { PlanCatalogue } from '#shared/api/billing.ts';
import type { Me } from '#shared/api/sign-in.ts';
import { Banner } from '../../components/banner.tsx';
import { formatMoney } from '../../components/billing/format-money.ts';
import { firstOrder, PlanChoice } from '../../components/billing/plan-choice.tsx';
import { plansQuery } from '../../components/billing/plans-query.ts';
import { BrandMark } from '../../components/brand-mark.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { call } from '../../core/api.ts';
import { inDesktopWindow } from '../../core/desktop.ts';
import { sentenceOf } from '../../core/failure.ts';
import { RecaptchaBox } from './recaptcha-box.tsx';
import css from './sign-up-page.module.css';

/** Sells a plan to anybody, without a session; the payment provider's page takes the payment. */
export function SignUpPage({ me }: { readonly me: Me }) {
  const plans = useQuery(plansQuery);
  useEffect(() => {
    document.title = 'Sign up, Operator Console';
    return () => {
      document.title = 'Operator Console';
    };
  }, []);
  const returned = new URLSearchParams(location.search).get('checkout');
  return (
    <div className={css.screen}>
      <main className={css.card}>
        <span className={css.mark}>
          <BrandMark size={28} />
        </span>
        <h1 className={css.title}>{returned === 'done' ? 'Thank you' : 'Sign up'}</h1>
        <p className={css.host}>
          {me.authed ? `You are signed in as ${me.email}. ` : 'You have an account? '}
          <a href="/">{me.authed ? 'Open the console' : 'Sign in'}</a>
        </p>
        {returned === 'done' ? (
          <p>
            The subscription starts when the payment provider confirms the payment. Sign in with the address
            that you gave to see it.
          </p>
        ) : (
          <>
            {returned === 'canceled' && (
              <div className={css.notice}>
                <Banner look="note" icon={<Glyph state="idle" />} title="Nothing was bought.">
                  You left the checkout before paying.
                </Banner>
              </div>
            )}
            <PlainAnswer query={plans} what="the plans" meanwhile="Nothing was ordered.">
              {(catalogue) => <SignUpForm catalogue={catalogue} siteKey={me.recaptchaSiteKey} />}
            </PlainAnswer>
          </>
        )}
      </main>
    </div>
  );
}

type SignUpFormProps = { readonly catalogue: PlanCatalogue; readonly siteKey: string | undefined };

function SignUpForm({ catalogue, siteKey }: SignUpFormProps) {
  const [order, setOrder] = useState(() => firstOrder(catalogue));
  const [email, setEmail] = useState('');
  const [token, setToken] = useState<string>();
  const [tries, setTries] = useState(0);
  const signUp = useMutation({
    mutationFn: () =>
      call('billing.signup', {
        body: { email, ...order, ...(token === undefined ? {} : { recaptcha: token }) },
      }),
    onError: () => {
      setToken(undefined);
      setTries((before) => before + 1);
    },
  });
  if (inDesktopWindow && siteKey !== undefined)
    return <p>This page needs a reCAPTCHA, which the window does not show: open it in your browser.</p>;
  const { data, error } = signUp;
  if (data !== undefined)
    return (
      <div className={css.form} role="status">
        <p>{data.next}</p>
        {data.checkout !== undefined && (
          <Button
            component="a"
            variant="filled"
            size="md"
            href={data.checkout.url}
            {...(inDesktopWindow ? { target: '_blank', rel: 'noreferrer' } : {})}
          >
            Pay {formatMoney(data.quote.total, data.quote.currency)} at the payment provider
          </Button>
        )}
      </div>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signUp.mutate();
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <PlanChoice catalogue={catalogue} order={order} onChange={setOrder} />
      <TextInput
        label="Email"
        description="The subscription belongs to this address. You sign in with it."
        type="email"
        name="email"
        autoComplete="email"
        required
        withAsterisk={false}
        className={css.email}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {siteKey !== undefined && <RecaptchaBox siteKey={siteKey} tries={tries} onToken={setToken} />}
      {error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="You were not signed up.">
          {sentenceOf(error)}
        </Banner>
      )}
      <Button
        type="submit"
        variant="filled"
        size="md"
        className={css.send}
        loading={signUp.isPending}
        disabled={siteKey !== undefined && token === undefined}
      >
        Sign up
      </Button>
    </form>
  );
}
