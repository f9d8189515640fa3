import type { Symptom } from '#shared/api/symptoms.ts';
import type { FirstLook } from '#shared/api/troubleshoot.ts';
import { errorMessage } from '../../../base/error-message.ts';
import { paced } from '../../../base/pace.ts';
import type { EarlyBundle } from '../../targets/index.ts';
import { seenEarly } from '../evidence/early-pods.ts';
import { logRules } from '../logs/log-rules.ts';
import { hitsOfUnread } from '../logs/logs.ts';
import { type Hit, matchAll } from '../match/index.ts';
import { rulesOf } from '../rules.ts';
import { findingsInSteps } from './findings.ts';

/** Shortest interval between reports of findings, in ms. */
const quietMs = 150;

export type FirstLookOptions = { readonly catalogue: readonly Symptom[]; readonly signal: AbortSignal };

/**
 * Yields the first findings of a bundle before all of it is read: from its logs alone, and from the unhealthy
 * pods so far. A person waiting for the bundle to open sees the first of them within a second. For a
 * container that may be healthy, only lines that a healthy one never logs count. The diagnosis later reuses
 * the same logs without reading them again.
 */
export async function* firstLook(
  bundle: EarlyBundle,
  { catalogue, signal }: FirstLookOptions,
): AsyncGenerator<{ readonly event: 'found'; readonly data: FirstLook }> {
  const rules = rulesOf(catalogue);
  const ofLogs = logRules(rules);
  let logs: Hit[] = [];
  let read: { readonly detail?: string } | undefined;
  let isNew = bundle.pods().length > 0;
  let wake = (): void => undefined;
  const news = (): void => {
    isNew = true;
    wake();
  };
  bundle.scan
    .scanLogs({
      literals: ofLogs.literals,
      signal,
      onFound(found) {
        const more = found.flatMap((log) => hitsOfUnread(ofLogs, log));
        logs.push(...more);
        if (more.length > 0) news();
      },
    })
    .then(
      (all) => {
        logs = all.logs.flatMap((log) => hitsOfUnread(ofLogs, log));
        read = {};
      },
      (error: unknown) => {
        read = { detail: errorMessage(error) };
      },
    )
    .finally(news);
  let pods = bundle.pods();
  // An opening tells of itself ten times a second, and seldom of more pods.
  const forget = bundle.onChange(() => {
    if (bundle.pods() !== pods || !bundle.isOpening()) news();
  });
  signal.addEventListener('abort', news);
  try {
    while (!signal.aborted) {
      if (!isNew)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      isNew = false;
      const ended = read !== undefined && !bundle.isOpening();
      pods = bundle.pods();
      const ofPods = pods.length > 0 ? await paced(matchAll(rules, seenEarly(pods))) : [];
      const findings = await paced(findingsInSteps([...ofPods, ...logs]));
      yield { event: 'found', data: { findings, ended, ...read } };
      if (ended) return;
      await new Promise((resolve) => setTimeout(resolve, quietMs));
    }
  } finally {
    forget();
    signal.removeEventListener('abort', news);
  }
}
