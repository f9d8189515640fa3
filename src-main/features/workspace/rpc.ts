import { setTimeout as sleep } from 'node:timers/promises';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ServiceImpl } from '@connectrpc/connect';
import { z } from 'zod';
import { ConsoleError } from '#shared/errors.ts';
import { ItemKind, type WorkspaceService } from '#shared/gen/platform/v1/workspace_pb.js';
import type { RpcGate } from '../../grpc/rpc-gate.ts';
import type { ItemContent, WorkspaceItems } from './items.ts';
import type { WorkspaceItemRow } from './store.ts';

/** Items of a page, and of a watcher's answer. */
const usualPage = 100;
const largestPage = 200;

/** Longest delay until a watcher sees a change made on another console, in ms. */
const lookEvery = 5_000;

const kinds: readonly number[] = [ItemKind.VIEW, ItemKind.PIN, ItemKind.NOTE];

const title = z.string().trim().min(1).max(200);
const address = z
  .string()
  .max(2_000)
  .regex(/^(\?[^\s#]*)?$/, 'must be what follows the host, such as ?tab=runs');
const text = z.string().max(8_000);

/** platform.v1.WorkspaceService: saved views, pins and notes. */
export function workspaceService(items: WorkspaceItems, gate: RpcGate): ServiceImpl<typeof WorkspaceService> {
  return {
    listItems: ({ kind, pageSize, pageToken }, context) =>
      gate.own(context, async ({ email }) => {
        if (pageSize < 0 || pageSize > largestPage)
          throw new ConsoleError('BadInput', `page_size must be 1 to ${largestPage}, or 0 for ${usualPage}.`);
        const page = await items.list(email, {
          kind: kindOrAll(kind),
          size: pageSize === 0 ? usualPage : pageSize,
          token: pageToken,
        });
        return { items: page.items.map(toMessage), nextPageToken: page.nextPageToken };
      }),

    createItem: ({ item }, context) =>
      gate.own(context, async ({ email }) => {
        if (item === undefined || !kinds.includes(item.kind))
          throw new ConsoleError('BadInput', 'item.kind must be VIEW, PIN or NOTE.');
        const content = checked({ title: item.title, address: item.address, text: item.text });
        needsAddress(item.kind, content.address);
        return { item: toMessage(await items.create(email, item.kind, { ...content, shared: item.shared })) };
      }),

    updateItem: ({ item, updateMask }, context) =>
      gate.own(context, async ({ email }) => {
        if (item === undefined) throw new ConsoleError('BadInput', 'item is missing: give its id.');
        const paths = updateMask?.paths ?? [];
        const change: { -readonly [Field in keyof ItemContent]?: ItemContent[Field] } = {};
        if (paths.length === 0)
          throw new ConsoleError(
            'BadInput',
            'update_mask names no field: give title, address, text or shared.',
          );
        for (const path of paths) {
          if (path === 'title') change.title = checked({ title: item.title }).title;
          else if (path === 'address') change.address = checked({ address: item.address }).address;
          else if (path === 'text') change.text = checked({ text: item.text }).text;
          else if (path === 'shared') change.shared = item.shared;
          else
            throw new ConsoleError(
              'BadInput',
              `update_mask names ${path}: give title, address, text or shared.`,
            );
        }
        return { item: toMessage(await items.update(email, item.id, Number(item.revision), change)) };
      }),

    deleteItem: ({ id }, context) =>
      gate.own(context, async ({ email }) => {
        await items.remove(email, id);
        return {};
      }),

    watchItems: ({ kind }, context) =>
      gate.ownStream(context, async function* ({ email, signal }) {
        const wanted = kindOrAll(kind);
        let before: string | undefined;
        while (!signal.aborted) {
          const changed = nextChange(items, signal);
          const page = await items.list(email, { kind: wanted, size: largestPage, token: '' });
          const now = page.items.map(({ id, revision }) => `${id} ${revision}`).join();
          if (now !== before) yield { items: page.items.map(toMessage), more: page.nextPageToken !== '' };
          before = now;
          await changed;
        }
      }),
  };
}

/** Resolves at the next change made here, after a while in any case, and when the signal aborts. */
async function nextChange(items: WorkspaceItems, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const stop = items.onChange(() => done.abort());
  try {
    await sleep(lookEvery, undefined, { ref: false, signal: AbortSignal.any([signal, done.signal]) });
  } catch {
    // Woken, or told to end: its caller looks which.
  } finally {
    stop();
  }
}

const fields = z.object({ title, address, text });

/** Returns the fields as they may be kept. Throws `BadInput` naming the first that may not. */
function checked<Fields extends Partial<Pick<ItemContent, 'title' | 'address' | 'text'>>>(
  given: Fields,
): Fields {
  const read = fields.partial().safeParse(given);
  if (read.success) return { ...given, ...read.data };
  const [issue] = read.error.issues;
  throw new ConsoleError(
    'BadInput',
    `item.${String(issue?.path[0] ?? '')}: ${issue?.message ?? 'is not valid'}.`,
  );
}

function needsAddress(kind: ItemKind, at: string): void {
  if (kind !== ItemKind.NOTE && at === '')
    throw new ConsoleError('BadInput', 'item.address is missing: a view and a pin lead somewhere.');
}

function kindOrAll(kind: number): number {
  if (kind === 0 || kinds.includes(kind)) return kind;
  throw new ConsoleError('BadInput', 'kind must be VIEW, PIN or NOTE, or left out for all.');
}

const toMessage = (row: WorkspaceItemRow) => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  address: row.address,
  text: row.text,
  shared: row.shared === 1,
  owner: row.owner,
  revision: BigInt(row.revision),
  createdAt: timestampFromMs(row.created_at),
  updatedAt: timestampFromMs(row.updated_at),
});
