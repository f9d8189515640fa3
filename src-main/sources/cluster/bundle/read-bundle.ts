import { z } from 'zod';
import { errorMessage } from '../../../base/error-message.ts';
import { parsedJson } from '../../../base/parsed-json.ts';
import { yamlObject } from '../documents/yaml-object.ts';
import { shownName } from './archive/entry-path.ts';
import { asFarAsWhole, contentOf, UnreadFile } from './archive/file-content.ts';
import type { BundleEntry } from './archive/source.ts';
import type { StoredFile } from './archive/stored-file.ts';
import { captureRecord, healthAnswers } from './capture-record.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import type { Holding, Layout } from './layouts/index.ts';
import { createLogIndex, type LogIndex } from './logs/log-index.ts';
import type { LogSpool } from './logs/log-spool.ts';
import {
  clusterVersion,
  collectorFailure,
  discovery,
  failureReasons,
  finding,
  groupList,
  httpAnswer,
  reasonOf,
  resourceLists,
} from './objects/collector-forms.ts';
import type { EarlyPods } from './objects/early-pods.ts';
import { groupVersion, kindKey } from './objects/kind-key.ts';
import { createKindNames, type KindNames } from './objects/kinds.ts';
import { createObjectFiles, mostKinds } from './objects/object-files.ts';
import { createObjectStore, type ObjectStore } from './objects/object-store.ts';
import { createTakenClock, type TakenClock } from './taken-time.ts';

/** The content read from a bundle. */
export type BundleContent = {
  readonly store: ObjectStore;
  readonly names: KindNames;
  readonly coverage: Coverage;
  readonly logs: LogIndex;
  readonly clock: TakenClock;
  /** Kubelet logs, by node name. */
  readonly nodeLogs: ReadonlyMap<string, { readonly file: StoredFile; readonly isGzip: boolean }>;
  /** Answers of health endpoints, by path. */
  readonly answers: ReadonlyMap<string, { readonly status: number; readonly body: string }>;
  /** Objects a collector reported as missing, by `secrets namespace/name`. */
  readonly absent: ReadonlySet<string>;
  version(): string | undefined;
  objects(): number;
  /** Everything missing or not understood, a sentence each. */
  gaps(): readonly string[];
  /** Returns whether objects were there that old programs wrote in a form of their own. */
  hasOldForm(): boolean;
};

export type BundleReader = BundleContent & {
  /** `path` is from the root of the layout. */
  read(entry: BundleEntry, holding: Holding, path: string): Promise<void>;
  /** Reports a flaw of the archive as a whole. */
  flaw(sentence: string): void;
};

export type ReaderParts = {
  readonly layout: Layout;
  readonly spool: LogSpool;
  readonly earlyPods: EarlyPods;
};

