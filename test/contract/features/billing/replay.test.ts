import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { type ConsoleTables, consoleMigrations } from '../../../../src-main/console/tables.ts';
import { openBilling } from '../../../../src-main/features/billing/index.ts';
import { readPlans } from '../../../../src-main/features/billing/plans.ts';
import {
  type SandboxEvent,
  type SandboxPayments,
  signatureOf,
  startSandboxPayments,
} from '../../../../src-main/sandbox/payments/index.ts';
import { apiVersion } from '../../../../src-main/sources/payments/index.ts';
import { openStore, type Store, type StoreLocation } from '../../../../src-main/store/index.ts';
import type { Call } from '../../../../src-shared/api/handler.ts';
import { dialects } from '../../../support/databases.ts';
import { sweepOf } from '../../../support/sweeps.ts';
import { randomOf } from '../../console/fuzz/random.ts';
import { liveAccount, stateOf, type Way, ways } from './deliveries.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const eventCount = sweepOf(1_000, 60);

type Replica = { readonly store: Store<ConsoleTables>; readonly billing: ReturnType<typeof openBilling> };

/**
 * A console's billing with the clock of the test. Two on an embedded store share it: only one program opens that, and in one
 * process two connections would wait for each other.
 */
async function openReplica(
  place: StoreLocation,
  beside: Replica | undefined,
  { payments, now }: { readonly payments: SandboxPayments; readonly now: () => number },
): Promise<Replica> {
  const shared = place.kind === 'sqlite' ? beside?.store : undefined;
  const store =
    shared ?? (await openStore<ConsoleTables>({ location: place, migrations: consoleMigrations }));
  const values = {
    STRIPE_SECRET_KEY: payments.secretKey,
    STRIPE_WEBHOOK_SECRET: payments.webhookSecret,
    RECAPTCHA_SECRET_KEY: undefined,
  };
  const billing = openBilling({
    db: () => store.db,
    keys: { value: (name) => values[name] },
    paymentsUrl: () => new URL(payments.url),
    recaptcha: { url: new URL('http://127.0.0.1:9/'), hosts: [] },
    audit: { begin: () => Promise.reject(new Error('nothing is audited here')) },
    origin: () => 'http://console.localhost',
    log: pino({ level: 'silent' }),
    now,
  });
  closing.push(async () => {
    await billing.close();
    if (shared === undefined) await store.close();
  });
  return { store, billing };
}

/** Hands an event to a console as its webhook would. */
async function deliver({ billing }: Replica, body: string, signature: string): Promise<unknown> {
  const call: Pick<Call, 'header'> = { header: () => signature };
  return billing.handlers['billing.event'](
    { body: Buffer.from(body), params: undefined, query: undefined },
    // The handler reads nothing else of it.
    call as Call,
  );
}

/** Lets consoles try again until nothing is left to fetch. */
async function settle(
  replicas: readonly Replica[],
  advance: (ms: number) => void,
  { catchUp }: { readonly catchUp: boolean },
): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    // Together: two consoles that try again at once still make one fetch of an object.
    const again = async ({ billing }: Replica): Promise<void> => {
      if (catchUp) await billing.background.catchUp().catch(() => undefined);
      billing.background.kick();
      await billing.background.settled();
    };
    await Promise.all(replicas.map(again));
    const [first] = replicas;
    const { behind } = await (first?.store.db ?? expect.fail('no console'))
      .selectFrom('billing_objects')
      .select((eb) => eb.fn.countAll().as('behind'))
      .whereRef('wanted', '>', 'synced')
      .executeTakeFirstOrThrow();
    const { failure, caught_up_at } = await (first?.store.db ?? expect.fail('no console'))
      .selectFrom('billing_catch_up')
      .selectAll()
      .executeTakeFirstOrThrow();
    if (Number(behind) === 0 && failure === null && caught_up_at !== null) return;
    advance(700_000);
  }
}

async function stored({ store: { db } }: Replica) {
  return {
    subscriptions: await db
      .selectFrom('billing_subscriptions')
      .select(['id', 'customer', 'purchaser', 'status', 'lookup_key', 'seats', 'period_end', 'cancel_at'])
      .orderBy('id')
      .execute(),
    invoices: await db
      .selectFrom('billing_invoices')
      .select(['id', 'subscription', 'number', 'status', 'total'])
      .orderBy('id')
      .execute(),
  };
}

