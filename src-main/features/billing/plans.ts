import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { type BillingInterval, type PlanCatalogue, planCatalogue, type Quote } from '#shared/api/billing.ts';
import { ConsoleError } from '#shared/errors.ts';

/** Above this file in the source tree, in the build and in the packaged program alike. */
function catalogueFile(): string | undefined {
  for (let above = import.meta.dirname; ; above = dirname(above)) {
    const file = join(above, 'resources', 'plans.yaml');
    if (existsSync(file)) return file;
    if (dirname(above) === above) return undefined;
  }
}

let read: PlanCatalogue | undefined;

/** Returns the catalogue of `resources/plans.yaml`, read once. Throws `Unavailable` with what is wrong with it. */
export function readPlans(): PlanCatalogue {
  read ??= parsePlans();
  return read;
}

function parsePlans(): PlanCatalogue {
  const file = catalogueFile();
  if (file === undefined)
    throw new ConsoleError(
      'Unavailable',
      'The plans that come with the console are missing: install it again.',
    );
  const { data, error } = planCatalogue.safeParse(parse(readFileSync(file, 'utf8')));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new ConsoleError(
    'Unavailable',
    `resources/plans.yaml was not understood: "${issue?.path.join('.')}": ${issue?.message}.`,
  );
}

export type Order = { readonly plan: string; readonly interval: BillingInterval; readonly seats: number };

/** Returns what an order costs by the catalogue. Throws `BadInput` for a plan, interval or number of seats it does not have. */
export function quoteOf({ currency, plans }: PlanCatalogue, { plan: id, interval, seats }: Order): Quote {
  const plan = plans.find((each) => each.id === id);
  if (plan === undefined)
    throw new ConsoleError(
      'BadInput',
      `There is no plan "${id}": use ${plans.map((each) => each.id).join(', ')}.`,
    );
  const price = plan.prices.find((each) => each.interval === interval);
  if (price === undefined)
    throw new ConsoleError(
      'BadInput',
      `The plan ${plan.name} is not sold by the ${interval}: use ${plan.prices.map((each) => each.interval).join(', ')}.`,
    );
  const { least, most } = plan.seats;
  if (seats < least || seats > most)
    throw new ConsoleError('BadInput', `The plan ${plan.name} has ${least} to ${most} seats, not ${seats}.`);
  return { plan: id, interval, seats, currency, amount: price.amount, total: price.amount * seats };
}

/** Returns the plan and interval of a lookup key, or undefined for a price that is none of the catalogue's. */
export function planOfKey(
  { plans }: PlanCatalogue,
  key: string | null,
): { plan: string; interval: BillingInterval } | undefined {
  for (const plan of plans) {
    const price = plan.prices.find((each) => each.lookup_key === key);
    if (price !== undefined) return { plan: plan.id, interval: price.interval };
  }
  return undefined;
}

/** Returns the lookup key of a quote's price. */
export function lookupKeyOf({ plans }: PlanCatalogue, { plan, interval }: Quote): string {
  const prices = plans.find((each) => each.id === plan)?.prices;
  return prices?.find((each) => each.interval === interval)?.lookup_key ?? '';
}
