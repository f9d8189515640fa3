import type { Symptom } from '#shared/api/symptoms.ts';
import type { DiagnosisProgress, Report } from '#shared/api/troubleshoot.ts';
import { createPace } from '../../base/pace.ts';
import { keyOf, wasRead } from '../../cluster-model/index.ts';
import {
  clusterReading,
  createHealthReader,
  nowOf,
  type OpenTarget,
  readManagers,
} from '../../sources/cluster/index.ts';
import { runCheck } from './checks/index.ts';
import { seenCertificates } from './evidence/certificates.ts';
import { seenConditions } from './evidence/conditions.ts';
import { seenEnvironments } from './evidence/environment.ts';
import { seenEvents } from './evidence/events.ts';
import { readBackendHealth, seenHealth } from './evidence/health.ts';
import { listEvents, listingNames, listObjects } from './evidence/listings.ts';
import { seenPods } from './evidence/pods.ts';
import { type Reading, readingOf } from './evidence/reading.ts';
import { missingReferences } from './evidence/references.ts';
import { coverageOf, wantedChecks } from './findings/coverage.ts';
import { findingsOf } from './findings/findings.ts';
import type { PodOf } from './findings/placeholders.ts';
import { createLogMemory, type LogMemory } from './logs/log-memory.ts';
import { logRules } from './logs/log-rules.ts';
import { type LogsRead, type LogsRequest, readLogs } from './logs/logs.ts';
import type { Seen } from './logs/seen.ts';
import { type Hit, matchAll } from './match/index.ts';
import { type Rules, rulesOf } from './rules.ts';

export type DiagnoseOptions = {
  readonly catalogue: readonly Symptom[];
  /** Epoch ms. */
  readonly now: () => number;
  /** Ends the diagnosis with what was found so far. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: DiagnosisProgress) => void;
  /** Memory of the cluster's logs; empty by default. */
  readonly memory?: LogMemory;
  /** Whether nobody asked for it: logs of containers that have not changed are then not read again. */
  readonly background?: boolean;
};

/** Shortest interval between progress reports about logs, in ms. */
const quietMs = 250;

/**
 * Diagnoses a cluster or a bundle. Whatever is quick to read comes first, and its findings are reported while
 * the rest is read. Never throws when the cluster fails: the report says what was not read.
 */
export async function diagnose(
  target: OpenTarget,
  { catalogue, now, signal, onProgress, memory = createLogMemory(), background = false }: DiagnoseOptions,
): Promise<Report> {
  const { cluster } = target;
  const begun = performance.now();
  const rules = rulesOf(catalogue);
  const wanted = wantedChecks(catalogue);
  const judgedAt = nowOf(cluster, now);
  const pace = createPace();
  const hitsOf = async (reading: Reading): Promise<Hit[]> => {
    const hits: Hit[] = [];
    const take = async (facts: readonly Seen[]): Promise<void> => {
      for (let from = 0; from < facts.length; from += factsAtATime) {
        hits.push(...matchAll(rules, facts.slice(from, from + factsAtATime)));
        await pace.breathe();
      }
    };
    for (const seen of evidence) await take(seen(reading));
    for (const check of wanted) await take(runCheck(reading, check));
    return hits;
  };
  const tell = (step: string, reading: Reading, hits: readonly Hit[]): void =>
    onProgress({ step, findings: findingsOf(hits, podsOf(reading)) });

  onProgress({ step: 'Reading objects' });
  const objects = await listObjects(cluster);
  const missing = await missingReferences(cluster, objects);
  const first = readingOf(cluster, objects, { now: judgedAt, missing });
  tell('Reading events', first, await hitsOf(first));

  const events = await listEvents(cluster);
  const second = await withDriftManagers(
    target,
    readingOf(cluster, objects, { now: judgedAt, missing, events }),
  );
  tell('Asking health endpoints', second, await hitsOf(second));

  const readHealth = createHealthReader(now);
  const health = signal.aborted
    ? []
    : await readBackendHealth(cluster, second.backends, objects, { readHealth, signal });
  const reading: Reading = { ...second, health };
  const seen = await hitsOf(reading);
  tell('Reading logs', reading, seen);

  const logs = await lookThroughLogs(target, reading, rules, {
    signal,
    onProgress,
    memory,
    anew: !background,
  });
  const listings = listingNames.map((name) => reading.listings[name]);
  const decisive = listings.filter((listing) => listing !== reading.listings.endpoints || wasRead(listing));
  return {
    findings: findingsOf([...seen, ...logs.hits], podsOf(reading)),
    ...coverageOf(reading, catalogue, logs),
    symptoms: catalogue.length,
    took_ms: performance.now() - begun,
    ...clusterReading(target, decisive, logs.gaps),
  };
}

/** Facts that are compared with every rule before others may run. */
const factsAtATime = 100;

/** Collectors of evidence, one for each kind. */
const evidence: readonly ((reading: Reading) => readonly Seen[])[] = [
  seenPods,
  seenEvents,
  seenConditions,
  seenCertificates,
  seenEnvironments,
  ({ health }) => seenHealth(health ?? []),
];

async function lookThroughLogs(
  { cluster }: OpenTarget,
  reading: Reading,
  rules: Rules,
  {
    signal,
    onProgress,
    ...memory
  }: Pick<DiagnoseOptions, 'signal' | 'onProgress'> & Pick<LogsRequest, 'memory' | 'anew'>,
): Promise<LogsRead> {
  if (signal.aborted) return { hits: [], count: 0, gaps: ['The diagnosis was ended before logs were read.'] };
  let reportedAt = 0;
  return readLogs({
    cluster,
    reading,
    rules: logRules(rules),
    signal,
    ...memory,
    onProgress(done, total) {
      if (performance.now() - reportedAt < quietMs) return;
      reportedAt = performance.now();
      onProgress({ step: 'Reading logs', done, ...(total === undefined ? {} : { total }) });
    },
  });
}

/** Adds which field manager set each field that the operator will revert; only the whole object says so. */
async function withDriftManagers({ cluster }: OpenTarget, reading: Reading): Promise<Reading> {
  const backends = await Promise.all(
    reading.backends.map(async (backend) => {
      const { row, deployment } = backend;
      if (deployment === undefined || row.drift.length === 0) return backend;
      return { ...backend, row: { ...row, drift: await readManagers(cluster, deployment, row.drift) } };
    }),
  );
  return { ...reading, backends };
}

/**
 * Returns, for a workload, its least healthy pod, which commands are best tried on, and the control plane or
 * instance it belongs to.
 */
function podsOf({ running, backends }: Reading): PodOf {
  return (owner) => {
    const resource = backends.find((backend) => keyOf(backend.owner) === keyOf(owner))?.resource;
    const own = running.podsOf.get(keyOf(owner)) ?? [];
    const judged =
      own.find(({ verdict }) => verdict.state === 'failing') ??
      own.find(({ verdict }) => verdict.state === 'degraded') ??
      own[0];
    return {
      pod: judged?.pod.metadata.name,
      container: judged?.pod.spec.containers[0]?.name,
      // As kubectl names a custom resource.
      plane: resource && `${resource.kind.toLowerCase()}/${resource.name}`,
    };
  };
}
