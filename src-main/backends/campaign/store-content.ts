import type { Kysely } from 'kysely';
import type { ContentRecords, StoredContent } from './parts.ts';
import type { CampaignTables } from './store-tables.ts';

/** Most pieces one list holds (campaign.v1.ContentService). */
const longestList = 500;

/** Returns the database records of content pieces; their bytes are in the sealed store. */
export function contentRecords(db: Kysely<CampaignTables>): ContentRecords {
  return {
    async add(content) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('campaign_content')
        .values({
          shelf: content.shelf,
          name: content.name,
          campaign_id: content.campaignId,
          owner: content.owner,
          content_type: content.contentType,
          size: content.size,
          created_at: content.createdAt,
          published_at: content.publishedAt ?? null,
          title: content.title,
          description: content.description,
          object: content.object,
        })
        .onConflict((conflict) => conflict.columns(['shelf', 'name']).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async find(shelf, name) {
      const row = await db
        .selectFrom('campaign_content')
        .selectAll()
        .where('shelf', '=', shelf)
        .where('name', '=', name)
        .executeTakeFirst();
      return row === undefined ? undefined : contentOf(row);
    },

    async list(owner, campaignId) {
      const rows = await db
        .selectFrom('campaign_content')
        .selectAll()
        .where('owner', '=', owner)
        .where('campaign_id', '=', campaignId)
        .orderBy('created_at', 'desc')
        .orderBy('name')
        .limit(longestList)
        .execute();
      return rows.map(contentOf);
    },

    async count(owner, campaignId) {
      const row = await db
        .selectFrom('campaign_content')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('owner', '=', owner)
        .where('campaign_id', '=', campaignId)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },

    async publish(owner, shelf, name, { title, description, at }) {
      const row = await db
        .updateTable('campaign_content')
        .set((set) => ({
          title,
          description,
          // An episode keeps its day when what the feed says of it is changed: players order and announce by it.
          published_at: set.fn.coalesce('published_at', set.val(at)),
        }))
        .where('owner', '=', owner)
        .where('shelf', '=', shelf)
        .where('name', '=', name)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : contentOf(row);
    },

    async published(limit) {
      const rows = await db
        .selectFrom('campaign_content')
        .selectAll()
        .where('published_at', 'is not', null)
        .orderBy('published_at', 'desc')
        .orderBy('name')
        .limit(limit)
        .execute();
      return rows.map(contentOf);
    },
  };
}

function contentOf(row: CampaignTables['campaign_content']): StoredContent {
  return {
    shelf: row.shelf,
    name: row.name,
    campaignId: row.campaign_id,
    owner: row.owner,
    contentType: row.content_type,
    size: Number(row.size),
    createdAt: Number(row.created_at),
    publishedAt: row.published_at === null ? undefined : Number(row.published_at),
    title: row.title,
    description: row.description,
    object: row.object,
  };
}
