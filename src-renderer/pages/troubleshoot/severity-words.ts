import { type Severity, severity } from '#shared/api/symptoms.ts';
import type { StateName } from '../../components/state-name.ts';

/** A severity by shape and word. */
export const severities: Readonly<Record<Severity, { readonly state: StateName; readonly word: string }>> = {
  critical: { state: 'failing', word: 'Critical' },
  warning: { state: 'degraded', word: 'Warning' },
  info: { state: 'idle', word: 'Info' },
};

/** Every severity, the gravest first. */
export const gravestFirst: readonly Severity[] = severity.options;
