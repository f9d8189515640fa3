import { load } from 'js-yaml';
import { z } from 'zod';
import type { RawObject } from '../types.ts';
import { BundleError, inWords } from './bundle-error.ts';
import { captureRecord, healthAnswers } from './capture-record.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import { shownName } from './entry-path.ts';
import {
  createKindNames,
  currentGroup,
  groupVersion,
  type KindNames,
  kindKey,
  likelyPlural,
} from './kinds.ts';
import type { Holding, Layout } from './layouts/index.ts';
import { largestObjectFile } from './limits.ts';
import { createLogIndex, type LogIndex } from './log-index.ts';
import type { LogSpool } from './log-spool.ts';
import { createObjectStore, type ObjectStore } from './object-store.ts';
import type { Pace } from './pace.ts';
import { type Envelope, isRecord, readObjects } from './read-objects.ts';
import type { BundleEntry } from './source.ts';
import type { StoredFile } from './stored-file.ts';
import { createTakenClock, type TakenClock } from './taken-time.ts';

/** What was read of a bundle. */
export type BundleContent = {
  readonly store: ObjectStore;
  readonly names: KindNames;
  readonly coverage: Coverage;
  readonly logs: LogIndex;
  readonly clock: TakenClock;
  /** Of kubelets, by name of the node. */
  readonly nodeLogs: ReadonlyMap<string, { readonly file: StoredFile; readonly isGzip: boolean }>;
  /** Answers of health endpoints, by path. */
  readonly answers: ReadonlyMap<string, { readonly status: number; readonly body: string }>;
  /** What a collector says is certainly not there, by `secrets namespace/name`. */
  readonly absent: ReadonlySet<string>;
  version(): string | undefined;
  objects(): number;
  /** What is not in it or was not understood, a sentence each. */
  gaps(): readonly string[];
  /** Whether objects were there that old programs wrote in a form of their own. */
  hasOldForm(): boolean;
};

export type BundleReader = BundleContent & {
  /** `path` is from the root of the layout. */
  read(entry: BundleEntry, holding: Holding, path: string): Promise<void>;
  flaw(sentence: string): void;
};

export type ReaderParts = { readonly layout: Layout; readonly spool: LogSpool; readonly pace: Pace };

