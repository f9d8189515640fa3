import {
  type ControlPlane,
  certificateSoonDays,
  type HealthAnswer,
  type Probe,
} from '#shared/api/cluster.ts';
import { capitalised } from '#shared/text.ts';
import { formatCount } from '../../components/format-quantity.ts';
import { formatDuration } from '../../components/format-time.ts';
import type { StateName } from '../../core/state-name.ts';

/** Label of each backend. */
export const backendLabels: Readonly<Record<ControlPlane['backend'], string>> = {
  cockpit: 'Cockpit',
  campaign: 'Campaign',
  instance: 'Instance',
};

/** State of a health endpoint or of one of its checks. */
export const answerStates: Readonly<
  Record<HealthAnswer['state'] | 'skipped', { readonly state: StateName; readonly label: string }>
> = {
  pass: { state: 'healthy', label: 'Passes' },
  fail: { state: 'failing', label: 'Fails' },
  not_read: { state: 'unknown', label: 'Not read' },
  skipped: { state: 'idle', label: 'Skipped' },
};

const dayMs = 86_400_000;
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns when a check's subject expires, and how close that is. Epoch ms. */
export function expiryOf(
  check: string,
  at: number,
  now: number,
): { readonly state: 'healthy' | 'degraded' | 'failing'; readonly label: string } {
  const what = check === 'mesh_identity' ? 'CA ' : '';
  const on = `(${date.format(at)})`;
  const left = at - now;
  const label = capitalised(
    left <= 0
      ? `${what}expired ${formatSpan(-left)} ago ${on}`
      : `${what}expires in ${formatSpan(left)} ${on}`,
  );
  return {
    state: left <= 0 ? 'failing' : left < certificateSoonDays * dayMs ? 'degraded' : 'healthy',
    label,
  };
}

/** Whole days; hours or less where there are not two. */
const formatSpan = (ms: number): string =>
  ms < 2 * dayMs ? formatDuration(ms) : formatCount(Math.floor(ms / dayMs), 'day');

/** Label of a campaign backend's `model_ready`. */
export const modelLabel = (ready: boolean): string =>
  ready
    ? 'A model is ready: its model endpoint lists one.'
    : 'No model is ready: its model endpoint lists none, or INFERENCE_REMOTE_URL is not set.';

/** One setting of a probe as specified and as it is. Undefined where that side has none. */
export type ProbeRow = {
  readonly name: string;
  readonly specified: string | undefined;
  readonly live: string | undefined;
};

const seconds = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${value} s`;

const settings: readonly { readonly name: string; readonly of: (probe: Probe) => string | undefined }[] = [
  { name: 'Path', of: ({ path }) => path },
  { name: 'Port', of: ({ port }) => port },
  { name: 'Instead', of: ({ other }) => other },
  { name: 'Period', of: ({ period_seconds }) => seconds(period_seconds) },
  { name: 'Timeout', of: ({ timeout_seconds }) => seconds(timeout_seconds) },
  { name: 'Fails after', of: ({ failure_threshold }) => failure_threshold?.toString() },
  { name: 'First after', of: ({ initial_delay_seconds }) => seconds(initial_delay_seconds) },
];

const settingNames: Readonly<Record<string, string>> = {
  path: 'Path',
  timeout_seconds: 'Timeout',
  failure_threshold: 'Fails after',
};

/** Returns the name of a setting such as `liveness.path` in the card of a probe; undefined when it is of another. */
export function settingName(setting: string, probe: string): string | undefined {
  const [kind, field = ''] = setting.split('.');
  return kind === probe ? settingNames[field] : undefined;
}

/** The settings that either side has, in one order. */
export function probeRows(specified: Probe | undefined, live: Probe | undefined): readonly ProbeRow[] {
  return settings
    .map(({ name, of }) => ({
      name,
      specified: specified && of(specified),
      live: live && of(live),
    }))
    .filter((row) => row.specified !== undefined || row.live !== undefined);
}

/** Tells whether a live setting differs from its specification. An unspecified setting cannot differ. */
export const differs = ({ specified, live }: ProbeRow): boolean =>
  specified !== undefined && specified !== live;
