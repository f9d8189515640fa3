export { createWorkspaceItems } from './items.ts';
export { workspaceService } from './rpc.ts';
export { type WorkspaceTables, workspaceMigrations } from './store.ts';
