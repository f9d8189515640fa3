import { type Severity, severity } from '#shared/api/symptoms.ts';
import { severityWords } from '#shared/troubleshoot/report-markdown.ts';
import type { StateName } from '../../core/state-name.ts';

/** A severity by shape and word. */
export const severities: Readonly<Record<Severity, { readonly state: StateName; readonly word: string }>> = {
  critical: { state: 'failing', word: severityWords.critical },
  warning: { state: 'degraded', word: severityWords.warning },
  info: { state: 'idle', word: severityWords.info },
};

/** Every severity, the gravest first. */
export const gravestFirst: readonly Severity[] = severity.options;