/** Deliveries that must change nothing: of another secret, of a time to come, and lies about what is true. */
async function forge(replica: Replica, event: SandboxEvent, secret: string, at: number): Promise<void> {
  const lie = event.json.replaceAll('"active"', '"canceled"').replace(event.id, `${event.id}lie`);
  await expect(deliver(replica, lie, signatureOf(lie, 'whsec_other', at))).rejects.toThrow('signature');
  await expect(deliver(replica, event.json, '')).rejects.toThrow('signature');
  await expect(deliver(replica, lie, signatureOf(lie, secret, at + 3_600_000))).rejects.toThrow('future');
  await expect(deliver(replica, lie, signatureOf(lie, secret, at - 3_600_000))).rejects.toThrow('signature');
  // Signed well, and still only a hint: what it says of its object, and of the time, is not believed.
  const future = lie.replace(/"created":\d+/, '"created":9999999999');
  await deliver(replica, future, signatureOf(future, secret, at));
}

async function run(way: Way, place: StoreLocation, seed: number): Promise<void> {
  let clock = Date.parse('2026-11-23T06:00:00Z');
  const now = (): number => clock;
  const advance = (ms: number): void => {
    clock += ms;
  };
  const random = randomOf(seed);
  const inFlight = new Map<string, number>();
  let most = 0;
  let broken = false;
  const payments = await startSandboxPayments({
    catalogue: readPlans(),
    apiVersion,
    now,
    onEvent: () => undefined,
    faultOf: (request) => (broken ? way.fault?.(request) : undefined),
    async hold(path) {
      if (!/^\/v1\/(subscriptions|invoices)\/./.test(path)) return;
      const held = (inFlight.get(path) ?? 0) + 1;
      inFlight.set(path, held);
      most = Math.max(most, held);
      // Some answers are old when they arrive.
      for (let turns = random.below(4); turns > 0; turns -= 1) await new Promise(setImmediate);
      inFlight.set(path, (inFlight.get(path) ?? 1) - 1);
    },
  });
  closing.push(() => payments.close());
  const { account, webhookSecret } = payments;
  const options = { payments, now };
  const replicas = [await openReplica(place, undefined, options)];
  if (way.consoles === 2) replicas.push(await openReplica(place, replicas[0], options));
  // It was up to date once, before things happened.
  await settle(replicas, advance, { catchUp: true });
  broken = true;

  const send = async (event: SandboxEvent): Promise<void> => {
    for (const replica of replicas) {
      if (way.forged === true) await forge(replica, event, webhookSecret, clock);
      await deliver(replica, event.json, signatureOf(event.json, webhookSecret, clock));
    }
  };
  await liveAccount(account, {
    seed,
    count: way.during === true ? eventCount / 2 : eventCount,
    tick: advance,
  });
  advance(way.away ?? 0);
  const deliveries = way.deliver([...account.events], random);
  const queue = deliveries.values();
  const half = deliveries.length / 2;
  let sent = 0;
  const worker = async (): Promise<void> => {
    for (const event of queue) {
      await send(event);
      sent += 1;
      if (way.crash === true && sent === Math.ceil(half)) {
        // A claim that nobody ever gives back, and a new console on the same store.
        await replicas[0]?.store.db
          .updateTable('billing_objects')
          .set({ claim: 'dead', claimed_until: clock + 30_000 })
          .execute();
        replicas.unshift(await openReplica(place, replicas[0], options));
      }
    }
  };
  const changes =
    way.during === true
      ? liveAccount(account, {
          seed: seed + 1,
          count: eventCount,
          tick: advance,
          each: () => new Promise((resolve) => setImmediate(resolve)),
        })
      : undefined;
  await Promise.all([changes, ...Array.from({ length: way.atOnce ?? 1 }, worker)]);
  broken = false;
  // Events that all came need no second source.
  await settle(replicas, advance, { catchUp: way.loses === true });
  expect(account.events.length).toBeGreaterThanOrEqual(eventCount);
  for (const replica of replicas) expect(await stored(replica)).toEqual(stateOf(account));
  // The killed console's fetch may still be under way when its claim has run out.
  expect(most).toBeLessThanOrEqual(way.crash === true ? 2 : 1);
}

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;
  describe.skipIf(dialect.missing !== undefined)(
    `${eventCount.toLocaleString('en')} payment events on ${dialect.name}${why} end in the provider's state (CON-151)`,
    () => {
      for (const [index, way] of ways.entries())
        it(`when they come ${way.name}`, { timeout: 120_000 }, async () => {
          const { place, remove } = await dialect.place();
          closing.push(remove);
          await run(way, place, 1_000 + index);
        });
    },
  );
}
