import { isRecord, redactObject } from '../../../../cluster-model/index.ts';
import type { RawObject } from '../../../../cluster-model/kinds/index.ts';
import * as consoleResources from '../../../../cluster-model/kinds/index.ts';
import type { Cluster } from '../../types.ts';
import { BundleError } from '../bundle-error.ts';
import type { CaptureRecord } from '../capture-record.ts';
import { captureFiles, clusterFiles, namespacedFolders } from '../layouts/index.ts';
import { kindKey } from '../objects/kind-key.ts';
import { commonKinds, type KnownKind } from '../objects/kinds.ts';
import { captureLogs } from './capture-logs.ts';
import { healthPaths } from './health-paths.ts';
import type { Captured, CaptureOptions } from './index.ts';
import { type RawList, readRawList, reasonOf } from './raw-lists.ts';
import { type Discovery, readDiscovery } from './read-discovery.ts';
import type { TarWriter } from './tar-writer.ts';

export type CaptureProgress = {
  /** The current step, such as `Capturing pods`. */
  readonly step: string;
  readonly objects: number;
  readonly logs: number;
};

type CaptureRun = {
  readonly cluster: Cluster;
  readonly tar: TarWriter;
  readonly root: string;
  readonly signal: AbortSignal;
  readonly gaps: string[];
  readonly count: (step: string, objects: number, logs: number) => void;
};

/** Timeout for one health endpoint, in ms, and how many are requested at a time. */
const healthTime = 5_000;
const healthAtOnce = 8;
const progressEveryMs = 100;

export async function writeCapture(
  tar: TarWriter,
  { cluster, version, namespaces, onProgress, signal, now }: CaptureOptions,
): Promise<Captured> {
  const takenAt = new Date(now());
  const total = { objects: 0, logs: 0 };
  let reportedAt = Number.NEGATIVE_INFINITY;
  const run: CaptureRun = {
    cluster,
    tar,
    // As troubleshoot names it, in UTC.
    root: `support-bundle-${takenAt.toISOString().slice(0, 19).replaceAll(':', '_')}`,
    signal,
    gaps: [],
    count(step, objects, logs) {
      total.objects += objects;
      total.logs += logs;
      if (performance.now() - reportedAt < progressEveryMs) return;
      reportedAt = performance.now();
      onProgress({ step, ...total });
    },
  };
  await writeVersion(run);
  const discovery = await readDiscovery(cluster, signal);
  await writeDiscovery(run, discovery);
  const listings = await readListings(run, namespaces);
  const chosen = namespaces ?? (await namespacesOf(cluster));
  for (const kind of await kindsToRead(run, discovery)) {
    const state = listings[kindKey(kind.group, kind.plural)]?.state;
    if (state === 'not_served') continue;
    run.count(`Capturing ${kind.plural}`, 0, 0);
    await writeKind(run, kind, chosen, namespaces !== undefined);
  }
  for (const pod of (await cluster.list(consoleResources.pods)).items) {
    signal.throwIfAborted();
    if (namespaces !== undefined && !namespaces.includes(pod.metadata.namespace ?? '')) continue;
    run.count('Capturing logs', 0, await captureLogs(cluster, tar, run.root, pod, signal));
  }
  await writeAnswers(run, namespaces);
  const record: CaptureRecord = {
    form: 1,
    taken_at: takenAt.toISOString(),
    console_version: version ?? '',
    listings,
  };
  await tar.add(`${run.root}/${captureFiles.record}`, json(record));
  return { ...total, gaps: run.gaps };
}

/** Without it nothing can be captured: a cluster that does not answer is reported at once. */
async function writeVersion({ cluster, tar, root, signal }: CaptureRun): Promise<void> {
  const answer = await cluster.httpGet('/version', signal);
  signal.throwIfAborted();
  if (answer.state === 'unread')
    throw new BundleError(`Nothing was captured: the cluster does not answer: ${answer.reason}`);
  if (answer.status !== 200)
    throw new BundleError(
      `Nothing was captured: the cluster does not tell its version: ${reasonOf(answer.body, answer.status)}`,
    );
  const info: unknown = JSON.parse(answer.body);
  const gitVersion = isRecord(info) && typeof info.gitVersion === 'string' ? info.gitVersion : '';
  await tar.add(
    `${root}/version.yaml`,
    'apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nmetadata:\n  name: operator-console\nspec:\n  versionNumber: operator-console\n',
  );
  await tar.add(`${root}/cluster-info/cluster_version.json`, json({ info, string: gitVersion }));
}

