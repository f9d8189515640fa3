import { smallestSample } from '#shared/api/delivery.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { Rollup } from '#shared/api/intelligence.ts';
import type { JsonAnswer } from '#shared/api/route.ts';
import type { Run } from '#shared/api/runs.ts';
import { counted } from '#shared/text.ts';
import { quantile } from '../delivery/index.ts';
import {
  type AnswerOf,
  type Asked,
  type IntelligenceParts,
  readAgents,
  readingOf,
  readRuns,
  runsCounted,
} from './sources.ts';

type Swarm = JsonAnswer<RouteOf<'intelligence.swarm'>>;

/** Most names of runs that one answer lists: those with most runs. */
const namesListed = 200;

/** `GET /api/swarm`. */
export async function swarm(parts: IntelligenceParts, asked: Asked, days: number): Promise<Swarm> {
  const [agents, list] = await Promise.all([readAgents(parts, asked), readRuns(parts, asked, days)]);
  const runs = runsOf(list);
  const names = [...Map.groupBy(runs, ({ name }) => name)]
    .map(([name, own]) => ({ name, ...rollupOf(own) }))
    .sort((a, b) => b.runs - a.runs || (a.name < b.name ? -1 : 1));
  return {
    window_days: days,
    health: {
      agents: agents.items.length,
      enabled: agents.items.filter(({ enabled }) => enabled).length,
      states: countBy(agents.items),
    },
    roster: agents.items,
    runs: rollupOf(runs),
    by_name: names.slice(0, namesListed),
    smallest_sample: smallestSample,
    counted: {
      health: 'Agents of the roster by their state: schedules, workloads and the last reports of their apps.',
      runs: `Workflow runs, Jobs and agent sessions that started in the last ${counted(days, 'day')}, by state.`,
      latency: `Durations of runs that succeeded or failed, from ${smallestSample} on; quantiles are interpolated between neighbours.`,
    },
    evidence: [
      { source: '/api/agents', fact: `${counted(agents.items.length, 'agent')} in the roster.` },
      { source: '/api/runs', fact: `${counted(runs.length, 'run')} in ${counted(days, 'day')}.` },
    ],
    ...readingOf(
      parts,
      [agents, list],
      [
        ...gapOf(list),
        ...(names.length > namesListed ? [`Only ${namesListed} names of runs are listed.`] : []),
      ],
    ),
  };
}

/** The runs of a list: an app's report of how its agent is, is none. */
export function runsOf({ items }: AnswerOf<'runs.list'>): Run[] {
  return items.filter(({ kind }) => kind !== 'app-agent');
}

/** Returns a sentence for runs that are not counted because they are too many. */
export function gapOf({ next_cursor }: AnswerOf<'runs.list'>): string[] {
  return next_cursor === undefined
    ? []
    : [`Older runs are not counted: the newest ${runsCounted.toLocaleString('en')} are.`];
}

/** Whether every run of the window was read and is counted. */
export const isComplete = (list: AnswerOf<'runs.list'>): boolean => list.complete && gapOf(list).length === 0;

/** Runs that ended by themselves, well or not. */
export const hasEnded = ({ state }: Run): boolean => state === 'success' || state === 'failure';

function rollupOf(runs: readonly Run[]): Rollup {
  const took = runs.filter(hasEnded).flatMap(({ took_seconds }) => took_seconds ?? []);
  const p50 = quantile(took, 0.5);
  const p95 = quantile(took, 0.95);
  return {
    runs: runs.length,
    states: countBy(runs),
    latency: {
      sample: took.length,
      ...(took.length < smallestSample || p50 === undefined || p95 === undefined
        ? {}
        : { p50_seconds: p50, p95_seconds: p95 }),
    },
  };
}

function countBy<S extends string>(items: readonly { readonly state: S }[]): Partial<Record<S, number>> {
  const counts: Partial<Record<S, number>> = {};
  for (const { state } of items) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
