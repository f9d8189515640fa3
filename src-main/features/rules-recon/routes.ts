import type { Kysely } from 'kysely';
import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import type { Reading } from '#shared/api/reading.ts';
import type { DeclaredRule, RuleState } from '#shared/api/rules-recon.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import { type PlatformFile, readPlatformFiles } from '../code-host/index.ts';
import { keepObservations, readObservations, readTenants } from './observations.ts';
import { type FileRule, readRulesFile } from './rules-file.ts';
import type { RulesReconTables } from './store.ts';

/** Path of the business rules in every repository. */
const path = '.platform/rules.yaml';

/** Rules of one answer. */
const mostRules = 2_000;

/** A connection by its structure. */
export type ReconConnection = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly tenant: string;
};

export type RulesReconParts = {
  readonly db: () => Kysely<RulesReconTables>;
  readonly codeHost: CodeHost;
  readonly connections: () => Promise<readonly ReconConnection[]>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

type Declared = {
  readonly rules: readonly DeclaredRule[];
  readonly errors: readonly { repo: string; url: string; line: number; message: string }[];
  readonly reading: Reading;
};

/** Business rules as repositories declare them, and what the reconciliation agent observed. */
export function rulesReconHandlers({
  db,
  codeHost,
  connections,
  now,
}: RulesReconParts): Handlers<Extract<RouteId, `rulesRecon.${string}`>> {
  const declared = async (): Promise<Declared> => {
    const { files, reading } = await readPlatformFiles(codeHost, now, { path, what: 'Business rules' });
    return { ...rulesOf(files), reading };
  };
  return {
    'rulesRecon.read': async ({ query: { tenant } }) => {
      const isAsked = (each: { readonly tenant: string }) => tenant === undefined || each.tenant === tenant;
      const [{ rules, errors, reading }, rows, observedTenants] = await Promise.all([
        declared(),
        readObservations(db(), tenant, mostRules + 1),
        readTenants(db()),
      ]);
      // CEL is loaded with the first answer.
      const { observationHolds, reconcile } = await import('./reconcile.ts');
      const asked = rules.filter(isAsked);
      const cut = asked.length > mostRules || rows.length > mostRules;
      const items = await reconcile(asked.slice(0, mostRules), rows.slice(0, mostRules), now());
      const count = (state: RuleState) => items.filter((each) => each.state === state).length;
      const more = cut ? [`Only ${mostRules.toLocaleString('en')} rules and observations are compared.`] : [];
      return {
        items,
        states: {
          broken: count('broken'),
          undeclared: count('undeclared'),
          unmeasured: count('unmeasured'),
          holds: count('holds'),
        },
        counted: `Rules that ${path} of repositories declare, and rules observed: each by its newest observation, at most ${observationHolds} days old, with the declared condition asked of its facts.`,
        tenants: [...new Set([...rules.map((rule) => rule.tenant), ...observedTenants])].sort(),
        errors: [...errors],
        ...reading,
        complete: reading.complete && !cut,
        unmeasured: [...reading.unmeasured, ...more],
      };
    },

    'rulesRecon.inputs': async ({ query: { tenant } }) => {
      const isAsked = (each: { readonly tenant: string }) => tenant === undefined || each.tenant === tenant;
      const [{ rules, reading }, all] = await Promise.all([declared(), connections()]);
      return {
        rules: rules.filter(isAsked),
        connections: all
          .filter(isAsked)
          .map(({ id, name, type, tenant: of }) => ({ id, name, type, tenant: of })),
        ...reading,
      };
    },

    'rulesRecon.report': async ({ body }) => ({
      accepted: await keepObservations(db(), body.run_id, body.observations),
    }),
  };
}

/** The rules of all files; of one that two repositories declare, that of the repository first by name. */
function rulesOf(files: readonly PlatformFile[]): Pick<Declared, 'errors' | 'rules'> {
  const rules = new Map<string, DeclaredRule>();
  const errors: Declared['errors'][number][] = [];
  for (const { repo, url, text } of files.toSorted((a, b) => (a.repo < b.repo ? -1 : 1))) {
    if (text === undefined) continue;
    const read = readRulesFile(text);
    errors.push(...read.errors.map(({ line, message }) => ({ repo, url, line, message })));
    for (const rule of read.rules) {
      const known = rules.get(keyOf(rule));
      if (known === undefined) rules.set(keyOf(rule), { ...rule, repo, url });
      else
        errors.push({
          repo,
          url,
          line: rule.line,
          message: `Rule "${rule.id}" of ${rule.tenant} is declared in ${known.repo}, too: that one counts.`,
        });
    }
  }
  return { rules: [...rules.values()], errors };
}

const keyOf = ({ tenant, id }: FileRule): string => JSON.stringify([tenant, id]);
