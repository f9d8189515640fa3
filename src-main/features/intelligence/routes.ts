import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { type ActingParts, actOnFinding } from './act-on-finding.ts';
import { compliance } from './compliance.ts';
import { harness } from './harness.ts';
import { maturity } from './maturity.ts';
import { measures } from './measures.ts';
import type { IntelligenceParts } from './sources.ts';
import { lastAttempts } from './store.ts';
import { swarm } from './swarm.ts';

const usualDays = '7';

/** Figures and judgements that are derived from what other routes answer. */
export function intelligenceHandlers(
  given: IntelligenceParts & ActingParts,
): Handlers<Extract<RouteId, `intelligence.${string}`>> {
  const parts = {
    ...given,
    lastAttempts: (revisions: readonly string[]) => lastAttempts(given.harnessDb(), revisions),
  };
  return {
    'intelligence.swarm': ({ query: { target, days = usualDays } }, call) =>
      swarm(parts, { call, target }, Number(days)),
    'intelligence.compliance': ({ query: { target } }, call) => compliance(parts, { call, target }),
    'intelligence.maturity': ({ query: { target } }, call) => maturity(parts, { call, target }),
    'intelligence.harness': ({ query: { target } }, call) => harness(parts, { call, target }),
    'intelligence.act': (input, call) => actOnFinding(parts, { call, target: input.query.target }, input),
    'intelligence.measures': ({ query: { target } }, call) => measures(parts, { call, target }),
  };
}
