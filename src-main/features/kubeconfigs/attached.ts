import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../../base/private-file.ts';

const attachment = z.object({
  id: z.string(),
  kind: z.enum(['path', 'kept']),
  path: z.string(),
  at: z.number(),
  by: z.string().optional(),
});

/** A kubeconfig that was attached in the window. `path`: the person's file, or the one kept in the data folder. `at` in epoch ms. */
export type Attachment = z.infer<typeof attachment>;

/** The kubeconfigs attached to a console, in the order they were. */
export type Attachments = {
  list(): readonly Attachment[];
  /** Writes content to a file of the console's own, readable by nobody else; it is attached by `add` only. */
  draft(content: string): { readonly id: string; readonly path: string };
  /** Removes a draft that is not attached. */
  discard(id: string): void;
  add(attachment: Attachment): void;
  /** Returns what was attached under this id, or undefined. */
  remove(id: string): Attachment | undefined;
};

/**
 * Keeps attached kubeconfigs in a folder: a list, and the content that was given. Such a file is protected as
 * `~/.kube/config` is: readable by its owner alone.
 */
export function createAttachments(folder: string): Attachments {
  const list = join(folder, 'attached.json');
  const found = readList(list);
  let items = found ?? [];
  const keep = (next: readonly Attachment[]): void => {
    writePrivateFile(list, next);
    items = next;
  };
  const draftOf = (id: string): string => join(folder, `${id}.yaml`);
  if (found !== undefined) removeDrafts(folder, items);
  return {
    list: () => items,
    draft(content) {
      const id = randomBytes(8).toString('hex');
      writePrivateFile(draftOf(id), content);
      return { id, path: draftOf(id) };
    },
    discard: (id) => rmSync(draftOf(id), { force: true }),
    add: (added) => keep([...items, added]),
    remove(id) {
      const found = items.find((item) => item.id === id);
      if (found === undefined) return undefined;
      keep(items.filter((item) => item !== found));
      if (found.kind === 'kept') rmSync(draftOf(id), { force: true });
      return found;
    },
  };
}

/** Undefined for a list that cannot be read: what it names is left alone, to be attached again. */
function readList(file: string): readonly Attachment[] | undefined {
  if (!existsSync(file)) return [];
  try {
    return z.array(attachment).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Removes what a console that ended while it tried one left behind. */
function removeDrafts(folder: string, items: readonly Attachment[]): void {
  if (!existsSync(folder)) return;
  const kept = new Set(items.map(({ id }) => `${id}.yaml`));
  for (const name of readdirSync(folder)) {
    if (/^[0-9a-f]{16}\.yaml$/.test(name) && !kept.has(name)) rmSync(join(folder, name), { force: true });
  }
}
