import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { compliance } from './compliance.ts';
import { harness } from './harness.ts';
import { maturity } from './maturity.ts';
import { measures } from './measures.ts';
import type { IntelligenceParts } from './sources.ts';
import { swarm } from './swarm.ts';

const usualDays = '7';

/** Figures and judgements that are derived from what other routes answer. */
export function intelligenceHandlers(
  parts: IntelligenceParts,
): Handlers<Extract<RouteId, `intelligence.${string}`>> {
  return {
    'intelligence.swarm': ({ query: { target, days = usualDays } }, call) =>
      swarm(parts, { call, target }, Number(days)),
    'intelligence.compliance': ({ query: { target } }, call) => compliance(parts, { call, target }),
    'intelligence.maturity': ({ query: { target } }, call) => maturity(parts, { call, target }),
    'intelligence.harness': ({ query: { target } }, call) => harness(parts, { call, target }),
    'intelligence.measures': ({ query: { target } }, call) => measures(parts, { call, target }),
  };
}
