import type { Judged } from '#shared/api/intelligence.ts';
import type { StateName } from '../../core/state-name.ts';

type Outcome = Judged['outcome'];

/** Icon and label of each outcome. What is unmeasured is neither good nor bad. */
export const outcomes: Readonly<Record<Outcome, { readonly state: StateName; readonly label: string }>> = {
  fail: { state: 'failing', label: 'Failed' },
  unmeasured: { state: 'unknown', label: 'Unmeasured' },
  pass: { state: 'healthy', label: 'Passed' },
};

/** Returns how many passed, failed and were not measured, in words. */
export function outcomesText(counts: Readonly<Record<Outcome, number>>): string {
  return `${counts.fail} failed, ${counts.unmeasured} unmeasured, ${counts.pass} passed`;
}

const rank: readonly Outcome[] = ['fail', 'unmeasured', 'pass'];

/** Returns what was judged, what needs somebody first. */
export function worstOutcomeFirst<J extends Judged>(items: readonly J[]): J[] {
  return items.toSorted((a, b) => rank.indexOf(a.outcome) - rank.indexOf(b.outcome));
}
