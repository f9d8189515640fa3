import type { Symptom } from '#shared/api/symptoms.ts';
import type { FirstLook } from '#shared/api/troubleshoot.ts';
import type { SharedScan } from '../../sources/cluster/bundle/index.ts';
import { findingsOf } from './findings.ts';
import { logRules } from './log-rules.ts';
import { hitsOfUnread } from './logs.ts';
import type { Hit } from './match/index.ts';
import { rulesOf } from './rules.ts';

/** Findings are told of at most this often, in ms. */
const calm = 150;

export type FirstLookOptions = { readonly catalogue: readonly Symptom[]; readonly signal: AbortSignal };

/**
 * What the logs of a bundle say by themselves, as they are read: a person who waits for the bundle to be open sees the
 * first of it within a second. Of a container that may be well only what a healthy one does not say counts.
 * The diagnosis later gets the same logs without reading them again.
 */
export async function* firstLook(
  scan: SharedScan,
  { catalogue, signal }: FirstLookOptions,
): AsyncGenerator<{ readonly event: 'found'; readonly data: FirstLook }> {
  const rules = logRules(rulesOf(catalogue));
  const hits: Hit[] = [];
  let state: Pick<FirstLook, 'ended' | 'detail'> = { ended: false };
  let isNew = false;
  let wake = (): void => undefined;
  const hear = (more: readonly Hit[]): void => {
    hits.push(...more);
    isNew ||= more.length > 0;
    wake();
  };
  scan
    .scanLogs({
      literals: rules.literals,
      signal,
      onFound: (logs) => hear(logs.flatMap((log) => hitsOfUnread(rules, log))),
    })
    .then(
      ({ logs }) => {
        hits.length = 0;
        state = { ended: true };
        hear(logs.flatMap((log) => hitsOfUnread(rules, log)));
      },
      (error: unknown) => {
        state = { ended: true, detail: error instanceof Error ? error.message : String(error) };
        wake();
      },
    );
  while (!signal.aborted) {
    if (!isNew && !state.ended)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    isNew = false;
    const told = state;
    yield { event: 'found', data: { findings: findingsOf(hits), ...told } };
    if (told.ended) return;
    await new Promise((resolve) => setTimeout(resolve, calm));
  }
}
