import { type ControlPlane, certificateSoonDays, type HealthCheck } from '#shared/api/cluster.ts';
import { counted } from '#shared/text.ts';
import { agesSince, clipped } from '../text.ts';

const day = 86_400_000;

type Facts = Omit<ControlPlane, 'state' | 'reason' | 'reasons'>;

/**
 * Returns the health of a control plane: judged by what serves first, then by what its operator reports, then
 * by its settings.
 */
export function judgeControlPlane(
  facts: Facts,
  /** Its Deployment does not exist, for certain. */
  missing: boolean,
  /** Epoch ms; without it no date is judged, as of facts without answers of health endpoints. */
  now?: number,
): Pick<ControlPlane, 'state' | 'reason' | 'reasons'> {
  const { workload, health } = facts;
  const notReady = facts.conditions.find(({ type, status }) => type === 'Ready' && status === 'False');
  const said = notReady?.message ?? notReady?.reason;
  const ends = now === undefined ? [] : (health?.readyz?.checks ?? []).flatMap((check) => endOf(check, now));
  const failing = [
    ...(workload?.state === 'failing' ? [`its Deployment has ${workload.reason}`] : []),
    ...(missing ? [`its Deployment ${facts.name} does not exist`] : []),
    ...[health?.livez, health?.readyz].flatMap((answer) => (answer?.state === 'fail' ? [answer.detail] : [])),
    ...ends.flatMap(({ passed, reason }) => (passed ? [reason] : [])),
    ...(/^(failed|error)$/i.test(facts.phase ?? '') ? [`its phase is ${facts.phase}`] : []),
  ];
  const degraded = [
    ...(workload?.state === 'degraded' ? [`its Deployment has ${workload.reason}`] : []),
    ...(notReady !== undefined
      ? [clipped(`its operator says not ready${said === undefined ? '' : `: ${said}`}`)]
      : []),
    ...(health?.auth_config?.state === 'fail' ? [health.auth_config.detail] : []),
    ...ends.flatMap(({ passed, reason }) => (passed ? [] : [reason])),
    ...(facts.probe_refusals.length > 0
      ? [
          `${counted(facts.probe_refusals.length, 'probe setting')} ${facts.probe_refusals.length === 1 ? 'is' : 'are'} not allowed`,
        ]
      : []),
    ...(facts.drift.length > 0
      ? [`${counted(facts.drift.length, 'field')} of its live Deployment will be put back by the operator`]
      : []),
  ];
  const reasons = [...failing, ...degraded];
  if (reasons.length > 0)
    return { state: failing.length > 0 ? 'failing' : 'degraded', reason: reasons.join('; '), reasons };
  if (facts.observed === false) return because('working', 'its operator has not seen the newest spec');
  if (workload?.state === 'working') return because('working', `its Deployment has ${workload.reason}`);
  if (/^(pending|progressing|creating|updating|provisioning)$/i.test(facts.phase ?? ''))
    return because('working', `its phase is ${facts.phase}`);
  if (workload?.state === 'idle') return because('idle', `its Deployment is ${workload.reason}`);
  const saysReady = facts.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  if (workload === undefined && !saysReady)
    return because('not_read', 'neither a Deployment nor a condition Ready tells');
  return { state: 'healthy' };
}

function because(
  state: ControlPlane['state'],
  reason: string,
): Pick<ControlPlane, 'state' | 'reason' | 'reasons'> {
  return { state, reason, reasons: [reason] };
}

/**
 * Returns the expiry of a check that still passes but will soon fail, or has expired and should fail already.
 * A failing check reports itself.
 */
function endOf(
  { name, status, expires_at }: HealthCheck,
  now: number,
): { readonly passed: boolean; readonly reason: string }[] {
  if (expires_at === undefined || status !== 'pass') return [];
  const left = Date.parse(expires_at) - now;
  const what = name === 'mesh_identity' ? 'its mesh CA' : `what its check ${name} is of`;
  if (left <= 0) return [{ passed: true, reason: `${what} expired ${agesSince(-left)} ago` }];
  if (left >= certificateSoonDays * day) return [];
  // Whole days that are left, as the list of certificates counts them.
  const remaining = left < 2 * day ? agesSince(left) : counted(Math.floor(left / day), 'day');
  return [{ passed: false, reason: `${what} expires in ${remaining}` }];
}
