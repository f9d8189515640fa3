import type { Kysely } from 'kysely';
import type { CampaignRecords, StoredCampaign } from './parts.ts';
import type { CampaignTables } from './store-tables.ts';

/** The campaigns of the store. Every query names the owner. */
export function campaignRecords(db: Kysely<CampaignTables>): CampaignRecords {
  return {
    async add({ createdAt, updatedAt, ...campaign }) {
      await db
        .insertInto('campaigns')
        .values({ ...campaign, created_at: createdAt, updated_at: updatedAt })
        .execute();
    },

    async find(owner, id) {
      const row = await db
        .selectFrom('campaigns')
        .selectAll()
        .where('owner', '=', owner)
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? undefined : campaignOf(row);
    },

    async list(owner, { limit, after }) {
      let query = db.selectFrom('campaigns').selectAll().where('owner', '=', owner);
      if (after !== undefined)
        query = query.where((where) =>
          where.or([
            where('updated_at', '<', after.updatedAt),
            where.and([where('updated_at', '=', after.updatedAt), where('id', '<', after.id)]),
          ]),
        );
      const rows = await query.orderBy('updated_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(campaignOf);
    },

    async count(owner) {
      const row = await db
        .selectFrom('campaigns')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('owner', '=', owner)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },

    async move(owner, id, from, to, at) {
      const row = await db
        .updateTable('campaigns')
        .set({ state: to, updated_at: at })
        .where('owner', '=', owner)
        .where('id', '=', id)
        .where('state', '=', from)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : campaignOf(row);
    },
  };
}

function campaignOf({ created_at, updated_at, ...row }: CampaignTables['campaigns']): StoredCampaign {
  return { ...row, createdAt: Number(created_at), updatedAt: Number(updated_at) };
}
