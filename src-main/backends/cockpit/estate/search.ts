import { sql } from 'kysely';
import type { Grounding } from '../model/grounding.ts';
import type { CockpitStore } from '../store.ts';
import { type DomainRecord, domainFromRow } from './records.ts';

export type Search = {
  /** Finds domains, the best first, 20 at most: by meaning, or by text while grounding is inactive. */
  find(query: string): Promise<{ readonly domains: DomainRecord[]; readonly byMeaning: boolean }>;
};

const most = 20;
/** Texts of one embedding request. */
const textsAtOnce = 64;

/**
 * Search over the domains (BCK-079). The index is filled when it is searched; it begins empty at every start,
 * because the model behind EMBEDDING_URL may be another one.
 */
export async function openSearch({ db }: CockpitStore, grounding: Grounding): Promise<Search> {
  await db.updateTable('domains').set({ embedding: null }).execute();

  /** False when something could not be embedded. */
  const fillIndex = async (): Promise<boolean> => {
    for (;;) {
      const rows = await db
        .selectFrom('domains')
        .select(['source', 'name', 'owner', 'depends_on'])
        .where('embedding', 'is', null)
        .limit(textsAtOnce)
        .execute();
      if (rows.length === 0) return true;
      const vectors = await grounding.vectors(rows.map((row) => textOf(domainFromRow(row))));
      if (vectors === undefined) return false;
      await db.transaction().execute(async (tx) => {
        for (const [index, { source, name }] of rows.entries()) {
          const vector = vectors[index];
          if (vector !== undefined)
            await tx
              .updateTable('domains')
              .set({ embedding: new Uint8Array(vector.buffer) })
              .where('source', '=', source)
              .where('name', '=', name)
              .execute();
        }
      });
    }
  };

  const byMeaning = async (query: string): Promise<DomainRecord[] | undefined> => {
    if (grounding.state().state !== 'active' || !(await fillIndex())) return undefined;
    const [wanted] = (await grounding.vectors([query])) ?? [];
    if (wanted === undefined) return undefined;
    const rows = await db.selectFrom('domains').selectAll().where('embedding', 'is not', null).execute();
    return rows
      .map((row) => ({ row, likeness: likeness(wanted, row.embedding) }))
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, most)
      .map(({ row }) => domainFromRow(row));
  };

  const byText = async (query: string): Promise<DomainRecord[]> => {
    const pattern = `%${query.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    const rows = await db
      .selectFrom('domains')
      .select(['source', 'name', 'owner', 'depends_on'])
      .where(sql<boolean>`lower(name || ' ' || owner || ' ' || depends_on) like ${pattern} escape '\\'`)
      // Those whose own name matches come first.
      .orderBy(sql`lower(name) like ${pattern} escape '\\'`, 'desc')
      .orderBy('name')
      .limit(most)
      .execute();
    return rows.map(domainFromRow);
  };

  return {
    async find(query) {
      const found = await byMeaning(query);
      return found === undefined
        ? { domains: await byText(query), byMeaning: false }
        : { domains: found, byMeaning: true };
    },
  };
}

function textOf({ name, owner, dependsOn }: DomainRecord): string {
  return [
    name,
    ...(owner === '' ? [] : [`owned by ${owner}`]),
    ...(dependsOn.length === 0 ? [] : [`depends on ${dependsOn.join(', ')}`]),
  ].join(', ');
}

/** Cosine of two vectors that are one long; the stored one may begin anywhere in its buffer. */
function likeness(wanted: Float32Array, stored: Uint8Array | null): number {
  if (stored === null) return 0;
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  return wanted.reduce((sum, each, index) => sum + each * view.getFloat32(index * 4, true), 0);
}
