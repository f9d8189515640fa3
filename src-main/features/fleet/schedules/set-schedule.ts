import type { AgentSchedule } from '#shared/api/fleet.ts';
import type { Call } from '#shared/api/handler.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteInput } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { resources, wasRead } from '../../../cluster-model/index.ts';
import type { ObjectRead, OpenTarget, PatchResult } from '../../../sources/cluster/index.ts';
import { agentName, type CronJob, isEnabled } from '../agent-workloads.ts';
import { bundleIsFixed, scheduleOf, targetIsReadOnly } from './schedules.ts';

type Input = RouteInput<RouteOf<'fleet.setSchedule'>>;

/**
 * Arms or disarms an agent. Throws `NotFound`, `Conflict` when it is no longer as the caller saw it, `Refused` where
 * nothing may be changed, `Unavailable` when the cluster did not answer. `now` in epoch ms.
 */
export async function setSchedule(
  target: OpenTarget,
  { params: { name }, query: { namespace }, body: { enabled, was_enabled } }: Input,
  record: Call['record'],
  now: () => number,
): Promise<AgentSchedule> {
  const { cluster, id } = target;
  const found = await findAgent(target, name, namespace);
  const act = enabled ? 'Arm' : 'Disarm';
  const namespaceName = found.metadata.namespace ?? '';
  record(`${act} CronJob ${namespaceName}/${name}${id === undefined ? '' : ` in ${id}`}.`, {
    ...(id === undefined ? {} : { cluster: id }),
    namespace: namespaceName,
    enabled,
  });
  if (cluster.source === 'bundle') throw new ConsoleError('Refused', bundleIsFixed);
  // What the cluster has now, not what was listed: the revision must be of the state that is judged here.
  const cronJob = parsed(await cluster.get(resources.cronJobs, name, found.metadata.namespace), name);
  const agent = agentName(cronJob);
  if (agent === undefined) throw new ConsoleError('NotFound', `The CronJob ${name} is no longer an agent.`);
  const live = isEnabled(cronJob);
  if (was_enabled !== undefined && was_enabled !== live) {
    throw new ConsoleError(
      'Conflict',
      `${name} was ${live ? 'armed' : 'disarmed'} by somebody else meanwhile: look at it again before you change it.`,
    );
  }
  if (live === enabled) {
    record(`It was ${live ? 'armed' : 'disarmed'} already.`);
    return scheduleOf(agent, cronJob, undefined, now());
  }
  const { resourceVersion } = cronJob.metadata;
  const result = await cluster.patch(resources.cronJobs, {
    name,
    namespace: cronJob.metadata.namespace,
    patch: { spec: { suspend: !enabled } },
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  });
  if (result.state !== 'done') throw patchError(result, name, id);
  return scheduleOf(agent, { ...cronJob, spec: { ...cronJob.spec, suspend: !enabled } }, undefined, now());
}

/** The one agent of this name. Throws `Conflict` when several namespaces have one and none was chosen. */
async function findAgent(
  { cluster }: OpenTarget,
  name: string,
  namespace: string | undefined,
): Promise<CronJob> {
  const listing = await cluster.list(resources.cronJobs);
  if (!wasRead(listing)) throw new ConsoleError('Unavailable', listing.gaps.join(' '));
  const [first, ...others] = listing.items.filter(
    (cronJob) =>
      cronJob.metadata.name === name &&
      agentName(cronJob) !== undefined &&
      (namespace === undefined || cronJob.metadata.namespace === namespace),
  );
  if (first === undefined) {
    const where = namespace === undefined ? '' : ` in the namespace ${namespace}`;
    throw new ConsoleError('NotFound', `There is no agent ${name}${where} with a schedule in this cluster.`);
  }
  if (others.length > 0) {
    const namespaceNames = [first, ...others].map(({ metadata }) => metadata.namespace).join(' and ');
    throw new ConsoleError(
      'Conflict',
      `Agents named ${name} are in ${namespaceNames}: choose one by its namespace.`,
    );
  }
  return first;
}

function parsed(read: ObjectRead, name: string): CronJob {
  if (read.state === 'missing') throw new ConsoleError('NotFound', read.reason);
  if (read.state === 'unread') throw new ConsoleError('Unavailable', read.reason);
  const cronJob = resources.cronJobs.schema.safeParse(read.object);
  if (cronJob.success) return cronJob.data;
  throw new ConsoleError('Unavailable', `The cluster's answer about the CronJob ${name} was not understood.`);
}

function patchError(
  { state, reason }: Exclude<PatchResult, { state: 'done' }>,
  name: string,
  target: string | undefined,
): ConsoleError {
  switch (state) {
    case 'read_only':
      return new ConsoleError('Refused', targetIsReadOnly(target));
    case 'conflict':
      return new ConsoleError(
        'Conflict',
        `${name} changed while this was done: look at it again and repeat it.`,
      );
    case 'missing':
      return new ConsoleError('NotFound', reason);
    case 'forbidden':
    case 'refused':
      return new ConsoleError('Refused', `The cluster refused this. ${reason}`);
    case 'unavailable':
      return new ConsoleError('Unavailable', reason);
  }
}
