export { agentHandlers } from './routes.ts';
export { type AgentTables, agentMigrations } from './store.ts';
