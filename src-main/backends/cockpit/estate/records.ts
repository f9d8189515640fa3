import { z } from 'zod';
import type { CockpitStore } from '../store.ts';
import type { SourceContent } from './source-document.ts';

export type SourceRecord = {
  readonly name: string;
  readonly url: string;
  /** Epoch ms of the newest fetch that ended well. */
  readonly fetchedAt: number | undefined;
};
export type DomainRecord = {
  readonly source: string;
  readonly name: string;
  readonly owner: string;
  readonly dependsOn: string[];
};

export type EstateRecords = ReturnType<typeof estateRecords>;

/** Most data sources of a tenant. */
export const mostSources = 200;
const names = z.array(z.string());
/** Rows of one statement, below SQLite's limit of variables. */
const rowsAtOnce = 500;

/** Sources with what the newest fetch of each found. */
export function estateRecords({ db }: CockpitStore) {
  return {
    async sources(): Promise<SourceRecord[]> {
      const rows = await db.selectFrom('sources').selectAll().orderBy('name').execute();
      return rows.map(sourceFromRow);
    },

    async source(name: string): Promise<SourceRecord | undefined> {
      const row = await db.selectFrom('sources').selectAll().where('name', '=', name).executeTakeFirst();
      return row === undefined ? undefined : sourceFromRow(row);
    },

    /** Says why it was not added, if it was not. */
    async connect(name: string, url: string): Promise<'taken' | 'full' | undefined> {
      return db.transaction().execute(async (tx) => {
        const known = await tx.selectFrom('sources').select('name').execute();
        if (known.some((row) => row.name === name)) return 'taken';
        if (known.length >= mostSources) return 'full';
        await tx.insertInto('sources').values({ name, url, fetched_at: null }).execute();
        return undefined;
      });
    },

    /** Puts what a fetch found in the place of what the one before found. */
    async replace(source: string, { domains, findings }: SourceContent, fetchedAt: number): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('domains').where('source', '=', source).execute();
        await tx.deleteFrom('findings').where('source', '=', source).execute();
        for (const part of inParts(domains))
          await tx
            .insertInto('domains')
            .values(
              part.map(({ name, owner, dependsOn }) => ({
                source,
                name,
                owner,
                depends_on: JSON.stringify(dependsOn),
                embedding: null,
              })),
            )
            .execute();
        for (const part of inParts(findings))
          await tx
            .insertInto('findings')
            .values(part.map(({ domain, text }) => ({ source, domain, text })))
            .execute();
        await tx.updateTable('sources').set({ fetched_at: fetchedAt }).where('name', '=', source).execute();
      });
    },

    async domains(): Promise<DomainRecord[]> {
      const rows = await db
        .selectFrom('domains')
        .select(['source', 'name', 'owner', 'depends_on'])
        .orderBy('name')
        .orderBy('source')
        .execute();
      return rows.map(domainFromRow);
    },

    async findings(): Promise<{ domain: string; text: string }[]> {
      return db.selectFrom('findings').select(['domain', 'text']).orderBy('domain').orderBy('text').execute();
    },
  };
}

export function domainFromRow(row: {
  readonly source: string;
  readonly name: string;
  readonly owner: string;
  readonly depends_on: string;
}): DomainRecord {
  const { source, name, owner, depends_on } = row;
  return { source, name, owner, dependsOn: names.parse(JSON.parse(depends_on)) };
}

function sourceFromRow(row: {
  readonly name: string;
  readonly url: string;
  readonly fetched_at: number | null;
}): SourceRecord {
  return { name: row.name, url: row.url, fetchedAt: row.fetched_at ?? undefined };
}

function* inParts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += rowsAtOnce) yield items.slice(at, at + rowsAtOnce);
}
