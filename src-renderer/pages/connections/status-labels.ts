import type { ConnectionStatus, ProbeStepKind } from '#shared/api/connectors.ts';
import type { StateName } from '../../core/state-name.ts';

/** Steps of a probe, in the order taken. */
export const stepLabels: Readonly<Record<ProbeStepKind, string>> = {
  dns: 'DNS',
  address: 'Address rules',
  tcp: 'TCP',
  tls: 'TLS',
  protocol: 'Protocol',
};

type Shown = { readonly state: StateName; readonly label: string };

/** Worst first. */
const ranks: readonly ConnectionStatus['outcome'][] = [
  'failed',
  'refused',
  'not_probed',
  'protocol_not_probed',
  'reachable',
];

/** Returns how a connection stands by its last test. */
export function shownStatus(status: ConnectionStatus | undefined): Shown {
  switch (status?.outcome) {
    case 'reachable':
      return { state: 'healthy', label: 'Reachable' };
    // The service may still not work: never shown as healthy.
    case 'protocol_not_probed':
      return { state: 'unknown', label: 'Protocol not probed' };
    case 'failed':
      return {
        state: 'failing',
        label: status.failed_step === undefined ? 'Failed' : `${stepLabels[status.failed_step]} failed`,
      };
    case 'refused':
      return { state: 'degraded', label: 'Address refused' };
    default:
      return { state: 'idle', label: 'Not tested' };
  }
}

/** Returns the place of a status in the order of severity. */
export const statusRank = (status: ConnectionStatus | undefined): number =>
  ranks.indexOf(status?.outcome ?? 'not_probed');

/** Faults of a certificate in words. */
export const certificateFaults: Readonly<
  Record<'expired' | 'not_yet_valid' | 'untrusted' | 'name_mismatch', string>
> = {
  expired: 'It has expired.',
  not_yet_valid: 'It is not valid yet.',
  untrusted: 'No authority that is trusted here issued it.',
  name_mismatch: 'It is for another name.',
};
