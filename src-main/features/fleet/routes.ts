import type { Kysely } from 'kysely';
import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { clusterReading, nowOf } from '../../sources/cluster/index.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import type { AgentTables } from '../agents/index.ts';
import type { PricedAsset } from '../capex/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { doctor } from './doctor/doctor.ts';
import { inference } from './inference/inference.ts';
import { readServing, tiersOf } from './inference/serving.ts';
import { createFinops } from './models/finops.ts';
import { models } from './models/models.ts';
import { readRoster } from './roster/roster.ts';
import { createRunningReader } from './running.ts';
import { type ScheduleParts, schedules } from './schedules/schedules.ts';
import { setSchedule } from './schedules/set-schedule.ts';

export type FleetParts = ScheduleParts & {
  readonly targetOf: OpenTargetOf;
  readonly db: () => Kysely<AgentTables>;
  /** Host of the doctor's tracking issue. */
  readonly codeHost: CodeHost;
  /** What nodes are priced by. */
  readonly assets: () => Promise<readonly PricedAsset[]>;
};

/** Agents, schedules, the doctor and the inference plane. */
export function fleetHandlers(parts: FleetParts): Handlers<Extract<RouteId, `fleet.${string}`>> {
  const { targetOf, db, now, codeHost, assets } = parts;
  const readRunning = createRunningReader(now);
  const finops = createFinops(now, assets);
  return {
    'fleet.agents': async ({ query }, { caller }) => {
      const target = await targetOf(query.target, caller);
      const { cluster } = target;
      const running = await readRunning(cluster);
      const [roster, serving] = await Promise.all([
        readRoster(running, db(), nowOf(cluster, now)),
        readServing(cluster, running),
      ]);
      return {
        items: roster.items,
        tiers: tiersOf(serving.workloads),
        ...clusterReading(target, [...roster.listings, ...serving.listings], roster.unmeasured),
      };
    },

    'fleet.schedules': async ({ query }, call) =>
      schedules(parts, await targetOf(query.target, call.caller), call),

    'fleet.setSchedule': async (input, call) =>
      setSchedule(await targetOf(input.query.target, call.caller), input, call.record, now),

    'fleet.doctor': async ({ query }, { caller }) =>
      doctor(await targetOf(query.target, caller), codeHost, now),

    'fleet.inference': async ({ query }, { caller }) =>
      inference(await targetOf(query.target, caller), readRunning),

    'fleet.models': async ({ query }, { caller, signal }) =>
      models(await targetOf(query.target, caller), signal, readRunning),

    'fleet.finops': async ({ query }, { caller }) => finops(await targetOf(query.target, caller)),
  };
}
