import { SegmentedControl, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { BillingInterval, Plan, PlanCatalogue } from '#shared/api/billing.ts';
import { formatMoney } from './format-money.ts';
import css from './plan-choice.module.css';

/** A plan, an interval and a number of seats, as somebody chose them. */
export type PlanOrder = { readonly plan: string; readonly interval: BillingInterval; readonly seats: number };

type PlanChoiceProps = {
  readonly catalogue: PlanCatalogue;
  readonly order: PlanOrder;
  readonly onChange: (order: PlanOrder) => void;
};

const intervalLabels: Readonly<Record<BillingInterval, string>> = { month: 'Monthly', year: 'Yearly' };

/** Returns the order that a catalogue is opened with: its first plan, with as few seats as it has. */
export function firstOrder({ plans }: PlanCatalogue): PlanOrder {
  const [plan] = plans;
  return orderOf(plan, { plan: plan?.id ?? '', interval: 'month', seats: 1 });
}

/** Chooses a plan, how often it is paid, and for how many people; what it costs stands below. */
export function PlanChoice({ catalogue, order, onChange }: PlanChoiceProps) {
  const { plans, currency } = catalogue;
  const plan = plans.find(({ id }) => id === order.plan);
  const price = plan?.prices.find(({ interval }) => interval === order.interval);
  // What is typed may be no number yet.
  const [typed, setTyped] = useState(String(order.seats));
  const change = (next: PlanOrder): void => {
    setTyped(String(next.seats));
    onChange(next);
  };
  return (
    <div className={css.choice}>
      <div className={css.plans} role="radiogroup" aria-label="Plan">
        {plans.map((each) => (
          <PlanCard
            key={each.id}
            plan={each}
            currency={currency}
            interval={order.interval}
            chosen={each.id === order.plan}
            onChoose={() => change(orderOf(each, { ...order, plan: each.id }))}
          />
        ))}
      </div>
      {plan !== undefined && (
        <div className={css.terms}>
          <div>
            <span className={css.label}>Billed</span>
            <SegmentedControl
              aria-label="Billed"
              data={plan.prices.map(({ interval }) => ({ value: interval, label: intervalLabels[interval] }))}
              value={order.interval}
              onChange={(interval) => change({ ...order, interval: interval === 'year' ? 'year' : 'month' })}
            />
          </div>
          <TextInput
            label="Seats"
            className={css.seats}
            inputMode="numeric"
            value={typed}
            onChange={(event) => {
              const text = event.currentTarget.value;
              setTyped(text);
              if (/^[1-9]\d{0,5}$/.test(text.trim())) onChange({ ...order, seats: Number(text) });
            }}
            onBlur={() => change(orderOf(plan, order))}
          />
          {price !== undefined && (
            <p className={css.total} aria-live="polite">
              <b>{formatMoney(price.amount * order.seats, currency)}</b> per {order.interval}, plus tax
            </p>
          )}
        </div>
      )}
    </div>
  );
}

type PlanCardProps = {
  readonly plan: Plan;
  readonly currency: string;
  readonly interval: BillingInterval;
  readonly chosen: boolean;
  readonly onChoose: () => void;
};

function PlanCard({ plan, currency, interval, chosen, onChoose }: PlanCardProps): ReactNode {
  const price = plan.prices.find((each) => each.interval === interval) ?? plan.prices[0];
  return (
    <label className={css.card} data-chosen={chosen}>
      <span className={css.head}>
        <input type="radio" name="plan" checked={chosen} onChange={onChoose} />
        <b>{plan.name}</b>
      </span>
      {price !== undefined && (
        <span className={css.price}>
          <b>{formatMoney(price.amount, currency)}</b> per seat and {price.interval}
        </span>
      )}
      <span className={css.summary}>{plan.summary}</span>
      <ul className={css.features}>
        {plan.features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <span className={css.bounds}>{seatBounds(plan)}</span>
    </label>
  );
}

function seatBounds({ seats: { least, most } }: Plan): string {
  const upTo = most.toLocaleString('en');
  return least === 1 ? `Up to ${upTo} seats` : `${least} to ${upTo} seats`;
}

/** Returns an order that a plan has: an interval it is sold for, and seats within its bounds. */
function orderOf(plan: Plan | undefined, order: PlanOrder): PlanOrder {
  if (plan === undefined) return order;
  const { least, most } = plan.seats;
  const interval = plan.prices.some((price) => price.interval === order.interval)
    ? order.interval
    : (plan.prices[0]?.interval ?? order.interval);
  return { ...order, interval, seats: Math.min(most, Math.max(least, Math.round(order.seats))) };
}