async function writeDiscovery({ tar, root, gaps }: CaptureRun, discovery: Discovery): Promise<void> {
  const { groups, resources, failures } = discovery;
  if (groups.length > 0) await tar.add(`${root}/cluster-resources/groups.json`, json(groups));
  // A part of it would make of what is missing something that is not served.
  const failed = Object.entries(failures);
  if (failed.length === 0) await tar.add(`${root}/cluster-resources/resources.json`, json(resources));
  else {
    await tar.add(
      `${root}/cluster-resources/groups-resources-errors.json`,
      json(failed.map(([path, reason]) => `${path}: ${reason}`)),
    );
    gaps.push(...failed.map(([path, reason]) => `Not captured: ${path}: ${reason}`));
  }
}

/** Reads the listing state of each kind the console reads, in the live target's wording. */
async function readListings(
  { cluster, signal, gaps }: CaptureRun,
  namespaces: readonly string[] | undefined,
): Promise<CaptureRecord['listings']> {
  const listings: CaptureRecord['listings'] = {};
  for (const resource of consoleResources.everyKind) {
    const { state, gaps: own } = await cluster.list(resource);
    signal.throwIfAborted();
    gaps.push(...own);
    const isPart = namespaces !== undefined && resource.namespaced && state === 'read';
    listings[kindKey(resource.group, resource.plural)] = isPart
      ? { state: 'partly', gaps: [`Only these namespaces were captured: ${namespaces.join(', ')}.`] }
      : { state, gaps: [...own] };
  }
  return listings;
}

/** Returns all namespaces; where they may not be listed, those of the pods that were read. */
async function namespacesOf(cluster: Cluster): Promise<readonly string[]> {
  const [listed, pods] = await Promise.all([
    cluster.list(consoleResources.namespaces),
    cluster.list(consoleResources.pods),
  ]);
  const names = [
    ...listed.items.map(({ metadata }) => metadata.name),
    ...pods.items.flatMap(({ metadata }) => metadata.namespace ?? []),
  ];
  return [...new Set(names)].sort();
}

/**
 * Returns the kinds of a support bundle and those the console reads, in the API's versions; then all custom
 * resources.
 */
async function kindsToRead(
  { cluster, signal }: CaptureRun,
  discovery: Discovery,
): Promise<readonly KnownKind[]> {
  const served = new Map<string, KnownKind>();
  for (const kind of discovery.kinds)
    if (!served.has(kindKey(kind.group, kind.plural))) served.set(kindKey(kind.group, kind.plural), kind);
  const known = new Map(commonKinds.map((kind) => [kindKey(kind.group, kind.plural), kind]));
  const wanted = new Set([
    ...clusterFiles.map(([, key]) => key),
    ...namespacedFolders.map(([, key]) => key),
    ...consoleResources.everyKind.map(({ group, plural }) => kindKey(group, plural)),
  ]);
  await readRawList(
    cluster,
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    signal,
    (definitions) => {
      for (const { metadata } of definitions)
        if (isRecord(metadata) && typeof metadata.name === 'string') wanted.add(metadata.name);
    },
  );
  const isServed = (key: string): boolean => discovery.kinds.length === 0 || served.has(key);
  return [...wanted].filter(isServed).flatMap((key) => served.get(key) ?? known.get(key) ?? []);
}

/** Texts of objects by namespace; empty for those without one. */
type Texts = Map<string, string[]>;

