export { readCatalogue } from './catalogue/read-catalogue.ts';
export { diagnose } from './diagnose.ts';
export { logLiterals } from './logs/log-rules.ts';
export { openDiagnoses } from './open-diagnoses.ts';
export { troubleshootHandlers } from './routes.ts';
export type { LastDiagnosis } from './runs.ts';
export { diagnoseText } from './text/text.ts';
