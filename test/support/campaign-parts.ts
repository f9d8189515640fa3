import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCampaignConfig } from '../../src-main/backends/campaign/index.ts';
import type { Caller, CampaignConfig, CampaignParts } from '../../src-main/backends/campaign/parts.ts';
import { openCampaignStore } from '../../src-main/backends/campaign/store.ts';
import { silentLog } from '../../src-main/backends/serving/index.ts';

/** The campaign of `campaignParts`. */
export const partsCampaignId = 'c-1';

/**
 * The parts of a backend around its real stores, for a route or service with options the whole backend does not have. Every request is
 * `caller`'s, who has one campaign.
 */
export async function campaignParts(
  config: Partial<CampaignConfig> = {},
): Promise<{ parts: CampaignParts; caller: Caller; close(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'campaign-parts-'));
  const store = await openCampaignStore(':memory:');
  const identity = { email: 'mira@example.com', name: 'Mira' };
  const person = await store.auth.personOf({ issuer: 'https://test', subject: 'mira', ...identity });
  if (person === undefined) throw new Error('the person was not kept');
  const caller: Caller = { ...identity, userId: person.id, sessionId: 's-1' };
  await store.campaigns.add({
    id: partsCampaignId,
    owner: person.id,
    name: 'One',
    goal: '',
    state: 'draft',
    createdAt: 0,
    updatedAt: 0,
  });
  return {
    parts: {
      config: { ...readCampaignConfig({}), ...config },
      mediaLocation: { kind: 'folder', dir },
      addressKey: randomBytes(32),
      store,
      callerOf: async () => caller,
      now: Date.now,
      log: silentLog,
    },
    caller,
    async close() {
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
