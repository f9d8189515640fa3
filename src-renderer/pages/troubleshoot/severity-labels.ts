import { type Severity, severity } from '#shared/api/symptoms.ts';
import { severityWords } from '#shared/troubleshoot/report-markdown.ts';
import type { StateName } from '../../core/state-name.ts';

/** A severity by shape and word. */
export const severities: Readonly<Record<Severity, { readonly state: StateName; readonly label: string }>> = {
  critical: { state: 'failing', label: severityWords.critical },
  warning: { state: 'degraded', label: severityWords.warning },
  info: { state: 'idle', label: severityWords.info },
};

/** Every severity, the gravest first. */
export const gravestFirst: readonly Severity[] = severity.options;
