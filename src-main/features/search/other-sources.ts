import type { Kysely } from 'kysely';
import { chatsNotSearched, type SearchGroup } from '#shared/api/search.ts';
import type { Symptom } from '#shared/api/symptoms.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import type { AgentTables } from '../agents/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { runList } from '../runs/index.ts';
import type { Sessions } from '../sign-in/index.ts';
import { isStudioApp } from '../studio/index.ts';
import type { Targets } from '../targets/index.ts';
import type { WorkspaceItems } from '../workspace/index.ts';
import {
  appEntry,
  auditEntry,
  commitEntries,
  pageEntries,
  runEntry,
  savedEntry,
  sessionEntry,
  symptomEntry,
  targetEntry,
} from './entries.ts';
import { type Entry, keepEntries } from './kept-entries.ts';

export type OtherSources = {
  readonly codeHost: CodeHost;
  readonly db: () => Kysely<AgentTables>;
  readonly targets: Pick<Targets, 'list'>;
  readonly catalogue: () => readonly Symptom[];
  readonly audit: Pick<AuditTrail, 'list'>;
  readonly sessions: Pick<Sessions, 'list'>;
  readonly workspace: Pick<WorkspaceItems, 'listAll'>;
  readonly isSessionAdmin: (email: string) => Promise<boolean>;
  readonly now: () => number;
};

/** The entries of the sources outside of clusters that one caller may read. */
export type Read = {
  readonly entries: ReadonlyMap<SearchGroup, readonly Entry[]>;
  readonly notSearched: readonly string[];
  readonly pending: boolean;
};

/** Audit records that are searched, the newest; the audit page searches all of them. */
const newestRecords = 2000;
/** Runs that are searched, the newest. */
const newestRuns = '1000';

/** Returns the entries of everything that is no object of a cluster, as far as the caller may read it. */
export function createOtherSources(sources: OtherSources): (email: string | undefined) => Promise<Read> {
  const { codeHost, db, targets, catalogue, audit, sessions, workspace, isSessionAdmin, now } = sources;
  const apps = keepEntries(async () => {
    const listed = await codeHost.repositories();
    if (!listed.ok) return { entries: [], notSearched: [`Apps: ${listed.reason}.`] };
    return { entries: listed.value.items.filter(isStudioApp).map(appEntry), notSearched: [] };
  });
  const readRuns = async () => {
    const { items, unmeasured } = await runList(
      { codeHost, db, now },
      { limit: Number(newestRuns), workflows: 'all' },
      // The Jobs of a cluster are among its objects.
      async () => ({ source: undefined, readAt: now(), runs: [], unmeasured: [] }),
    );
    return { items, unmeasured };
  };
  let newest: ReturnType<typeof readRuns> | undefined;
  const runs = keepEntries(async () => {
    newest = readRuns();
    const { items, unmeasured } = await newest;
    return {
      entries: items.map(runEntry),
      notSearched: unmeasured.map((reason) => `Runs and commits: ${reason}`),
    };
  });
  const commits = keepEntries(async () => {
    const { items } = await (newest ?? readRuns());
    return { entries: commitEntries(items), notSearched: [] };
  });
  const records = keepEntries(async () => {
    const { items } = await audit.list({}, { limit: newestRecords });
    const cut = items.length === newestRecords;
    return {
      entries: items.map(auditEntry),
      notSearched: cut
        ? [`Audit records: only the newest ${newestRecords}; the audit page searches all.`]
        : [],
    };
  });
  let symptoms: readonly Entry[] | undefined;

  return async (email) => {
    const mayAudit = email !== undefined && (await isSessionAdmin(email));
    const entries = new Map<SearchGroup, readonly Entry[]>([['pages', pageEntries]]);
    const notSearched: string[] = [];
    let pending = false;
    const readings: (readonly [SearchGroup, ReturnType<typeof apps>])[] = [
      ['apps', apps()],
      ['runs', runs()],
      ['commits', commits()],
      ...(mayAudit ? ([['audit', records()]] as const) : []),
    ];
    for (const [group, reading] of readings) {
      const read = await reading;
      if (read === undefined) {
        pending = true;
        notSearched.push(`Still being read: ${group}.`);
      } else {
        entries.set(group, read.entries);
        notSearched.push(...read.notSearched);
      }
    }
    if (!mayAudit) notSearched.push('Audit records: only session admins may read them.');
    notSearched.push(chatsNotSearched);
    entries.set('targets', (await targets.list()).map(targetEntry));
    if (email !== undefined) {
      entries.set('sessions', (await sessions.list(email)).map(sessionEntry));
      entries.set('saved', (await workspace.listAll(email)).flatMap(savedEntry));
    }
    symptoms ??= catalogue().map(symptomEntry);
    entries.set('symptoms', symptoms);
    return { entries, notSearched, pending };
  };
}