async function writeKind(
  run: CaptureRun,
  kind: KnownKind,
  namespaces: readonly string[],
  onlyThese: boolean,
): Promise<void> {
  const { cluster, signal, gaps } = run;
  const key = kindKey(kind.group, kind.plural);
  const base = kind.group === '' ? '/api/v1' : `/apis/${kind.group}/${kind.version}`;
  const texts: Texts = new Map();
  const failures: Record<string, string> = {};
  const keep = (items: readonly RawObject[]): void => {
    for (const item of items) {
      const namespace = keepOne(texts, kind, item);
      if (namespace !== undefined) run.count(`Capturing ${kind.plural}`, 1, 0);
    }
  };
  const readOne = (namespace: string): Promise<RawList> =>
    readRawList(cluster, `${base}/namespaces/${namespace}/${kind.plural}`, signal, keep);

  const whole =
    kind.namespaced && onlyThese
      ? undefined
      : await readRawList(cluster, `${base}/${kind.plural}`, signal, keep);
  if (whole === undefined || (whole.state === 'failed' && whole.status === 403 && kind.namespaced)) {
    for (const namespace of namespaces) {
      const read = await readOne(namespace);
      if (read.state === 'failed') failures[namespace] = read.reason;
      else texts.set(namespace, texts.get(namespace) ?? []);
    }
  } else if (whole.state === 'failed') {
    // A kind that only newer or older servers have is none of this one.
    if (whole.status === 404) return;
    failures[''] = whole.reason;
  } else {
    for (const namespace of kind.namespaced ? namespaces : [''])
      texts.set(namespace, texts.get(namespace) ?? []);
  }
  for (const [namespace, reason] of Object.entries(failures))
    gaps.push(`Not captured: ${key}${namespace === '' ? '' : ` in ${namespace}`}: ${reason}`);
  await writeTexts(run, kind, texts, failures);
}

/** Its namespace, or undefined for what is no object. */
function keepOne(texts: Texts, { group, version, kind }: KnownKind, item: RawObject): string | undefined {
  if (!isRecord(item.metadata)) return undefined;
  const { metadata } = item;
  const namespace = typeof metadata.namespace === 'string' ? metadata.namespace : '';
  // Items of a list do not say what they are.
  const whole = { ...item, apiVersion: group === '' ? version : `${group}/${version}`, kind };
  const own = texts.get(namespace) ?? [];
  texts.set(namespace, own);
  own.push(JSON.stringify(redactObject(whole)));
  return namespace;
}

const clusterNames = new Map([...clusterFiles].reverse().map(([name, key]) => [key, name]));
const namespacedNames = new Map([...namespacedFolders].reverse().map(([name, key]) => [key, name]));

async function writeTexts(
  { tar, root }: CaptureRun,
  kind: KnownKind,
  texts: Texts,
  failures: Readonly<Record<string, string>>,
): Promise<void> {
  const key = kindKey(kind.group, kind.plural);
  const folder = `${root}/cluster-resources`;
  const name = clusterNames.get(key) ?? namespacedNames.get(key);
  for (const [namespace, own] of texts) {
    if (name !== undefined) {
      await tar.add(`${folder}/${name}${namespace === '' ? '' : `/${namespace}`}.json`, list(kind, own));
    } else if (own.length > 0) {
      // Custom resources are bare arrays, and only where there are any.
      const id = namespace === '' ? key : `${key}/${namespace}`;
      await tar.add(`${folder}/custom-resources/${id}.json`, `[${own.join(',\n')}]`);
    }
  }
  if (Object.keys(failures).length === 0) return;
  if (name === undefined)
    await tar.add(
      `${folder}/custom-resources/${key}-errors.json`,
      json({ [key]: Object.values(failures).join('; ') }),
    );
  else await tar.add(`${folder}/${name}-errors.json`, json(failures));
}

function list({ group, version, kind }: KnownKind, texts: readonly string[]): string {
  const head = {
    kind: `${kind}List`,
    apiVersion: group === '' ? version : `${group}/${version}`,
    metadata: {},
  };
  return `${JSON.stringify(head).slice(0, -1)},"items":[${texts.join(',\n')}]}`;
}

async function writeAnswers(
  { cluster, tar, root, signal, count }: CaptureRun,
  namespaces: readonly string[] | undefined,
): Promise<void> {
  const answers: { path: string; status: number; body: string }[] = [];
  const waiting = (await healthPaths(cluster)).filter(
    (path) => namespaces === undefined || namespaces.some((name) => path.includes(`/namespaces/${name}/`)),
  );
  const request = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const answer = await cluster.httpGet(path, AbortSignal.any([signal, AbortSignal.timeout(healthTime)]));
      signal.throwIfAborted();
      if (answer.state === 'read') answers.push({ path, status: answer.status, body: answer.body });
      count('Asking health endpoints', 0, 0);
    }
  };
  await Promise.all(Array.from({ length: healthAtOnce }, request));
  await tar.add(`${root}/${captureFiles.answers}`, json(answers));
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
