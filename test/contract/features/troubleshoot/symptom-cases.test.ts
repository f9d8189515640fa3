import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { patternsOf } from '../../../../src-main/features/troubleshoot/catalogue/check-symptoms.ts';
import { diagnose, readCatalogue } from '../../../../src-main/features/troubleshoot/index.ts';
import type { Clause, Symptom } from '../../../../src-shared/api/symptoms.ts';
import type { Finding } from '../../../../src-shared/api/troubleshoot.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { repoRoot } from '../../../support/repo-root.ts';
import { made, type Situation, situation } from './symptom-situations.ts';

// A case of every entry of the catalogue, and a near miss of each: objects, logs, events, answers and certificates that go
// through the whole engine. What is data stands in test/fixtures/symptoms.

const catalogue = readCatalogue();
const fixtures = join(repoRoot, 'test/fixtures/symptoms');
const parsed = (file: string): unknown => load(readFileSync(join(fixtures, file), 'utf8'));
const situations = z.record(
  z.string(),
  z.strictObject({ finds: z.array(situation).min(1), passes: z.array(situation).min(1) }),
);
const words = z.record(
  z.string(),
  z.strictObject({
    from: z.string().min(1),
    finds: z.array(z.string()).min(1),
    passes: z.array(z.string()).min(1),
  }),
);

type Case = { readonly id: string; readonly finds: boolean; readonly it: Situation };
type Told = { readonly finds: readonly Situation[]; readonly passes: readonly Situation[] };

const casesOf = (id: string, { finds, passes }: Told): Case[] => [
  ...finds.map((it): Case => ({ id, finds: true, it })),
  ...passes.map((it): Case => ({ id, finds: false, it })),
];

const fromFiles = readdirSync(fixtures)
  .filter((file) => file.startsWith('situations-'))
  .map((file) => ({
    file,
    cases: Object.entries(situations.parse(parsed(file))).flatMap(([id, told]) => casesOf(id, told)),
  }));

/** Lines as somebody's log who does not work; who wrote them stands at the head of the file. */
const fromLines = Object.entries({
  ...words.parse(parsed('log-lines-backends.yaml')),
  ...words.parse(parsed('log-lines-programs.yaml')),
}).flatMap(([id, { from, finds, passes }]) => {
  const part = clausesOf(id).flatMap((clause) => ('log' in clause ? (clause.log.part ?? []) : []))[0];
  const logged = (log: string): Situation => ({ from, log, ...(part && { part }) });
  return casesOf(id, { finds: finds.map(logged), passes: passes.map(logged) });
});

/** Messages in every state, event, condition or answer in which an entry looks for them. */
const fromMessages = Object.entries(words.parse(parsed('messages.yaml'))).flatMap(
  ([id, { from, finds, passes }]) =>
    clausesOf(id).flatMap((clause, _, clauses) => {
      const said = saidIn(clause, from);
      const pattern = patternOf(clause);
      if (said === undefined || pattern === undefined) return [];
      const own = finds.filter((message) => pattern.test(message));
      const heals = 'event' in clause && !clauses.some((other) => 'check' in other);
      return casesOf(id, {
        finds: own.flatMap(said),
        // The same words of a pod that is well now tell of the past.
        passes: [...passes.flatMap(said), ...(heals ? own.flatMap(said).flatMap(healed) : [])],
      });
    }),
);

function clausesOf(id: string): readonly Clause[] {
  return catalogue.find((entry) => entry.id === id)?.look_for ?? [];
}

function patternOf(clause: Clause): RegExp | undefined {
  const told = patternsOf(clause).find(({ field }) => field !== 'not_matches');
  return 'log' in clause || told === undefined ? undefined : new RegExp(told.source, 'iu');
}

/** The states that a message can stand in for a clause to see it; undefined for what has no message. */
function saidIn(clause: Clause, from: string): ((message: string) => Situation[]) | undefined {
  if ('container' in clause) {
    const { waiting, ended, exit_code, init } = clause.container;
    return (message) => [
      {
        from,
        pod:
          waiting === undefined
            ? {
                waiting: 'CrashLoopBackOff',
                ended: ended?.[0] ?? 'Error',
                exit: exit_code?.[0] ?? 128,
                said: message,
              }
            : { waiting: waiting[0] ?? '', message, ...(init === true ? { init } : {}) },
      },
    ];
  }
  if ('pod' in clause) {
    const { reason } = clause.pod;
    return (message) => [
      {
        from,
        pod:
          clause.pod.condition === undefined
            ? { phase: 'Failed', reason: reason?.[0] ?? '', status: message }
            : { unscheduled: { reason: 'Unschedulable', message } },
      },
    ];
  }
  if ('event' in clause) {
    const { reason, kind = ['Pod'] } = clause.event;
    return (message) =>
      kind.map((about) => ({
        from,
        ...(about === 'Pod' ? { pod: podThat(reason[0] ?? '') } : {}),
        event: { reason: reason[0] ?? '', message, kind: about },
      }));
  }
  if ('condition' in clause) {
    const { kind, type, status, reason } = clause.condition;
    return (message) =>
      kind.map((about) => ({
        from,
        condition: {
          kind: about,
          type,
          status: status[0] ?? '',
          message,
          ...(reason?.[0] === undefined ? {} : { reason: reason[0] }),
        },
      }));
  }
  if ('http' in clause) {
    const { path, check = 'any' } = clause.http;
    return (message) => [
      {
        from,
        backend: {
          part: path === '/health' ? 'campaign' : 'cockpit',
          answers: {
            [path]: [
              503,
              { status: 'not_ready', checks: [{ name: check, status: 'fail', detail: message }] },
            ],
          },
        },
      },
    ];
  }
  if ('environment' in clause) {
    const { part, name } = clause.environment;
    return (message) => [{ from, backend: { part: part[0] ?? 'cockpit', env: { [name]: message } } }];
  }
  return undefined;
}

