import type { Symptom } from '#shared/api/symptoms.ts';
import type { DiagnosisProgress, Report } from '#shared/api/troubleshoot.ts';
import type { Steps } from '#shared/steps.ts';
import { paced } from '../../base/pace.ts';
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
import { judgedObjects } from './evidence/judged-objects.ts';
import { listEvents, listingNames, listObjects } from './evidence/listings.ts';
import { seenPods } from './evidence/pods.ts';
import { type Reading, readingOf } from './evidence/reading.ts';
import { missingReferences } from './evidence/references.ts';
import { coverageOf, wantedChecks } from './findings/coverage.ts';
import { findingsInSteps } from './findings/findings.ts';
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
  /** Reads the logs in another way than by the cluster. */
  readonly logs?: (reading: Reading) => LogsRead;
};

/** Shortest interval between progress reports about logs, in ms. */
const quietMs = 250;

/**
 * Diagnoses a cluster or a bundle. Whatever is quick to read comes first, and its findings are reported while
 * the rest is read. Never throws when the cluster fails: the report says what was not read.
 */
export async function diagnose(target: OpenTarget, options: DiagnoseOptions): Promise<Report> {
  const { catalogue, now, signal, onProgress, memory = createLogMemory(), background = false } = options;
  const { cluster } = target;
  const begun = performance.now();
  const rules = rulesOf(catalogue);
  const wanted = wantedChecks(catalogue);
  const judgedAt = nowOf(cluster, now);
  function* hitsOf(reading: Reading): Steps<Hit[]> {
    const hits: Hit[][] = [];
    for (const seen of evidence) hits.push(yield* matchAll(rules, seen(reading)));
    for (const check of wanted) {
      yield;
      hits.push(yield* matchAll(rules, runCheck(reading, check)));
    }
    return hits.flat();
  }
  const tell = async (step: string, reading: Reading, hits: readonly Hit[]): Promise<void> =>
    onProgress({
      step,
      findings: await paced(
        findingsInSteps(hits, {
          podOf: podsOf(reading),
          judgedOf: await paced(judgedObjects(cluster, reading)),
          most: mostReported,
        }),
      ),
    });

  onProgress({ step: 'Reading objects' });
  const objects = await listObjects(cluster);
  const missing = await missingReferences(cluster, objects);
  const first = await paced(readingOf(cluster, objects, { now: judgedAt, missing }));
  await tell('Reading events', first, await paced(hitsOf(first)));

  const events = await listEvents(cluster);
  const second = await withDriftManagers(
    target,
    await paced(readingOf(cluster, objects, { now: judgedAt, missing, events })),
  );
  await tell('Asking health endpoints', second, await paced(hitsOf(second)));

  const readHealth = createHealthReader(now);
  const health = signal.aborted
    ? []
    : await readBackendHealth(cluster, second.backends, objects, { readHealth, signal });
  const reading: Reading = { ...second, health };
  const seen = await paced(hitsOf(reading));
  await tell('Reading logs', reading, seen);

  const logs =
    options.logs?.(reading) ??
    (await lookThroughLogs(target, reading, rules, { signal, onProgress, memory, anew: !background }));
  const listings = listingNames.map((name) => reading.listings[name]);
  const decisive = listings.filter((listing) => listing !== reading.listings.endpoints || wasRead(listing));
  return {
    findings: await paced(
      findingsInSteps([...seen, ...logs.hits], {
        podOf: podsOf(reading),
        judgedOf: await paced(judgedObjects(cluster, reading)),
      }),
    ),
    ...coverageOf(reading, catalogue, logs),
    symptoms: catalogue.length,
    took_ms: performance.now() - begun,
    ...clusterReading(target, decisive, logs.gaps),
  };
}

/** Findings, the gravest first, that are reported before the end. */
const mostReported = 500;

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

/** Adds which field manager set each field that the operator will revert, and what was added by hand; only the whole object says so. */
async function withDriftManagers({ cluster }: OpenTarget, reading: Reading): Promise<Reading> {
  const backends = await Promise.all(
    reading.backends.map(async (backend) => {
      const { row, deployment, env } = backend;
      if (deployment === undefined) return backend;
      return { ...backend, row: { ...row, drift: await readManagers(cluster, deployment, row.drift, env) } };
    }),
  );
  return { ...reading, backends };
}

/**
 * Returns, for a workload, its least healthy pod, which commands are best tried on, and the control plane or
 * instance it belongs to.
 */
function podsOf({ running, backendOf }: Reading): PodOf {
  return (owner) => {
    const resource = backendOf(owner)?.resource;
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
