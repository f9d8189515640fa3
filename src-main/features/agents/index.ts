export { createCommandQueue } from './command-queue.ts';
export { readHealth, readSessionRuns } from './read-reports.ts';
export { agentHandlers, createSessionCommands, type SessionCommands } from './routes.ts';
export type { AgentHealthRow, AgentTables, SessionRunRow } from './store.ts';
export { agentMigrations } from './store.ts';
