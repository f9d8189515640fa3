import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type Item, ItemKind, WorkspaceService } from '#shared/gen/platform/v1/workspace_pb.js';
import { consoleRpc } from './rpc.ts';
import type { NewWorkspaceItem, WorkspaceChange, WorkspaceItem } from './workspace-queries.ts';

// Loaded when the items are first read, and gRPC-web with it: the first page is drawn without them.

const { createItem, deleteItem, listItems, updateItem } = WorkspaceService.method;

const kindOf = { view: ItemKind.VIEW, pin: ItemKind.PIN, note: ItemKind.NOTE } as const;

/** Items of one page of the list. */
const pageSize = 200;

/** Reads the items of the signed-in person and those that others share, the newest change first. */
export async function readItems(signal: AbortSignal): Promise<readonly WorkspaceItem[]> {
  const items: WorkspaceItem[] = [];
  let pageToken = '';
  do {
    const page = await consoleRpc(listItems, { pageSize, pageToken }, signal);
    items.push(...page.items.flatMap(itemOf));
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return items;
}

/** Keeps a new item. */
export async function createWorkspaceItem({ kind, ...content }: NewWorkspaceItem): Promise<void> {
  await consoleRpc(createItem, { item: { kind: kindOf[kind], ...content } });
}

/** Changes fields of an item of the person. Throws `Conflict` when it was changed elsewhere since it was read. */
export async function changeWorkspaceItem({ id, revision, change }: WorkspaceChange): Promise<void> {
  const paths = Object.keys(change);
  await consoleRpc(updateItem, { item: { id, revision, ...change }, updateMask: { paths } });
}

/** Deletes an item of the person. */
export async function deleteWorkspaceItem(id: string): Promise<void> {
  await consoleRpc(deleteItem, { id });
}

/** A kind that another version of the console knows is left out. */
function itemOf(item: Item): WorkspaceItem[] {
  const { id, title, address, text, shared, owner, revision, updatedAt } = item;
  const kind = (['view', 'pin', 'note'] as const).find((known) => kindOf[known] === item.kind);
  if (kind === undefined || updatedAt === undefined) return [];
  return [{ id, kind, title, address, text, shared, owner, revision, changedAt: timestampMs(updatedAt) }];
}
