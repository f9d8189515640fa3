export { type CallOfQuestion, callOfQuestion } from './call-of-question.ts';
export { createProposals } from './confirm/proposals.ts';
export { chatHandlers } from './routes.ts';
export { type ChatTables, chatMigrations } from './store.ts';
