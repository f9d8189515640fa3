import type { Kysely } from 'kysely';
import type { LeadRecords, MessageRecords, StoredLead } from './parts.ts';
import type { CampaignTables } from './store-tables.ts';

/** Most leads and most messages one list holds (campaign.v1.LeadsService). */
const longestList = 1000;

/** The leads of the store. Every query but `newestWithPhone` names the owner. */
export function leadRecords(db: Kysely<CampaignTables>): LeadRecords {
  return {
    async add({ campaignId, createdAt, ...lead }) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('campaign_leads')
        .values({ ...lead, campaign_id: campaignId, created_at: createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async find(owner, id) {
      const row = await db
        .selectFrom('campaign_leads')
        .selectAll()
        .where('owner', '=', owner)
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? undefined : leadOf(row);
    },

    async list(owner, campaignId) {
      const rows = await db
        .selectFrom('campaign_leads')
        .selectAll()
        .where('owner', '=', owner)
        .where('campaign_id', '=', campaignId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(longestList)
        .execute();
      return rows.map(leadOf);
    },

    async count(owner, campaignId) {
      const row = await db
        .selectFrom('campaign_leads')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('owner', '=', owner)
        .where('campaign_id', '=', campaignId)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },

    async newestWithPhone(phone) {
      if (phone === '') return undefined;
      const row = await db
        .selectFrom('campaign_leads')
        .selectAll()
        .where('phone', '=', phone)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : leadOf(row);
    },
  };
}

/** The messages of the store, with leads or without. */
export function messageRecords(db: Kysely<CampaignTables>): MessageRecords {
  return {
    async add({ leadId, ...message }) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('campaign_messages')
        .values({ ...message, lead_id: leadId ?? null })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async list(leadId) {
      const newest = await db
        .selectFrom('campaign_messages')
        .selectAll()
        .where('lead_id', '=', leadId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(longestList)
        .execute();
      return newest.reverse().map(({ id, lead_id, direction, text, at }) => ({
        id,
        leadId: lead_id ?? undefined,
        direction,
        text,
        at: Number(at),
      }));
    },
  };
}

function leadOf({ campaign_id, created_at, ...row }: CampaignTables['campaign_leads']): StoredLead {
  return { ...row, campaignId: campaign_id, createdAt: Number(created_at) };
}