/** How a pod stands while its component says so. */
function podThat(reason: string): NonNullable<Situation['pod']> {
  if (reason === 'FailedScheduling') return { unscheduled: { reason: 'Unschedulable' } };
  return /Mount|Attach|Sandbox/i.test(reason)
    ? { waiting: 'ContainerCreating', phase: 'Pending' }
    : { ready: false };
}

function healed(it: Situation): Situation[] {
  return it.pod === undefined ? [] : [{ ...it, pod: { ready: true } }];
}

/** What was found in each case: all of them stand in clusters of their own namespaces, some at a time. */
const atATime = 90;

async function found(all: readonly Case[]): Promise<ReadonlyMap<Case, readonly string[]>> {
  const told = new Map<Case, readonly string[]>();
  for (let from = 0; from < all.length; from += atATime) {
    const named = all.slice(from, from + atATime).map((one, index) => ({ one, name: `case-${index}` }));
    const parts = named.map(({ one, name }) => made(one.it, name));
    const { findings } = await diagnose(
      {
        id: 'cases',
        cluster: objectCluster(
          parts.flatMap(({ objects }) => objects),
          {
            logs: Object.assign({}, ...parts.map(({ logs }) => logs)),
            http: Object.assign({}, ...parts.map(({ http }) => http)),
          },
        ),
      },
      { catalogue, now: Date.now, signal: AbortSignal.timeout(60_000), onProgress: () => undefined },
    );
    const places = new Map<string, string[]>();
    for (const finding of findings)
      for (const place of placesOf(finding))
        places.set(place, [...(places.get(place) ?? []), finding.symptom, ...finding.explains]);
    for (const { one, name } of named) told.set(one, places.get(name) ?? []);
  }
  return told;
}

function placesOf({ objects, evidence }: Finding): Set<string> {
  return new Set(
    [...objects, ...evidence.flatMap(({ object }) => object ?? [])].map(
      ({ namespace, name }) => namespace ?? name,
    ),
  );
}

const shown = ({ id, it }: Case): string => `${id}: ${JSON.stringify(it)}`;

/** The cases that were not as they should be. */
async function wrong(all: readonly Case[]): Promise<{ missed: string[]; noise: string[] }> {
  const told = await found(all);
  const isTold = (one: Case): boolean => told.get(one)?.includes(one.id) === true;
  return {
    missed: all.filter((one) => one.finds && !isTold(one)).map(shown),
    noise: all.filter((one) => !one.finds && isTold(one)).map(shown),
  };
}

const none = { missed: [], noise: [] };

describe('a symptom is found where it is, and not where it nearly is', () => {
  for (const { file, cases: all } of fromFiles)
    it(`in the situations of ${file}`, async () => {
      expect(await wrong(all)).toEqual(none);
    });

  it('in lines of the log of a pod that does not work', async () => {
    expect(await wrong(fromLines)).toEqual(none);
  });

  it('in what components say in states, events, conditions and answers', async () => {
    expect(await wrong(fromMessages)).toEqual(none);
  });
});

describe('every entry of the catalogue', () => {
  const all = [...fromFiles.flatMap((file) => file.cases), ...fromLines, ...fromMessages];
  const shows: Readonly<Record<string, (it: Situation) => boolean>> = {
    log: ({ log }) => log !== undefined,
    // wordings.test.ts has the lines of each class, and error-logs.test.ts those of endings.
    class: () => true,
    ending: () => true,
    container: ({ pod }) => pod !== undefined,
    pod: ({ pod }) => pod !== undefined,
    event: ({ event }) => event !== undefined,
    http: ({ backend }) => backend?.answers !== undefined,
    environment: ({ backend }) => backend?.env !== undefined,
    certificate: ({ certificate, backend }) => certificate !== undefined || backend !== undefined,
    condition: ({ condition }) => condition !== undefined,
    // Each is tried by troubleshoot-checks.test.ts, which fails when one is not.
    check: () => true,
  };
  const kindsOf = ({ look_for }: Symptom): string[] => [
    ...new Set(look_for.map((clause) => Object.keys(clause)[0] ?? '')),
  ];

  it('has a case for each kind of evidence it looks for, and a near miss', () => {
    const lacking = catalogue.flatMap((entry) => {
      const own = all.filter(({ id }) => id === entry.id);
      const isChecked = kindsOf(entry).every((kind) => ['check', 'class', 'ending'].includes(kind));
      return [
        ...kindsOf(entry)
          .filter(
            (kind) =>
              !['check', 'class', 'ending'].includes(kind) &&
              !own.some(({ finds, it }) => finds && (shows[kind]?.(it) || it.objects)),
          )
          .map((kind) => `${entry.id}: no case with ${kind}`),
        ...(isChecked || own.some(({ finds }) => !finds) ? [] : [`${entry.id}: no near miss`]),
      ];
    });
    expect(lacking).toEqual([]);
  });

  it('is the entry that a case names', () => {
    const ids = new Set(catalogue.map(({ id }) => id));
    expect(all.filter(({ id }) => !ids.has(id)).map(({ id }) => id)).toEqual([]);
  });
});