/** Takes the files of a bundle one by one, in any order, and makes of them what the cluster was. */
export function createBundleReader({ layout, spool, pace }: ReaderParts): BundleReader {
  const store = createObjectStore();
  const names = createKindNames();
  const coverage = createCoverage(layout.scope);
  const logs = createLogIndex();
  const clock = createTakenClock();
  const nodeLogs = new Map<string, { file: StoredFile; isGzip: boolean }>();
  const answers = new Map<string, { status: number; body: string }>();
  const absent = new Set<string>();
  const flaws: string[] = [];
  const failedCollectors = new Map<string, string>();
  const kubelets: string[] = [];
  let version: string | undefined;
  let objects = 0;
  let oldForm = false;

  const notice = (key: string, name: string, object: RawObject): void => {
    clock.see(key, object);
    if (key === 'namespaces') coverage.namespace(name);
    if (key === 'nodes') {
      const kubelet = nodeVersion.safeParse(object).data?.status.nodeInfo.kubeletVersion;
      if (kubelet !== undefined) kubelets.push(textOf(kubelet));
    }
    if (key === 'customresourcedefinitions.apiextensions.k8s.io') {
      const { data } = definition.safeParse(object);
      if (data === undefined) return;
      const { group, names: called, scope, versions, version: only } = data.spec;
      names.tell({
        group: textOf(group),
        version: textOf(versions?.[0]?.name ?? only ?? 'v1'),
        plural: textOf(called.plural),
        kind: textOf(called.kind),
        namespaced: scope === 'Namespaced',
      });
      coverage.customKind(textOf(kindKey(group, called.plural)));
    }
  };

  const identify = (object: RawObject, envelope: Envelope, hint: string): Identity | undefined => {
    const [hintPlural = '', ...hintGroup] = hint.split('.');
    const hinted = hint === '' ? undefined : names.byPlural(hintGroup.join('.'), hintPlural);
    const listKind = envelope.kind === 'List' ? '' : envelope.kind.replace(/List$/, '');
    const kind = textOf(object.kind) || listKind || hinted?.kind;
    if (kind === undefined || kind === '') return undefined;
    const apiVersion =
      textOf(object.apiVersion) ||
      (listKind === '' ? '' : envelope.apiVersion) ||
      (hinted === undefined ? '' : versionText(hinted.group, hinted.version));
    const parsed = groupVersion(apiVersion);
    const group = currentGroup(parsed.group, kind);
    const plural =
      names.byKind(group, kind)?.plural ??
      (hint !== '' && group === hintGroup.join('.') ? hintPlural : likelyPlural(kind));
    return { kind, apiVersion, group, version: parsed.version, plural, key: kindKey(group, plural) };
  };

  const readObjectFile = async (
    entry: BundleEntry,
    holding: Holding & { what: 'objects' },
    path: string,
  ): Promise<void> => {
    const bytes = await contentOf(entry);
    const keys = new Set<string>();
    const { envelopes, problems } = await readObjects(bytes, pace, async (object, envelope, offset) => {
      const identity = identify(object, envelope, holding.key);
      const metadata = isRecord(object.metadata) ? object.metadata : undefined;
      const name = textOf(metadata?.name);
      if (identity === undefined || metadata === undefined || name === '') {
        // Up to kubectl 1.13 a dump holds Go's own form: fields in capitals, metadata among them.
        if ('Spec' in object || 'Status' in object) oldForm = true;
        return;
      }
      const known = names.byKind(identity.group, identity.kind);
      const namespace =
        textOf(metadata.namespace) || (known?.namespaced === false ? undefined : holding.namespace);
      if (known === undefined) names.tell({ ...identity, namespaced: namespace !== undefined });
      keys.add(identity.key);
      const { managedFields: _, ...rest } = metadata;
      const whole: RawObject = {
        ...object,
        apiVersion: identity.apiVersion,
        kind: identity.kind,
        metadata: namespace === undefined ? rest : { ...rest, namespace },
      };
      const facts = {
        name,
        namespace,
        uid: textOf(metadata.uid) || undefined,
        isCopy: holding.isCopy,
        file: path,
        offset,
      };
      if (!(await store.add(identity.key, facts, whole))) return;
      objects += 1;
      if (namespace !== undefined) coverage.namespace(namespace);
      notice(identity.key, name, whole);
    });
    const lists = envelopes.map(({ kind, apiVersion }) => {
      const ofItems = kind.replace(/List$/, '');
      const { group } = groupVersion(apiVersion);
      const plural = names.byKind(currentGroup(group, ofItems), ofItems)?.plural;
      return plural === undefined ? undefined : kindKey(currentGroup(group, ofItems), plural);
    });
    // A list of what its path names; where the path does not tell, of what is in it.
    const collected = holding.key === '' ? [...keys, ...lists] : bytes.length === 0 ? [] : [holding.key];
    for (const key of collected)
      if (key !== undefined) coverage.collected(key, holding.namespace, holding.form);
    if (holding.namespace !== undefined) coverage.namespace(holding.namespace);
    for (const problem of problems) notUnderstood(holding.key || [...keys][0] || '', path, problem);
    if (bytes.length === 0 && holding.form === 'list') notUnderstood(holding.key, path, 'the file is empty');
  };

  const notUnderstood = (key: string, path: string, clause: string): void => {
    const sentence = `${shownName(path)} was not understood: ${clause}.`;
    if (key !== '') coverage.notUnderstood(key, sentence);
    flaws.push(sentence);
  };

  const keep = async (entry: BundleEntry): Promise<StoredFile> =>
    entry.stored ?? spool.keep(asFarAsWhole(entry, (sentence) => flaws.push(sentence)));

  const readDocument = async <T>(
    entry: BundleEntry,
    path: string,
    schema: z.ZodType<T>,
  ): Promise<T | undefined> => {
    const text = (await contentOf(entry)).toString('utf8');
    try {
      return schema.parse(
        path.endsWith('.yaml') ? load(text, { json: true, maxAliases: 0 }) : JSON.parse(text),
      );
    } catch (error) {
      const clause = error instanceof z.ZodError ? 'it is of an unknown form' : inWords(error).split('\n')[0];
      notUnderstood('', path, clause ?? '');
      return undefined;
    }
  };

  const readFailures = async (entry: BundleEntry, path: string, key: string): Promise<void> => {
    const told = await readDocument(
      entry,
      path,
      z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
    );
    if (told === undefined) return;
    if (Array.isArray(told)) {
      if (told.length > 0 && key !== '') coverage.failed(key, '', told.map(reasonOf).join('; '));
      else flaws.push(...told.map((reason) => `Not collected: ${reasonOf(reason)}.`));
      return;
    }
    for (const [name, reason] of Object.entries(told)) {
      if (key === '') coverage.failed(name, '', reasonOf(reason));
      else coverage.failed(key, name, reasonOf(reason));
    }
  };

  /** What the API served: groups with their kinds. */
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
        return readObjectFile(entry, holding, path);
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
        const groups = await readDocument(entry, path, z.array(z.object({ name: z.string() })));
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
    version: () => version ?? kubelets.sort().at(-1),
    objects: () => objects,
    hasOldForm: () => oldForm,
    gaps: () => [
      ...flaws,
      ...[...failedCollectors].map(([collector, reason]) =>
        reason === ''
          ? `The collector ${collector} failed.`
          : `The collector ${collector} failed: ${reason.replace(/\.$/, '')}.`,
      ),
    ],
    flaw: (sentence) => void flaws.push(sentence),
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

type Identity = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly key: string;
};

