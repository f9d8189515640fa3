export type { Actor, Decision } from './decide.ts';
export { createGuardrails, type GuardrailSettings, guardrailHandlers } from './routes.ts';
export { type GuardrailTables, guardrailMigrations } from './store.ts';
