import { useEffect, useState } from 'react';
import type { Attention } from '#shared/api/cluster.ts';
import type { DashboardAnswer } from './overview-queries.ts';

/** Milliseconds for which the first diagnosis of a target is waited for. */
const patienceMs = 3000;

/** Targets whose first diagnosis this window has waited for: whoever comes back to the page does not wait again. */
const waitedFor = new Set<string | undefined>();

type SettledAttention = {
  /** What is shown; undefined while the diagnosis is waited for. */
  readonly items: readonly Attention[] | undefined;
  /** How many there are by a diagnosis that ended after these were shown, and the way to show them. */
  readonly newer: { readonly count: number; show(): void } | undefined;
};

type Early = { readonly target: string | undefined; readonly items: readonly Attention[] };

/**
 * What needs attention, so that no row changes under the reader: a diagnosis gives rows other titles, causes and ways on.
 * The first diagnosis of a target is waited for, for a moment; one that takes longer is shown when the person asks.
 */
export function useSettledAttention(
  target: string | undefined,
  answer: DashboardAnswer | undefined,
): SettledAttention {
  const [early, setEarly] = useState<Early>();
  const [waited, setWaited] = useState<{ readonly target: string | undefined }>();
  const isDiagnosing = answer?.diagnosis !== undefined && answer.diagnosis.at === undefined;
  const isOver = waitedFor.has(target) || (waited !== undefined && waited.target === target);
  useEffect(() => {
    if (!isDiagnosing) return;
    const timer = setTimeout(() => {
      waitedFor.add(target);
      setWaited({ target });
    }, patienceMs);
    return () => clearTimeout(timer);
  }, [isDiagnosing, target]);
  if (answer === undefined) return { items: undefined, newer: undefined };
  const { attention } = answer;
  if (isDiagnosing && !isOver) return { items: undefined, newer: undefined };
  if (isDiagnosing) {
    if (early === undefined || early.target !== target || early.items !== attention)
      setEarly({ target, items: attention });
    return { items: attention, newer: undefined };
  }
  const shown = early !== undefined && early.target === target ? early.items : undefined;
  if (shown === undefined || isSame(shown, attention)) return { items: attention, newer: undefined };
  return { items: shown, newer: { count: attention.length, show: () => setEarly(undefined) } };
}

const isSame = (before: readonly Attention[], after: readonly Attention[]): boolean =>
  before.length === after.length &&
  before.every(({ id, title }, index) => after[index]?.id === id && after[index]?.title === title);