type ServedKind = { readonly plural: string; readonly kind: string; readonly namespaced: boolean };

/** Why one file is not read; its message is a clause. */
class UnreadFile extends Error {
  override readonly name = 'UnreadFile';
}

/** All of a file of objects. What it really has counts, not what the archive says. */
async function contentOf(entry: BundleEntry): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of entry.read()) {
      length += part.length;
      if (length > largestObjectFile) throw new UnreadFile('it is larger than 64 MB');
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof BundleError || error instanceof UnreadFile) throw error;
    throw new UnreadFile(inWords(error));
  }
  return Buffer.concat(parts);
}

/** The bytes of a log up to where it is damaged. */
async function* asFarAsWhole(entry: BundleEntry, onFlaw: (sentence: string) => void): AsyncGenerator<Buffer> {
  try {
    yield* entry.read();
  } catch (error) {
    if (error instanceof BundleError) throw error;
    onFlaw(`The log ${shownName(entry.path)} is not whole: ${inWords(error)}.`);
  }
}

/** A text of its own, empty for none: one that was cut from a file's text would keep all of that in memory. */
const textOf = (value: unknown): string => (typeof value === 'string' ? Buffer.from(value).toString() : '');
const versionText = (group: string, version: string): string =>
  group === '' ? version : `${group}/${version}`;

function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = isRecord(error) ? (error.message ?? error.error) : undefined;
  return typeof message === 'string' ? message : JSON.stringify(error);
}

const nodeVersion = z.object({
  status: z.object({ nodeInfo: z.object({ kubeletVersion: z.string() }) }),
});
const definition = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ plural: z.string(), kind: z.string() }),
    scope: z.string(),
    versions: z.array(z.object({ name: z.string() })).nullish(),
    version: z.string().optional(),
  }),
});
const clusterVersion = z.object({ string: z.string() });
const resourceLists = z.array(
  z.object({
    groupVersion: z.string(),
    resources: z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean() })).nullish(),
  }),
);
const discovery = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string().nullish() }),
      versions: z.array(
        z.object({
          version: z.string(),
          resources: z
            .array(
              z.object({
                resource: z.string(),
                responseKind: z.object({ kind: z.string() }),
                scope: z.string(),
              }),
            )
            .nullish(),
        }),
      ),
    }),
  ),
});
const finding = z.object({
  namespace: z.string().optional(),
  name: z.string().optional(),
  secretExists: z.boolean().optional(),
  configMapExists: z.boolean().optional(),
});
const collectorFailure = z.object({ collector: z.string().optional(), error: z.unknown() });