/** Takes the files of a bundle one by one, in any order, and makes of them what the cluster was. */
export function createBundleReader({ layout, spool, earlyPods }: ReaderParts): BundleReader {
  const store = createObjectStore();
  const names = createKindNames();
  const coverage = createCoverage(layout.scope);
  const logs = createLogIndex();
  const clock = createTakenClock();
  const nodeLogs = new Map<string, { file: StoredFile; isGzip: boolean }>();
  const answers = new Map<string, { status: number; body: string }>();
  const absent = new Set<string>();
  const ofArchive: string[] = [];
  const flaws: string[] = [];
  const failedCollectors = new Map<string, string>();
  const httpFiles: string[] = [];
  let version: string | undefined;

  const notUnderstood = (key: string, path: string, clause: string): void => {
    const sentence = `${shownName(path)} was not understood: ${clause}.`;
    if (key !== '') coverage.notUnderstood(key, sentence);
    flaws.push(sentence);
  };

  const objectFiles = createObjectFiles({
    store,
    names,
    coverage,
    clock,
    scope: layout.scope,
    onProblem: notUnderstood,
    earlyPods,
  });

  const keep = async (entry: BundleEntry): Promise<StoredFile> =>
    entry.stored ?? spool.keep(asFarAsWhole(entry, (sentence) => flaws.push(sentence)));

  const readDocument = async <T>(
    entry: BundleEntry,
    path: string,
    schema: z.ZodType<T>,
  ): Promise<T | undefined> => {
    const text = (await contentOf(entry)).toString('utf8');
    try {
      return schema.parse(path.endsWith('.yaml') ? yamlObject(text) : JSON.parse(text));
    } catch (error) {
      const clause =
        error instanceof z.ZodError ? 'it is of an unknown form' : errorMessage(error).split('\n')[0];
      notUnderstood('', path, clause ?? '');
      return undefined;
    }
  };

  const readFailures = async (entry: BundleEntry, path: string, key: string): Promise<void> => {
    const message = await readDocument(entry, path, failureReasons);
    if (message === undefined) return;
    if (Array.isArray(message)) {
      if (message.length > 0 && key !== '') coverage.failed(key, '', message.map(reasonOf).join('; '));
      else flaws.push(...message.map((reason) => `Not collected: ${reasonOf(reason)}.`));
      return;
    }
    for (const [name, reason] of Object.entries(message)) {
      if (key === '') coverage.failed(name, '', reasonOf(reason));
      else coverage.failed(key, name, reasonOf(reason));
    }
  };

  /** Records what the API served: groups with their kinds. */
  const serves = (group: string, kindVersion: string, kinds: readonly ServedKind[]): void => {
    for (const { plural, kind, namespaced } of kinds)
      names.tell({ group, version: kindVersion, plural, kind, namespaced });
    coverage.served(kinds.map(({ plural }) => kindKey(group, plural)));
  };

  const read = async (entry: BundleEntry, holding: Holding, path: string): Promise<void> => {
    switch (holding.what) {
      case 'objects':
        if (path.includes('custom-resources/') && layout.name === 'support-bundle')
          coverage.customResourcesCollected();
        return objectFiles.read(entry, holding, path);
      case 'log': {
        const { run, restarts, rotatedAt, isGzip } = holding;
        const file = await keep(entry);
        if (run === 'rotated') logs.addRotated(holding, { restarts, rotatedAt, isGzip, file });
        else logs.add(holding, run, file);
        return;
      }
      case 'pod-log':
        return logs.addPod(holding, await keep(entry));
      case 'node-log':
        nodeLogs.set(holding.node, { file: await keep(entry), isGzip: holding.isGzip });
        return;
      case 'log-failure':
        return logs.addFailure(
          holding,
          `The log could not be collected: ${(await contentOf(entry)).toString('utf8').trim()}`,
        );
      case 'failures':
        return readFailures(entry, path, holding.key);
      case 'finding': {
        const found = await readDocument(entry, path, finding);
        if (found?.secretExists === false || found?.configMapExists === false)
          absent.add(`${holding.key} ${found.namespace ?? holding.namespace}/${found.name ?? holding.name}`);
        return;
      }
      case 'version':
        version = (await readDocument(entry, path, clusterVersion))?.string ?? version;
        return;
      case 'groups': {
        const groups = await readDocument(entry, path, groupList);
        return coverage.servedGroups((groups ?? []).map(({ name }) => name));
      }
      case 'resources': {
        for (const { groupVersion: served, resources } of (await readDocument(entry, path, resourceLists)) ??
          []) {
          const { group, version: kindVersion } = groupVersion(served);
          serves(
            group,
            kindVersion,
            (resources ?? [])
              .filter(({ name }) => !name.includes('/'))
              .map(({ name, kind, namespaced }) => ({ plural: name, kind, namespaced })),
          );
        }
        return;
      }
      case 'discovery': {
        for (const { metadata, versions } of (await readDocument(entry, path, discovery))?.items ?? []) {
          for (const { version: kindVersion, resources } of versions) {
            serves(
              metadata.name ?? '',
              kindVersion,
              (resources ?? []).map(({ resource, responseKind, scope }) => ({
                plural: resource,
                kind: responseKind.kind,
                namespaced: scope === 'Namespaced',
              })),
            );
          }
        }
        return;
      }
      case 'summary': {
        const text = (await contentOf(entry)).toString('utf8');
        for (const [, collector = ''] of text.matchAll(/^(\S+) \(F\)/gm))
          if (!failedCollectors.has(collector)) failedCollectors.set(collector, '');
        return;
      }
      case 'collector-failure': {
        const failure = await readDocument(entry, path, collectorFailure);
        if (failure !== undefined) failedCollectors.set(failure.collector ?? path, reasonOf(failure.error));
        return;
      }
      case 'times': {
        const text = (await contentOf(entry)).toString('utf8');
        for (const [, day = '', time = ''] of text.matchAll(
          /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\S* \+0000/gm,
        ))
          clock.tell(Date.parse(`${day}T${time}Z`), "must-gather's own times");
        return;
      }
      case 'capture': {
        const record = await readDocument(entry, path, captureRecord);
        if (record === undefined) return;
        clock.record(Date.parse(record.taken_at));
        for (const [key, covered] of Object.entries(record.listings)) coverage.captured(key, covered);
        return;
      }
      case 'answers':
        for (const { path: address, ...answer } of (await readDocument(entry, path, healthAnswers)) ?? [])
          answers.set(address, answer);
        return;
      case 'other': {
        // Whatever else a collector wrote: of no form that is to be told, unless it is an answer of an address.
        const text = (await contentOf(entry)).toString('utf8');
        if (/^\s*\{\s*"(?:response|error)"/.test(text) && httpAnswer.safeParse(parsedJson(text)).success)
          httpFiles.push(path);
      }
    }
  };

  return {
    store,
    names,
    coverage,
    logs,
    clock,
    nodeLogs,
    answers,
    absent,
    version: () => version ?? objectFiles.versions().toSorted().at(-1),
    objects: objectFiles.count,
    hasOldForm: objectFiles.hasOldForm,
    gaps: () => [
      ...(objectFiles.leftOut() === 0
        ? []
        : [
            `The bundle has objects of more than ${mostKinds} custom kinds: ${objectFiles.leftOut()} objects of the others were not read.`,
          ]),
      ...ofArchive,
      ...flaws,
      ...[...failedCollectors].map(([collector, reason]) =>
        reason === ''
          ? `The collector ${collector} failed.`
          : `The collector ${collector} failed: ${reason.replace(/\.$/, '')}.`,
      ),
      ...httpFiles.map(
        (path) =>
          `The answer of an HTTP collector in ${shownName(path)} was not read: it does not say which address was asked.`,
      ),
    ],
    flaw: (sentence) => void ofArchive.push(sentence),
    async read(entry, holding, path) {
      try {
        await read(entry, holding, path);
      } catch (error) {
        // A file that is refused or damaged does not keep the others from being read.
        if (error instanceof UnreadFile)
          notUnderstood('key' in holding ? holding.key : '', path, error.message);
        else throw error;
      }
    },
  };
}

type ServedKind = { readonly plural: string; readonly kind: string; readonly namespaced: boolean };
