import type { AuditVerdict } from '#shared/api/audit.ts';
import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { Reading } from '#shared/api/reading.ts';
import type { JsonAnswer } from '#shared/api/route.ts';

type ReadRoute =
  | 'access.list'
  | 'delivery.devex'
  | 'estate.governance'
  | 'fleet.agents'
  | 'runs.list'
  | 'settings.read';

/** Handlers of the routes that figures are derived from. */
export type DerivedFrom = Handlers<ReadRoute>;

/** Answer of a route that is evidence here. */
export type AnswerOf<Id extends ReadRoute> = JsonAnswer<RouteOf<Id>>;

export type IntelligenceParts = {
  /** Handlers of the routes whose answers are the evidence: whoever doubts a figure reads the same. */
  readonly read: DerivedFrom;
  readonly auditVerdict: () => Promise<AuditVerdict>;
  readonly authRequired: () => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** A request for evidence: its caller, and the target it names. */
export type Asked = { readonly call: Call; readonly target: string | undefined };

const day = 24 * 60 * 60 * 1000;
/** Most runs that one answer counts: the newest. */
export const runsCounted = 1000;

const targetIn = ({ target }: Asked) => (target === undefined ? {} : { target });
const nothing = { params: undefined, body: undefined } as const;

/** Reads the roster. */
export async function readAgents(
  { read }: IntelligenceParts,
  asked: Asked,
): Promise<AnswerOf<'fleet.agents'>> {
  return read['fleet.agents']({ ...nothing, query: targetIn(asked) }, asked.call);
}

/** Reads the runs of agents that started in the last `days` days: the newest `runsCounted` of them. */
export async function readRuns(
  { read, now }: IntelligenceParts,
  asked: Asked,
  days: number,
): Promise<AnswerOf<'runs.list'>> {
  const since = new Date(now() - days * day).toISOString();
  const query = { ...targetIn(asked), since, limit: runsCounted };
  return read['runs.list']({ ...nothing, query }, asked.call);
}

/** Reads ownership, credentials and posture of namespaces. */
export async function readGovernance(
  { read }: IntelligenceParts,
  asked: Asked,
): Promise<AnswerOf<'estate.governance'>> {
  return read['estate.governance']({ ...nothing, query: targetIn(asked) }, asked.call);
}

/** Reads the delivery indicators of the usual window. */
export async function readDelivery(
  { read }: IntelligenceParts,
  { call }: Asked,
): Promise<AnswerOf<'delivery.devex'>> {
  return read['delivery.devex']({ ...nothing, query: {} }, call);
}

/** Reads the settings as the caller may see them. */
export async function readSettings(
  { read }: IntelligenceParts,
  { call }: Asked,
): Promise<AnswerOf<'settings.read'>> {
  return read['settings.read']({ ...nothing, query: undefined }, call);
}

/** Reads which allowlists are set. */
export async function readAllowlists(
  { read }: IntelligenceParts,
  { call }: Asked,
): Promise<AnswerOf<'access.list'>> {
  return read['access.list']({ ...nothing, query: undefined }, call);
}

/** The reading of an answer made of others': complete when each of them is. */
export function readingOf(
  { now }: IntelligenceParts,
  readings: readonly Reading[],
  more: readonly string[] = [],
): Reading {
  const unmeasured = [...new Set([...readings.flatMap((each) => each.unmeasured), ...more])];
  const isUnread = readings.length > 0 && readings.every(({ source }) => source === 'unavailable');
  return {
    source: isUnread ? 'unavailable' : 'console',
    complete: readings.every(({ complete }) => complete) && more.length === 0,
    read_at: readings.map(({ read_at }) => read_at).sort()[0] ?? new Date(now()).toISOString(),
    unmeasured,
  };
}
