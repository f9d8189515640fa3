import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Kysely } from 'kysely';
import { ConsoleError } from '#shared/errors.ts';
import { compareText } from '#shared/text.ts';
import { exactText } from '../../store/index.ts';
import { checkDefinition, digestOf } from './check-definition.ts';
import type { PlaybookDefinition } from './definition.ts';
import { keepText } from './runs.ts';
import type { PlaybookRow, PlaybookTables } from './store.ts';

/** A playbook as it is now: as it ships, or as somebody saved it. */
export type Playbook = {
  readonly name: string;
  readonly text: string;
  readonly digest: string;
  /** Undefined for a text that an older console kept and this one cannot read. */
  readonly definition: PlaybookDefinition | undefined;
  readonly shipped: boolean;
  /** Undefined while nobody saved it. */
  readonly row: PlaybookRow | undefined;
};

/** Most playbooks that are saved. */
const mostSaved = 500;

/** The playbooks: those that ship (resources/playbooks), and those that people saved. */
export type Catalogue = {
  list(): Promise<Playbook[]>;
  /** Throws `NotFound`. */
  get(name: string): Promise<Playbook>;
  /** Keeps a definition. Throws `BadInput` with its first fault, `Conflict` for a revision that is not the newest. */
  save(change: {
    readonly text: string;
    readonly armed: boolean;
    readonly revision: number;
    readonly by: string;
  }): Promise<Playbook>;
  /** Forgets what was saved. Throws `NotFound`, `Conflict`. */
  remove(name: string, revision: number): Promise<void>;
};

/** `now` in epoch ms. */
export function createCatalogue(db: Kysely<PlaybookTables>, now: () => number): Catalogue {
  const saved = async (name?: string): Promise<Playbook[]> => {
    let query = db
      .selectFrom('playbooks')
      .innerJoin('playbook_texts', 'playbook_texts.digest', 'playbooks.digest')
      .selectAll('playbooks')
      .select('playbook_texts.text');
    if (name !== undefined) query = query.where('playbooks.name', '=', name);
    const shipped = shippedPlaybooks();
    return (await query.execute()).map(({ text, ...row }) => ({
      name: row.name,
      text,
      digest: row.digest,
      definition: definitionOf(text, row.digest),
      shipped: shipped.has(row.name),
      row,
    }));
  };
  const get = async (name: string): Promise<Playbook> => {
    const [found] = await saved(name);
    const playbook = found ?? shippedPlaybooks().get(name);
    if (playbook === undefined)
      throw new ConsoleError('NotFound', `There is no playbook "${name}": it may have been deleted.`);
    return playbook;
  };
  return {
    get,
    async list() {
      const all = new Map(shippedPlaybooks());
      for (const each of await saved()) all.set(each.name, each);
      return [...all.values()].sort((a, b) => compareText(titleOf(a), titleOf(b)));
    },

    async save({ text, armed, revision, by }) {
      const kept = exactText('text', text);
      const { definition, faults } = checkDefinition(kept);
      if (definition === undefined) {
        const [first] = faults;
        throw new ConsoleError(
          'BadInput',
          `text: line ${first?.line ?? 1}: ${first?.message ?? 'It cannot be run.'}`,
        );
      }
      const at = now();
      const { name } = definition;
      await db.transaction().execute(async (tx) => {
        const digest = await keepText(tx, kept, at);
        const row = { digest, armed: armed ? 1 : 0, updated_at: at, updated_by: by, scheduled_until: at };
        if (revision === 0) {
          const { numInsertedOrUpdatedRows: inserted } = await tx
            .insertInto('playbooks')
            .values({ name, revision: 1, ...row })
            .onConflict((conflict) => conflict.column('name').doNothing())
            .executeTakeFirstOrThrow();
          if (inserted !== 1n) throw changedMeanwhile(name);
          const { count } = await tx
            .selectFrom('playbooks')
            .select((eb) => eb.fn.countAll().as('count'))
            .executeTakeFirstOrThrow();
          if (Number(count) > mostSaved)
            throw new ConsoleError('TooManyRequests', `${mostSaved} playbooks are saved: delete one first.`);
          return;
        }
        const { numUpdatedRows } = await tx
          .updateTable('playbooks')
          .set({ ...row, revision: revision + 1 })
          .where('name', '=', name)
          .where('revision', '=', revision)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) throw changedMeanwhile(name);
      });
      return get(name);
    },

    async remove(name, revision) {
      const { numDeletedRows } = await db
        .deleteFrom('playbooks')
        .where('name', '=', name)
        .where('revision', '=', revision)
        .executeTakeFirst();
      if (numDeletedRows === 1n) return;
      const { row } = await get(name);
      if (row === undefined)
        throw new ConsoleError(
          'NotFound',
          `"${name}" came with the console and was not changed: there is nothing to delete.`,
        );
      throw changedMeanwhile(name);
    },
  };
}

const titleOf = ({ name, definition }: Playbook): string => definition?.title ?? name;

const changedMeanwhile = (name: string): ConsoleError =>
  new ConsoleError('Conflict', `Somebody else changed "${name}" meanwhile: reload it and try again.`);

/** Definitions of this process, by digest: reading one takes milliseconds. */
const read = new Map<string, PlaybookDefinition | undefined>();
const mostRead = 200;

/** Returns the definition of a text; undefined where it cannot be run. */
export function definitionOf(text: string, digest: string): PlaybookDefinition | undefined {
  if (!read.has(digest)) {
    const oldest = read.keys().next().value;
    if (read.size >= mostRead && oldest !== undefined) read.delete(oldest);
    read.set(digest, checkDefinition(text).definition);
  }
  return read.get(digest);
}

let kept: ReadonlyMap<string, Playbook> | undefined;

/** Reads the playbooks that come with the console, once. Throws when they are missing or one cannot be run. */
function shippedPlaybooks(): ReadonlyMap<string, Playbook> {
  kept ??= new Map(
    shippedFiles().map(({ file, text }) => {
      const { definition, faults } = checkDefinition(text);
      if (definition === undefined || `${definition.name}.yaml` !== file)
        throw new Error(
          `The playbook ${file} is not as it should be: ${faults.map(({ line, message }) => `line ${line}: ${message}`).join(' ')}`,
        );
      const { name } = definition;
      return [name, { name, text, digest: digestOf(text), definition, shipped: true, row: undefined }];
    }),
  );
  return kept;
}

/** Above this file in the source tree, in the build and in the packaged program alike. */
function shippedFiles(): { file: string; text: string }[] {
  for (let above = import.meta.dirname; ; above = dirname(above)) {
    const folder = join(above, 'resources', 'playbooks');
    if (existsSync(folder))
      return readdirSync(folder)
        .filter((file) => file.endsWith('.yaml'))
        .sort()
        .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
    if (dirname(above) === above)
      throw new Error('The playbooks that come with the console are missing: install it again.');
  }
}
