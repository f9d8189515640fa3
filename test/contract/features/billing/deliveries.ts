import type { SandboxAccount, SandboxEvent } from '../../../../src-main/sandbox/payments/index.ts';
import { type Random, randomOf } from '../../console/fuzz/random.ts';

const day = 86_400;

/** Lets things happen to an account until it has told of at least `count` events. `tick` moves its clock, in ms. */
export async function liveAccount(
  account: SandboxAccount,
  {
    seed,
    count,
    tick,
    each = async () => undefined,
  }: {
    readonly seed: number;
    readonly count: number;
    readonly tick: (ms: number) => void;
    readonly each?: () => Promise<void>;
  },
): Promise<void> {
  const random = randomOf(seed);
  const names = Object.keys(account.acts) as (keyof SandboxAccount['acts'])[];
  for (let step = 0; account.events.length < count; step += 1) {
    tick(1 + random.below(60_000));
    const living = [...account.subscriptions.values()].filter(({ status }) => status !== 'canceled');
    if (living.length < 12)
      account.start({
        email: `buyer-${step % 7}@northgate.example`,
        price: random.pick(account.prices),
        seats: 1 + (step % 5),
        metadata: step % 3 === 0 ? {} : { console_purchaser: `Buyer-${step % 7}@northgate.example` },
      });
    else {
      // An end takes a subscription away: rare, so that most have a history.
      const name = random.pick(names);
      if (name !== 'cancel' || random.chance(0.2)) account.acts[name](random.pick(living));
    }
    await each();
  }
}

/** What the store must say of an account in the end. */
export function stateOf(account: SandboxAccount) {
  return {
    subscriptions: [...account.subscriptions.values()]
      .map((subscription) => ({
        id: subscription.id,
        customer: subscription.customer.id,
        purchaser: subscription.customer.email,
        status: subscription.status,
        lookup_key: subscription.price.lookupKey,
        seats: subscription.seats,
        period_end: subscription.periodEnd * 1000,
        cancel_at: subscription.cancelAtPeriodEnd ? subscription.periodEnd * 1000 : null,
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    invoices: [...account.invoices.values()]
      .map((invoice) => ({
        id: invoice.id,
        subscription: invoice.subscription.id,
        number: invoice.status === 'draft' ? null : invoice.number,
        status: invoice.status,
        total: invoice.total,
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** One way in which a network and two programs can make a mess of a list of events. */
export type Way = {
  readonly name: string;
  /** What is delivered, in order; the events themselves are in order. */
  readonly deliver: (events: readonly SandboxEvent[], random: Random) => SandboxEvent[];
  /** Some events never come: only the provider's list has them. */
  readonly loses?: true;
  /** Deliveries under way at the same time. */
  readonly atOnce?: number;
  /** How each request of the provider's API fails. */
  readonly fault?: (request: number) => 429 | 500 | 503 | 'cut' | undefined;
  readonly consoles?: 2;
  /** The console stops in the middle of a fetch, and another one starts on the same store. */
  readonly crash?: true;
  /** Things go on happening while events are delivered. */
  readonly during?: true;
  /** Forged, unsigned and future deliveries come between. */
  readonly forged?: true;
  /** The console was away so long that the provider no longer lists what happened. */
  readonly away?: number;
};

const shuffled = <T>(items: readonly T[], random: Random): T[] =>
  items
    .map((item) => ({ item, at: random.below(2 ** 30) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
const inOrder: Way['deliver'] = (events) => [...events];
const lost =
  (keep: (event: SandboxEvent, index: number, count: number, random: Random) => boolean): Way['deliver'] =>
  (events, random) =>
    events.filter((event, index) => keep(event, index, events.length, random));

/** Twenty ways; each must end in the provider's state. */
export const ways: readonly Way[] = [
  { name: 'in order', deliver: inOrder },
  { name: 'backwards', deliver: (events) => [...events].reverse() },
  { name: 'shuffled', deliver: shuffled },
  { name: 'each twice in a row', deliver: (events) => events.flatMap((event) => [event, event]) },
  {
    name: 'each three times, shuffled',
    deliver: (events, random) => shuffled([...events, ...events, ...events], random),
  },
  {
    name: 'shuffled and replayed from the beginning',
    deliver: (events, random) => [...shuffled(events, random), ...events],
  },
  { name: 'every second one lost', loses: true, deliver: lost((_, index) => index % 2 === 0) },
  {
    name: 'nine of ten lost, the rest shuffled',
    loses: true,
    deliver: (events, random) => shuffled(events, random).slice(0, events.length / 10),
  },
  { name: 'all lost', loses: true, deliver: () => [] },
  { name: 'the first half lost', loses: true, deliver: lost((_, index, count) => index > count / 2) },
  { name: 'the last half lost', loses: true, deliver: lost((_, index, count) => index < count / 2) },
  {
    name: 'every end of a subscription lost',
    loses: true,
    deliver: lost(({ type }) => type !== 'customer.subscription.deleted'),
  },
  { name: 'every payment lost', loses: true, deliver: lost(({ type }) => !type.startsWith('invoice.')) },
  { name: 'shuffled, fifty at once', deliver: shuffled, atOnce: 50 },
  {
    name: 'each twice to both of two consoles, shuffled, twenty at once',
    deliver: (events, random) => shuffled([...events, ...events], random),
    atOnce: 20,
    consoles: 2,
  },
  {
    name: 'shuffled, with a provider that fails every fifth request',
    deliver: shuffled,
    fault: (request) => (request % 5 === 0 ? 500 : undefined),
  },
  {
    name: 'with a provider that limits, cuts and fails in bursts',
    deliver: shuffled,
    fault: (request) => (request % 40 < 8 ? (['cut', 429, 503, 500] as const)[request % 4] : undefined),
  },
  { name: 'with a console that is killed in the middle', deliver: shuffled, crash: true, atOnce: 8 },
  {
    name: 'while the account goes on changing, ten at once',
    loses: true,
    deliver: shuffled,
    during: true,
    atOnce: 10,
  },
  {
    name: 'half lost, between forged and future ones, after forty days away',
    loses: true,
    deliver: lost((_e, _i, _n, random) => random.chance(0.5)),
    forged: true,
    away: 40 * day * 1000,
  },
];
