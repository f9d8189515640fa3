import { type Severity, severity } from '#shared/api/symptoms.ts';
import { severityLabels } from '#shared/troubleshoot/report-markdown.ts';
import type { StateName } from '../../core/state-name.ts';

/** A severity by shape and word. */
export const severities: Readonly<Record<Severity, { readonly state: StateName; readonly label: string }>> = {
  critical: { state: 'failing', label: severityLabels.critical },
  warning: { state: 'degraded', label: severityLabels.warning },
  info: { state: 'idle', label: severityLabels.info },
};

/** Every severity, the gravest first. */
export const gravestFirst: readonly Severity[] = severity.options;
