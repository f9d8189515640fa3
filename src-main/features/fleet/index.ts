import type { Kysely } from 'kysely';
import type { Handlers } from '#shared/api/handler.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import type { Allowlists } from '../access/index.ts';
import type { AgentTables } from '../agents/index.ts';
import type { OpenTargetOf } from '../targets/open-target.ts';

export type FleetParts = {
  readonly targetOf: OpenTargetOf;
  readonly codeHost: CodeHost;
  readonly db: Kysely<AgentTables>;
  readonly allowlists: Allowlists;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Agents, schedules, the doctor and the inference plane. */
export function fleetHandlers(
  _parts: FleetParts,
): Pick<Handlers, Extract<keyof Handlers, `fleet.${string}`>> {
  throw new Error('not built yet');
}
