export { readCatalogue } from './catalogue/read-catalogue.ts';
export { type DiagnoseOptions, diagnose } from './diagnose.ts';
export { logLiterals } from './logs/log-rules.ts';
export { openDiagnoses } from './open-diagnoses.ts';
export { type TroubleshootParts, troubleshootHandlers } from './routes.ts';
export type { LastDiagnosis } from './runs.ts';
export { diagnoseText } from './text.ts';
