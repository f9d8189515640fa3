import { type Kysely, sql } from 'kysely';
import type { Migrations } from '../../store/index.ts';
import type { ContentShelf, StoredCampaignState } from './parts.ts';

/** The tables of the campaign backend. Times are milliseconds since 1970. */
export type CampaignTables = {
  campaign_people: {
    id: string;
    /** In lower case. */
    email: string;
    name: string;
    /** The identity provider's issuer and `sub`, by which it knows the person; null until the first sign-in with it. */
    issuer: string | null;
    subject: string | null;
    /** Null for everybody but the person of the password sign-in. */
    password_hash: string | null;
  };
  campaign_sessions: {
    id: string;
    person_id: string;
    /** SHA-256 of the one refresh token that is good. */
    refresh_hash: string;
    /** Number of times the session was refreshed. */
    generation: number;
    created_at: number;
    refreshed_at: number;
    expires_at: number;
  };
  campaigns: {
    id: string;
    owner: string;
    name: string;
    goal: string;
    state: StoredCampaignState;
    created_at: number;
    updated_at: number;
  };
  campaign_content: {
    shelf: ContentShelf;
    name: string;
    campaign_id: string;
    owner: string;
    content_type: string;
    size: number;
    created_at: number;
    published_at: number | null;
    title: string;
    description: string;
    object: string;
  };
  campaign_leads: {
    id: string;
    campaign_id: string;
    owner: string;
    name: string;
    email: string;
    phone: string;
    created_at: number;
  };
  campaign_messages: {
    id: string;
    lead_id: string | null;
    direction: 'inbound' | 'outbound';
    text: string;
    at: number;
  };
};

export const campaignMigrations: Migrations = {
  '2026-11-21-campaign-people': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('campaign_people')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('email', 'text', (c) => c.notNull().unique())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('issuer', 'text')
        .addColumn('subject', 'text')
        .addColumn('password_hash', 'text')
        .addUniqueConstraint('campaign_people_subject', ['issuer', 'subject'])
        .execute();
      await db.schema
        .createTable('campaign_sessions')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('person_id', 'text', (c) => c.notNull().references('campaign_people.id'))
        .addColumn('refresh_hash', 'text', (c) => c.notNull())
        .addColumn('generation', 'integer', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('refreshed_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .execute();
      await index(db, 'campaign_sessions', 'person_id', 'created_at');
      await index(db, 'campaign_sessions', 'expires_at');
    },
  },
  '2026-11-21-campaigns': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('campaigns')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('owner', 'text', (c) => c.notNull().references('campaign_people.id'))
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('goal', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('updated_at', 'bigint', (c) => c.notNull())
        .execute();
      await index(db, 'campaigns', 'owner', 'updated_at', 'id');
      await db.schema
        .createTable('campaign_content')
        .addColumn('shelf', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('campaign_id', 'text', (c) => c.notNull().references('campaigns.id'))
        .addColumn('owner', 'text', (c) => c.notNull())
        .addColumn('content_type', 'text', (c) => c.notNull())
        .addColumn('size', 'bigint', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('published_at', 'bigint')
        .addColumn('title', 'text', (c) => c.notNull())
        .addColumn('description', 'text', (c) => c.notNull())
        .addColumn('object', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('campaign_content_key', ['shelf', 'name'])
        .execute();
      await index(db, 'campaign_content', 'campaign_id', 'created_at');
      await index(db, 'campaign_content', 'published_at');
    },
  },
  '2026-11-21-leads': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('campaign_leads')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('campaign_id', 'text', (c) => c.notNull().references('campaigns.id'))
        .addColumn('owner', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('phone', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      // Many leads have no address, or no number: only those that have one differ in it.
      for (const column of ['email', 'phone'])
        await db.schema
          .createIndex(`campaign_leads_one_${column}`)
          .unique()
          .on('campaign_leads')
          .columns(['campaign_id', column])
          .where(sql<boolean>`${sql.ref(column)} <> ''`)
          .execute();
      await index(db, 'campaign_leads', 'campaign_id', 'created_at');
      await index(db, 'campaign_leads', 'phone', 'created_at');
      await db.schema
        .createTable('campaign_messages')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('lead_id', 'text', (c) => c.references('campaign_leads.id'))
        .addColumn('direction', 'text', (c) => c.notNull())
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .execute();
      await index(db, 'campaign_messages', 'lead_id', 'at');
    },
  },
};

async function index(db: Kysely<unknown>, table: string, ...columns: string[]): Promise<void> {
  await db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns(columns)
    .execute();
}
