import { resolve } from 'node:path';
import { openStore, StoreError, type StoreLabels, type StoreLocation } from '../../store/index.ts';
import { StartupRefused } from '../serving/index.ts';
import { authRecords } from './auth-records.ts';
import { campaignRecords } from './campaigns-records.ts';
import { leadRecords, messageRecords } from './leads-records.ts';
import { contentRecords } from './store-content.ts';
import { type CampaignTables, campaignMigrations } from './store-tables.ts';

/** The open store of the campaign backend: one set of queries on either database. */
export type CampaignStore = Awaited<ReturnType<typeof openCampaignStore>>;

const labels: StoreLabels = {
  program: 'campaign backend',
  database: 'CAMPAIGN_STORE',
  file: 'CAMPAIGN_STORE',
};

/**
 * Opens the store that `CAMPAIGN_STORE` names (a SQLite file, `:memory:`, or `postgres://…`) and brings its tables up to date. Throws
 * `StartupRefused`, and changes nothing, when it cannot be used.
 */
export async function openCampaignStore(named: string) {
  const location: StoreLocation = isDatabaseServer(named)
    ? { kind: 'postgres', url: named }
    : // The backend's data folder is the platform's to protect; what is sealed here are the media.
      { kind: 'sqlite', file: named === ':memory:' ? named : resolve(named), encryption: 'none' };
  const store = await openStore<CampaignTables>({ location, migrations: campaignMigrations, labels }).catch(
    (error: unknown) => {
      throw error instanceof StoreError ? new StartupRefused(error.message) : error;
    },
  );
  const { db } = store;
  return {
    auth: authRecords(db),
    campaigns: campaignRecords(db),
    content: contentRecords(db),
    leads: leadRecords(db),
    messages: messageRecords(db),
    close: () => store.close(),
  };
}

/** Returns whether `CAMPAIGN_STORE` names a database that several backends may share, not a file. */
export function isDatabaseServer(named: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(named);
}
