export { createWorkspaceItems, type WorkspaceItems } from './items.ts';
export { workspaceService } from './rpc.ts';
export { type WorkspaceItemRow, type WorkspaceTables, workspaceMigrations } from './store.ts';
