import type { ControlPlane } from '#shared/api/cluster.ts';
import { clipped, counted } from './words.ts';

type Facts = Omit<ControlPlane, 'state' | 'reason'>;

/** How a control plane stands: what serves first, then what its operator says, then what is set wrongly. */
export function judgeControlPlane(
  facts: Facts,
  /** Its Deployment does not exist, for certain. */
  missing: boolean,
): Pick<ControlPlane, 'state' | 'reason'> {
  const { workload, health } = facts;
  const notReady = facts.conditions.find(({ type, status }) => type === 'Ready' && status === 'False');
  const said = notReady?.message ?? notReady?.reason;
  const failing = [
    ...(workload?.state === 'failing' ? [`its Deployment has ${workload.reason}`] : []),
    ...(missing ? [`its Deployment ${facts.name} does not exist`] : []),
    ...[health?.livez, health?.readyz].flatMap((answer) => (answer?.state === 'fail' ? [answer.detail] : [])),
    ...(/^(failed|error)$/i.test(facts.phase ?? '') ? [`its phase is ${facts.phase}`] : []),
  ];
  const degraded = [
    ...(workload?.state === 'degraded' ? [`its Deployment has ${workload.reason}`] : []),
    ...(notReady !== undefined
      ? [clipped(`its operator says not ready${said === undefined ? '' : `: ${said}`}`)]
      : []),
    ...(health?.auth_config?.state === 'fail' ? [health.auth_config.detail] : []),
    ...(facts.probe_refusals.length > 0
      ? [`${counted(facts.probe_refusals.length, 'setting')} of its probes must not be`]
      : []),
    ...(facts.drift.length > 0
      ? [`${counted(facts.drift.length, 'field')} of its live Deployment will be put back by the operator`]
      : []),
  ];
  const reasons = [...failing, ...degraded];
  if (reasons.length > 0)
    return { state: failing.length > 0 ? 'failing' : 'degraded', reason: reasons.join('; ') };
  if (facts.observed === false)
    return { state: 'working', reason: 'its operator has not seen the newest spec' };
  if (workload?.state === 'working')
    return { state: 'working', reason: `its Deployment has ${workload.reason}` };
  if (/^(pending|progressing|creating|updating|provisioning)$/i.test(facts.phase ?? ''))
    return { state: 'working', reason: `its phase is ${facts.phase}` };
  if (workload?.state === 'idle') return { state: 'idle', reason: `its Deployment is ${workload.reason}` };
  const saysReady = facts.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  if (workload === undefined && !saysReady)
    return { state: 'not_read', reason: 'neither a Deployment nor a condition Ready tells' };
  return { state: 'healthy' };
}
