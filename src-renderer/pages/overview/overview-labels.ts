import type { Attention, HealthState, Workload } from '#shared/api/cluster.ts';
import { healthWorstFirst } from '#shared/health/worst-first.ts';
import { addressParts, type PageAddress, viewParts } from '#shared/page-address.ts';
import { counted } from '#shared/text.ts';
import { healthStates } from '../../components/health-states.ts';
import type { StateName } from '../../core/state-name.ts';

/** The place a finding is looked at: what of it an address can have. */
export function addressOf({ place: to }: Pick<Attention, 'place'>, target: string | undefined): PageAddress {
  const known = [...addressParts, ...viewParts].flatMap((part) =>
    to[part] === undefined ? [] : [[part, to[part]]],
  );
  return { ...Object.fromEntries(known), ...(target !== undefined && { target }) };
}

const verbs: Readonly<Record<string, string>> = {
  controlPlanes: 'Compare',
  routes: 'Trace',
  logs: 'Read log',
  troubleshoot: 'See the fix',
};

/** Returns the label of the action on a finding. */
export const verbOf = ({ place: to }: Pick<Attention, 'place'>): string => verbs[to.tab ?? ''] ?? 'Open';

/** Things that need a person, in words. */
export const attentionLabel = (count: number): string =>
  count === 0 ? 'nothing needs attention' : `${counted(count, 'needs', 'need')} attention`;

/** A few things in one state. */
export type Tally = {
  readonly key: string;
  readonly state: StateName;
  readonly label: string;
  readonly count: number;
};

/** Counts items by state, worst first; states without items are left out. */
export function tallyOf(states: readonly HealthState[]): readonly Tally[] {
  const counts: Partial<Record<HealthState, number>> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return tallyOfCounts(counts);
}

/** Counts by state, worst first; states without items are left out. */
export const tallyOfCounts = (counts: Readonly<Partial<Record<HealthState, number>>>): readonly Tally[] =>
  healthWorstFirst
    .map((key) => ({ key, ...healthStates[key], count: counts[key] ?? 0 }))
    .filter(({ count }) => count > 0);

/** The tag of an image, or the begin of its digest; what a person tells versions apart by. */
export function imageVersion(image: string): string {
  const digest = /@sha256:([0-9a-f]{12})/.exec(image)?.[1];
  const tag = /:([^/:@]+)(?:@.*)?$/.exec(image)?.[1];
  const shown = tag ?? digest ?? image;
  return /^[0-9a-f]{40}$/.test(shown) ? shown.slice(0, 7) : shown;
}

/** Workloads, the worst first, then by name. */
export const worstFirst = (workloads: readonly Workload[]): readonly Workload[] =>
  [...workloads].sort(
    (a, b) =>
      healthWorstFirst.indexOf(a.state) - healthWorstFirst.indexOf(b.state) ||
      a.name.localeCompare(b.name) ||
      a.namespace.localeCompare(b.namespace),
  );
