import type { Kysely } from 'kysely';
import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { storeReading } from '#shared/api/reading.ts';
import { ConsoleError } from '#shared/errors.ts';
import { countEdges, type DataLineageTables } from '../data-lineage/index.ts';
import { domainsOf } from './domains.ts';
import { countFindings, keepFindings, readFindings } from './findings.ts';
import type { DataGovernanceTables, FindingRow } from './store.ts';

/** A connection without any value: the names of its settings and credentials. */
export type ConnectionStructure = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly tenant: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly credentials: readonly { readonly key: string; readonly set: boolean }[];
};

/** Findings of one answer. */
const mostShown = 2_000;

export type DataGovernanceParts = {
  readonly db: () => Kysely<DataGovernanceTables & DataLineageTables>;
  readonly connections: () => Promise<readonly ConnectionStructure[]>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The findings of the data-governance agent, and what that agent may read. */
export function dataGovernanceHandlers({
  db,
  connections,
  now,
}: DataGovernanceParts): Handlers<Extract<RouteId, `dataGovernance.${string}`>> {
  const reading = (unmeasured: string[] = []) => storeReading(now(), unmeasured);
  return {
    'dataGovernance.domains': async () => ({ items: domainsOf(await connections()), ...reading() }),

    'dataGovernance.findings': async ({ query }) => {
      const rows = await readFindings(db(), query.state, mostShown + 1);
      const more = rows.length > mostShown;
      return {
        items: rows.slice(0, mostShown).map(findingOf),
        ...reading(more ? [`Only the first ${mostShown.toLocaleString('en')} findings are shown.`] : []),
      };
    },

    'dataGovernance.report': async ({ body }, { caller }) => {
      if (caller.agent === undefined)
        throw new ConsoleError('NotSignedIn', 'This report names no App: send an installation token.');
      return { accepted: await keepFindings(db(), caller.agent.app, body.findings, now()) };
    },

    'dataGovernance.estate': async () => {
      const [kept, lineage, findings] = await Promise.all([
        connections(),
        countEdges(db()),
        countFindings(db()),
      ]);
      const tenants = Map.groupBy(kept, ({ tenant }) => tenant);
      return {
        connections: kept.map(({ id, name, type, tenant, settings, credentials }) => ({
          id,
          name,
          type,
          tenant,
          settings: Object.keys(settings).sort(),
          credentials: credentials.map(({ key }) => key),
          credentials_set: credentials.filter(({ set }) => set).length,
        })),
        tenants: [...tenants].map(([name, own]) => ({ name, connections: own.length })),
        lineage,
        findings,
        ...reading(),
      };
    },
  };
}

const findingOf = (row: FindingRow) => ({
  id: row.finding,
  title: row.title,
  severity: row.severity,
  subject: row.subject,
  ...(row.rule === null ? {} : { rule: row.rule }),
  ...(row.detail === null ? {} : { detail: row.detail }),
  found_at: new Date(row.found_at).toISOString(),
  ...(row.resolved_at === null ? {} : { resolved_at: new Date(row.resolved_at).toISOString() }),
  app: row.app,
  reported_at: new Date(row.received_at).toISOString(),
});
