import type { Clause, CodedCheck, Symptom } from '#shared/api/symptoms.ts';
import type { Checked, NotChecked } from '#shared/api/troubleshoot.ts';
import { clipped, wasRead, wasReadWhole } from '../../../cluster-model/index.ts';
import { codedChecks } from '../checks/index.ts';
import { conditionListings } from '../evidence/conditions.ts';
import type { BackendHealth } from '../evidence/health.ts';
import { kindOfListing, type ListingName, type Listings, listingNames } from '../evidence/listings.ts';
import type { Reading } from '../evidence/reading.ts';
import type { LogsRead } from '../logs/logs.ts';

export type Coverage = { readonly checked: Checked[]; readonly not_checked: NotChecked[] };

const planes: readonly ListingName[] = ['cockpits', 'campaigns', 'instances'];

/**
 * The inputs of a clause: listings by name, kinds that the console does not read, and inputs that are not
 * listings.
 */
type Needs = {
  readonly listings: readonly ListingName[];
  readonly unknown?: readonly string[];
  readonly health?: boolean;
  readonly logs?: boolean;
};

function needsOf(clause: Clause): Needs {
  if ('log' in clause || 'class' in clause || 'ending' in clause) return { listings: ['pods'], logs: true };
  if ('container' in clause || 'pod' in clause) return { listings: ['pods'] };
  if ('event' in clause) return { listings: ['events'] };
  if ('http' in clause) return { listings: [...planes, 'services'], health: true };
  if ('environment' in clause) return { listings: [...planes, 'deployments', 'configMaps', 'secrets'] };
  if ('certificate' in clause)
    return { listings: clause.certificate.of === 'tls' ? ['secrets'] : ['secrets', 'configMaps'] };
  if ('condition' in clause) {
    const listings = clause.condition.kind.map((kind) => ({ kind, listing: conditionListings[kind] }));
    return {
      listings: listings.flatMap(({ listing }) => listing ?? []),
      unknown: listings.flatMap(({ kind, listing }) => (listing === undefined ? [kind] : [])),
    };
  }
  const { reads, health = false } = codedChecks[clause.check];
  return { listings: reads, health };
}

/** Returns the coded checks that a catalogue uses. */
export function wantedChecks(catalogue: readonly Symptom[]): ReadonlySet<CodedCheck> {
  return new Set(
    catalogue.flatMap(({ look_for, unless }) =>
      [...look_for, ...unless].flatMap((clause) => ('check' in clause ? [clause.check] : [])),
    ),
  );
}

/**
 * Returns what was read and what was not, with the symptoms that could not be detected for it, by the inputs
 * of their clauses.
 */
export function coverageOf(reading: Reading, catalogue: readonly Symptom[], logs: LogsRead): Coverage {
  const { listings, health = [] } = reading;
  const withNeed = (needs: (need: Needs) => boolean): string[] =>
    catalogue.flatMap(({ id, look_for }) => (look_for.some((clause) => needs(needsOf(clause))) ? [id] : []));
  const answered = health.flatMap(({ answers = [] }) =>
    answers.filter(({ answer }) => answer.state !== 'not_read'),
  );
  const ofHealth = withNeed(({ health: isNeeded }) => isNeeded === true);
  return {
    checked: [
      ...listingNames.flatMap((name) =>
        listings[name].state === 'not_served' || !wasRead(listings[name])
          ? []
          : [{ what: plural(kindOfListing(name)), count: listings[name].items.length }],
      ),
      ...(answered.length > 0 ? [{ what: 'Answers of health endpoints', count: answered.length }] : []),
      { what: reading.source === 'bundle' ? 'Files of logs' : 'Logs', count: logs.count },
    ],
    not_checked: [
      ...listingNames.flatMap((name): NotChecked[] => {
        if (isLeftToOther(name, listings)) return [];
        const symptoms = withNeed(({ listings: needed }) => needed.includes(name));
        const reason = whyNot(name, listings);
        return reason === undefined ? [] : [{ what: plural(kindOfListing(name)), reason, symptoms }];
      }),
      ...unknownKinds(catalogue).map((kind) => ({
        what: plural(kind),
        reason: 'The console does not read this kind; only what events say of it was seen.',
        symptoms: withNeed(({ unknown = [] }) => unknown.includes(kind)),
      })),
      ...unanswered(health).map(({ what, reason }) => ({
        what,
        reason,
        symptoms: ofHealth,
      })),
      ...logs.gaps.map((reason) => ({
        what: 'Logs',
        reason,
        symptoms: withNeed((need) => need.logs === true),
        ...(logs.whole === undefined ? {} : { whole_of: [...logs.whole] }),
      })),
    ],
  };
}

/** Slices and Endpoints say the same: one of them is enough. */
function isLeftToOther(name: ListingName, listings: Listings): boolean {
  if (name === 'slices') return listings.endpoints.state === 'read';
  return name === 'endpoints' && wasReadWhole(listings.slices);
}

const mostSentences = 5;

/** Returns why a kind was not read, or not completely; undefined when it was. */
function whyNot(name: ListingName, listings: Listings): string | undefined {
  const { state, gaps, items } = listings[name];
  if (wasReadWhole({ state }))
    return name === 'events' && items.length === 0
      ? 'There is not one event. A cluster keeps them for about an hour, so it does not follow that nothing happened.'
      : undefined;
  const message = gaps.slice(0, mostSentences).join(' ');
  const more = gaps.length > mostSentences ? ` And ${gaps.length - mostSentences} more.` : '';
  return message === '' ? fallback[state] : message + more;
}

const fallback = {
  read: '',
  not_served: '',
  partly: 'Not all of it could be read.',
  not_collected: 'The bundle does not hold this kind.',
  forbidden: 'Reading it is not allowed.',
  unavailable: 'The cluster did not answer.',
} as const;

function unknownKinds(catalogue: readonly Symptom[]): string[] {
  return [
    ...new Set(
      catalogue.flatMap(({ look_for }) => look_for.flatMap((clause) => needsOf(clause).unknown ?? [])),
    ),
  ];
}

function unanswered(health: readonly BackendHealth[]): { readonly what: string; readonly reason: string }[] {
  return health.flatMap(({ backend: { row }, answers }) => {
    const what = `Health endpoints of ${row.kind} ${row.name} in ${row.namespace}`;
    if (answers === undefined) return [{ what, reason: 'No service leads to it.' }];
    const silent = answers.filter(({ answer }) => answer.state === 'not_read');
    return silent.length === 0
      ? []
      : [{ what, reason: clipped(silent.map(({ answer }) => answer.detail).join('; ')) }];
  });
}

function plural(kind: string): string {
  if (/(?:s|x|ch|sh)$/.test(kind)) return kind === 'Endpoints' ? kind : `${kind}es`;
  return `${kind}s`;
}
