import { smallestSample } from '#shared/api/delivery.ts';
import type { RouteOf } from '#shared/api/index.ts';
import { type Dimension, dimensionName } from '#shared/api/intelligence.ts';
import type { JsonAnswer } from '#shared/api/route.ts';
import { type Counting, countNamespaces, shareSentence } from './judge.ts';
import { namespaceRules } from './namespace-rules.ts';
import {
  type AnswerOf,
  type Asked,
  type IntelligenceParts,
  readDelivery,
  readGovernance,
  readingOf,
  readRuns,
} from './sources.ts';
import { gapOf, hasEnded, isComplete, runsOf } from './swarm.ts';

type Maturity = JsonAnswer<RouteOf<'intelligence.maturity'>>;
type Name = Dimension['name'];
type Source = '/api/devex' | '/api/governance' | '/api/runs';
type Share = { readonly part: number; readonly whole: number };

/** Days of runs that reliability and autonomy are measured over. */
export const runDays = 7;

const ways: Readonly<Record<Name, { counted: string; source: Source; noun: string }>> = {
  delivery: {
    counted: 'Deliveries of the last 28 days whose every attempt succeeded.',
    source: '/api/devex',
    noun: 'deliveries did not fail',
  },
  reliability: {
    counted: `Runs of agents that started in the last ${runDays} days and ended: those that succeeded.`,
    source: '/api/runs',
    noun: 'ended runs succeeded',
  },
  security: {
    counted:
      'Namespaces that are not of the cluster itself: those that refuse ingress by default and enforce a pod security standard.',
    source: '/api/governance',
    noun: 'namespaces are closed by default',
  },
  governance: {
    counted: 'Namespaces that are not of the cluster itself: those that name their tenant.',
    source: '/api/governance',
    noun: 'namespaces name their tenant',
  },
  autonomy: {
    counted: `Workflow runs of agents in the last ${runDays} days: those that nobody started by hand.`,
    source: '/api/runs',
    noun: 'workflow runs began by themselves',
  },
};

/** `GET /api/maturity`. */
export async function maturity(parts: IntelligenceParts, asked: Asked): Promise<Maturity> {
  const [delivery, list, governance] = await Promise.all([
    readDelivery(parts, asked),
    readRuns(parts, asked, runDays),
    readGovernance(parts, asked),
  ]);
  const shares: Readonly<Record<Name, Share | string>> = {
    delivery: deliveredShare(delivery) ?? 'Too few deliveries ended to say.',
    reliability: enough(succeededShare(list), 'runs that ended'),
    security: wholeOf(
      countNamespaces(governance, (namespace) => {
        const denies = namespaceRules.deniesIngress(namespace);
        return denies === undefined ? undefined : denies && namespaceRules.enforcesPodSecurity(namespace);
      }),
    ),
    governance: wholeOf(countNamespaces(governance, namespaceRules.hasTenant)),
    autonomy: enough(startedShare(list), 'workflow runs'),
  };
  const isWhole = { '/api/devex': delivery.complete, '/api/runs': isComplete(list), '/api/governance': true };
  const dimensions = dimensionName.options.map((name) => dimensionOf(name, shares[name], isWhole));
  return {
    dimensions,
    ...compositeOf(dimensions),
    counted: 'The composite is the mean of the five shares, each of the same weight.',
    ...readingOf(
      parts,
      [delivery, list, governance],
      [
        ...gapOf(list),
        ...dimensions.flatMap(({ name, unmeasured }) =>
          unmeasured === undefined ? [] : [`Dimension ${name}: ${unmeasured}`],
        ),
      ],
    ),
  };
}

/** Returns the deliveries that did not fail; undefined where too few ended. */
export function deliveredShare({ indicators }: AnswerOf<'delivery.devex'>): Share | undefined {
  const rate = indicators.change_failure_rate;
  if (rate === undefined) return undefined;
  return { part: rate.sample - Math.round(rate.share * rate.sample), whole: rate.sample };
}

/** Returns the runs that succeeded, of those that ended. */
export function succeededShare(list: AnswerOf<'runs.list'>): Share {
  const ended = runsOf(list).filter(hasEnded);
  return { part: ended.filter(({ state }) => state === 'success').length, whole: ended.length };
}

function startedShare(list: AnswerOf<'runs.list'>): Share {
  const workflows = runsOf(list).filter(({ kind, event }) => kind === 'workflow' && event !== undefined);
  return {
    part: workflows.filter(({ event }) => event !== 'workflow_dispatch').length,
    whole: workflows.length,
  };
}

function enough(share: Share, noun: string): Share | string {
  return share.whole >= smallestSample
    ? share
    : `${share.whole} ${noun} were read, ${smallestSample} are needed.`;
}

function wholeOf({ whole, without, complete }: Counting): Share | string {
  if (whole === undefined) return 'Namespaces, or what is judged of them, were not read.';
  if (whole === 0) return 'There are no namespaces to judge.';
  if (!complete) return 'Not all of the cluster could be read.';
  return { part: whole - without.length, whole };
}

function dimensionOf(
  name: Name,
  share: Share | string,
  isWhole: Readonly<Record<Source, boolean>>,
): Dimension {
  const { counted, source, noun } = ways[name];
  const gap = isWhole[source] ? [] : [{ source, fact: 'Not all of it could be read.' }];
  return typeof share === 'string'
    ? { name, counted, unmeasured: share, evidence: [] }
    : { name, counted, share, evidence: [{ source, fact: shareSentence(share, noun) }, ...gap] };
}

function compositeOf(dimensions: readonly Dimension[]): { composite?: number } {
  const measured = dimensions.flatMap(({ share }) => (share === undefined ? [] : [share.part / share.whole]));
  if (measured.length < dimensions.length) return {};
  return { composite: measured.reduce((sum, each) => sum + each, 0) / measured.length };
}
