import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { type PlanCatalogue, planCatalogue } from '#shared/api/billing.ts';
import { checkRepeatedly } from '../../base/repeated-check.ts';
import type { SandboxAccount } from './account.ts';

/** The API version of the sandbox's provider, which speaks no other. */
export const sandboxApiVersion = '2026-10-28.endive';

/** How often something happens to a customer of the sandbox, in ms. */
const changeEvery = 45_000;
const month = 30 * 86_400;
/** Other customers of the account, whom nobody of the console sees. */
const others = ['billing@willow.example', 'accounts@alder.example', 'finance@rowan.example'];

/** Reads the catalogue of plans, for the prices of the sandbox's account: the one the console publishes. */
export function readSandboxPlans(): PlanCatalogue {
  for (let above = import.meta.dirname; ; above = dirname(above)) {
    const file = join(above, 'resources', 'plans.yaml');
    if (existsSync(file)) return planCatalogue.parse(parse(readFileSync(file, 'utf8')));
    if (dirname(above) === above) throw new Error('resources/plans.yaml is missing');
  }
}

/** Gives an account a past, and lets things go on happening to its customers. Returns what stops it. */
export function livePayments(account: SandboxAccount, operator: string): () => void {
  const [price] = account.prices;
  if (price === undefined) return () => undefined;
  const now = Math.floor(Date.now() / 1000);
  const own = account.start({
    email: operator,
    price,
    seats: 5,
    metadata: { console_purchaser: operator },
    created: now - 2 * month - 86_400,
  });
  account.acts.renew(own, now - month - 86_400);
  account.acts.renew(own, now - 86_400);
  for (const [index, email] of others.entries())
    account.start({
      email,
      price,
      seats: 2 + index,
      metadata: { console_purchaser: email },
      created: now - month,
    });
  const names = ['resize', 'decline', 'recover', 'schedule', 'schedule', 'renew'] as const;
  let step = 0;
  return checkRepeatedly({
    everyMs: changeEvery,
    async check() {
      const living = [...account.subscriptions.values()].filter(({ customer }) =>
        others.includes(customer.email),
      );
      const subscription = living[step % living.length];
      const name = names[step % names.length];
      step += 1;
      if (subscription !== undefined && name !== undefined) account.acts[name](subscription);
    },
    failed: () => undefined,
  });
}
