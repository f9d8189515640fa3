import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillingOverview, PlanCatalogue } from '#shared/api/billing.ts';
import { Banner } from '../../components/banner.tsx';
import { formatMoney } from '../../components/billing/format-money.ts';
import { firstOrder, PlanChoice } from '../../components/billing/plan-choice.tsx';
import { plansQuery } from '../../components/billing/plans-query.ts';
import { Glyph } from '../../components/glyph.tsx';
import { Page } from '../../components/page/page.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { call } from '../../core/api.ts';
import { sentenceOf } from '../../core/failure.ts';
import { useSession } from '../../core/session.tsx';
import css from './billing-page.module.css';
import { billingQuery } from './billing-queries.ts';
import { InvoicesPanel } from './invoices-panel.tsx';
import { SeatsPanel } from './seats-panel.tsx';
import { SubscriptionPanel } from './subscription-panel.tsx';

/** Shows what the person bought and what it cost, who uses it, and sells plans. */
export function BillingPage() {
  const { me } = useSession();
  return (
    <Page title="Billing" sub={me.email === undefined ? 'nobody is signed in' : `as ${me.email}`}>
      {me.authed ? <OwnBilling /> : <PlansPanel />}
    </Page>
  );
}

function OwnBilling() {
  const billing = useQuery(billingQuery);
  return (
    <div className={css.page}>
      <ReadingNotices query={billing} />
      <PlainAnswer
        query={billing}
        what="your subscriptions"
        meanwhile="Subscriptions go on at the payment provider; only this page could not read them."
        frame={css.body}
      >
        {(overview) => (
          <>
            <Notices overview={overview} />
            {overview.subscriptions.length > 0 && (
              <>
                <SubscriptionPanel subscriptions={overview.subscriptions} />
                <SeatsPanel />
                <InvoicesPanel invoices={overview.invoices} />
              </>
            )}
            <PlansPanel hasSubscription={overview.subscriptions.some(({ usable }) => usable)} />
          </>
        )}
      </PlainAnswer>
    </div>
  );
}

function Notices({ overview: { payments, pending } }: { readonly overview: BillingOverview }) {
  const plans = useQuery(plansQuery);
  const returned = new URLSearchParams(location.search).get('checkout');
  return (
    <>
      {!payments.configured && (
        <Banner look="note" icon={<Glyph state="idle" />} title="Payments are not set up.">
          Plans show what they cost; nothing can be bought here. Set <code>STRIPE_SECRET_KEY</code> in{' '}
          <PageLink to={{ tab: 'settings', section: 'keys' }}>Settings, Keys</PageLink>.
        </Banner>
      )}
      {payments.configured && !payments.events && (
        <Banner look="note" icon={<Glyph state="idle" />} title="Changes show up within five minutes.">
          The payment provider does not tell this console of events: set <code>STRIPE_WEBHOOK_SECRET</code> in{' '}
          <PageLink to={{ tab: 'settings', section: 'keys' }}>Settings, Keys</PageLink>.
        </Banner>
      )}
      {returned === 'canceled' && (
        <Banner look="note" icon={<Glyph state="idle" />} title="Nothing was bought.">
          You left the checkout before paying.
        </Banner>
      )}
      {pending !== undefined && (
        <Banner
          look="note"
          icon={<Glyph state="working" />}
          title={
            returned === 'done'
              ? 'Waiting for the payment to be confirmed.'
              : 'You have an order that is not paid.'
          }
          action={
            pending.checkout !== undefined &&
            returned !== 'done' && (
              <Button component="a" href={pending.checkout.url} target="_blank" rel="noreferrer">
                Continue to payment
              </Button>
            )
          }
        >
          {plans.data?.plans.find(({ id }) => id === pending.quote.plan)?.name ?? pending.quote.plan},{' '}
          {pending.quote.seats} {pending.quote.seats === 1 ? 'seat' : 'seats'},{' '}
          {formatMoney(pending.quote.total, pending.quote.currency)} per {pending.quote.interval}; ordered{' '}
          <TimeAgo at={Date.parse(pending.created_at)} fromNow />.
        </Banner>
      )}
    </>
  );
}

function PlansPanel({ hasSubscription = false }: { readonly hasSubscription?: boolean }) {
  const plans = useQuery(plansQuery);
  return (
    <Panel title="Plans" sub={hasSubscription ? 'an order adds a subscription of its own' : undefined}>
      <PlainAnswer
        query={plans}
        what="the plans"
        meanwhile="The catalogue comes with the console."
        frame={css.body}
      >
        {(catalogue) => <Order catalogue={catalogue} />}
      </PlainAnswer>
    </Panel>
  );
}

function Order({ catalogue }: { readonly catalogue: PlanCatalogue }) {
  const client = useQueryClient();
  const { data: overview } = useQuery(billingQuery);
  const [order, setOrder] = useState(() => firstOrder(catalogue));
  const checkout = useMutation({
    mutationFn: () => call('billing.checkout', { body: order }),
    onSuccess: () => client.invalidateQueries({ queryKey: billingQuery.queryKey, exact: true }),
  });
  const { data, error } = checkout;
  return (
    <div className={css.body}>
      <PlanChoice
        catalogue={catalogue}
        order={order}
        onChange={(next) => {
          checkout.reset();
          setOrder(next);
        }}
      />
      <div className={css.act}>
        {data?.checkout === undefined ? (
          <Button
            variant="filled"
            onClick={() => checkout.mutate()}
            loading={checkout.isPending}
            disabled={overview?.payments.configured === false}
          >
            Prepare checkout
          </Button>
        ) : (
          // A link, so that it opens by a click of the person: in the desktop window, in their browser.
          <Button component="a" variant="filled" href={data.checkout.url} target="_blank" rel="noreferrer">
            Pay {formatMoney(data.quote.total, data.quote.currency)} at the payment provider
          </Button>
        )}
        <span className={css.quiet} role="status">
          {data?.why_not !== undefined && <WithCode>{data.why_not}</WithCode>}
          {data?.checkout !== undefined && 'The page of the payment provider opens beside this one.'}
        </span>
      </div>
      {error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The checkout was not made.">
          <WithCode>{sentenceOf(error)}</WithCode>
        </Banner>
      )}
    </div>
  );
}
