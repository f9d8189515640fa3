import type { ModelCard } from '#shared/api/fleet.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { type HealthVerdict, resources } from '../../../cluster-model/index.ts';
import { type Cluster, clusterReading, type OpenTarget } from '../../../sources/cluster/index.ts';
import { readServing, type Serving } from '../inference/serving.ts';
import type { RunningRead } from '../running.ts';
import { worstOf } from '../worst-verdict.ts';
import { cardsInConfigMaps, shippedCards, type WrittenCard } from './model-cards.ts';
import { readTokenUse, type UseRead } from './token-use.ts';

/** Tokens that make one compute unit of a tenant, prompt and generated alike. */
const tokensOfUnit = 1000;

/** `GET /api/models`: every card with the tiers it runs on now. A platform's own card wins over one of the same name that comes with the console. */
export async function models(
  target: OpenTarget,
  signal: AbortSignal,
  readRunning: (cluster: Cluster) => Promise<RunningRead>,
): Promise<RouteAnswer<RouteOf<'fleet.models'>>> {
  const { cluster } = target;
  const [serving, configMaps, shipped] = await Promise.all([
    readRunning(cluster).then((read) => readServing(cluster, read)),
    cluster.list(resources.configMaps),
    shippedCards(),
  ]);
  const reading = clusterReading(target, [...serving.listings, configMaps]);
  // Without a cluster there is nothing to join the cards with: the page says why, and shows nothing as if it were so.
  if (reading.source === 'unavailable') return { items: [], ...reading };
  const own = cardsInConfigMaps(configMaps.items);
  const taken = new Set(own.cards.map(({ name }) => name));
  const cards = [...own.cards, ...shipped.cards.filter(({ name }) => !taken.has(name))];
  const unmeasured = [...own.unmeasured, ...shipped.unmeasured];
  const known = serving.listings.every(({ state }) => state === 'read' || state === 'not_served');
  const items = await Promise.all(
    cards.map(async (card): Promise<ModelCard> => {
      const live = serving.workloads.filter((workload) => runs(card, workload));
      const uses = await Promise.all(
        live
          .filter((workload) => countsOn(workload, cards) === card)
          .map(async (workload) => ({ workload, read: await readTokenUse(cluster, workload, signal) })),
      );
      for (const { workload, read } of uses) {
        if (!read.ok)
          unmeasured.push(
            `Token use of ${workload.namespace}/${workload.name} was not read: ${read.reason}.`,
          );
      }
      const { models: _names, ...written } = card;
      return {
        ...written,
        live: live.map(liveRow),
        catalogue: known && live.length === 0,
        ...verdictOf(card, live, serving.workloads, known),
        ...useOf(uses),
        ...countedElsewhere(card, live, cards),
      };
    }),
  );
  return {
    items: items.toSorted((a, b) => a.title.localeCompare(b.title)),
    ...clusterReading(target, [...serving.listings, configMaps], unmeasured),
  };
}

/** The one card on which the tokens of a workload stand: on each of several they would be counted several times. */
function countsOn(workload: Serving, cards: readonly WrittenCard[]): WrittenCard | undefined {
  return cards.find((card) => runs(card, workload));
}

function countedElsewhere(
  card: WrittenCard,
  live: readonly Serving[],
  cards: readonly WrittenCard[],
): Pick<ModelCard, 'tokens_on'> {
  const other = live.map((workload) => countsOn(workload, cards)).find((counting) => counting !== card);
  return other === undefined ? {} : { tokens_on: other.title };
}

/** Returns whether a workload runs the model of a card: by the model it says it serves, or else by its tier. */
function runs(card: WrittenCard, { settings: { model }, tier }: Serving): boolean {
  if (model === undefined) return card.tiers.includes(tier);
  const served = plainName(model);
  return [card.name, ...card.models].some((name) => plainName(name) === served);
}

/** Encodings that quantised copies carry at the end of their names. */
const encoding =
  /-(?:awq|gptq(?:-int[48])?|fp8|nvfp4|mxfp4|int[48]|w[48]a(?:8|16)|bnb-4bit|gguf|i?q[0-9](?:-[0-9a-z]+)*|bf16|f16|fp16)$/;

/** Returns the same spelling for `Qwen/Qwen3-32B-AWQ`, `qwen3:32b` and `Qwen3-32B-Q4_K_M`. */
function plainName(model: string): string {
  const name = (model.split('/').at(-1) ?? model).toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return name.replace(encoding, '').replace(encoding, '');
}

function liveRow({ tier, name, namespace, replicas }: Serving): NonNullable<ModelCard['live']>[number] {
  return {
    tier,
    workload: name,
    namespace,
    replicas_ready: replicas.ready,
    replicas_desired: replicas.desired,
  };
}

function verdictOf(
  { tiers }: WrittenCard,
  live: readonly Serving[],
  all: readonly Serving[],
  known: boolean,
): Pick<ModelCard, 'verdict' | 'reason'> {
  const { state, reason } = live.length > 0 ? worstOf(live) : notServed(tiers, all, known);
  return { verdict: state, ...(reason === undefined ? {} : { reason }) };
}

function notServed(tiers: readonly string[], all: readonly Serving[], known: boolean): HealthVerdict {
  if (!known) return { state: 'not_read', reason: 'not all workloads were read' };
  const others = all.filter(({ tier }) => tiers.includes(tier));
  if (others.length === 0) return { state: 'idle', reason: 'no workload serves it' };
  const served = others.map(({ tier, settings: { model } }) => `${tier} serves ${model}`);
  return { state: 'idle', reason: `no workload serves it: ${served.join(', ')}` };
}

/** Only of all its workloads together: a part would be taken for the whole. */
function useOf(uses: readonly { readonly read: UseRead }[]): Pick<ModelCard, 'tokens' | 'tenant_units'> {
  const read = uses.flatMap(({ read }) => (read.ok ? read.use : []));
  if (uses.length === 0 || uses.some(({ read }) => !read.ok)) return {};
  const byTenant = new Map<string, number>();
  for (const use of read) {
    for (const [tenant, tokens] of use.byTenant) byTenant.set(tenant, (byTenant.get(tenant) ?? 0) + tokens);
  }
  const sum = (of: 'prompt' | 'generated'): number =>
    Math.round(read.reduce((total, use) => total + use[of], 0));
  return {
    tokens: { prompt: sum('prompt'), generated: sum('generated') },
    ...(byTenant.size === 0
      ? {}
      : {
          tenant_units: [...byTenant]
            .map(([tenant, tokens]) => ({ tenant, units: tokens / tokensOfUnit }))
            .toSorted((a, b) => b.units - a.units),
        }),
  };
}
