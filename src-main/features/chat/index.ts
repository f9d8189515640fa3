export { type CallOfQuestion, callOfQuestion } from './call-of-question.ts';
export { createProposals, type ProposalParts, type Proposals } from './confirm/proposals.ts';
export { type ChatParts, chatHandlers } from './routes.ts';
export { type ChatTables, chatMigrations } from './store.ts';
