import { basename } from 'node:path';
import type { BundleProgress } from '#shared/api/targets.ts';
import { errorMessage } from '../../../base/error-message.ts';
import type { PodObject } from '../../../cluster-model/kinds/index.ts';
import { held } from './archive/file-content.ts';
import type { OpenFiles } from './archive/open-files.ts';
import { type BundleEntry, type BundleSource, openSource } from './archive/source.ts';
import { BundleError } from './bundle-error.ts';
import { type FoundLayout, isAnyFolder, type Layout, locate } from './layouts/index.ts';
import { createLogSpool } from './logs/log-spool.ts';
import { createEarlyPods } from './objects/early-pods.ts';
import { kindKey } from './objects/kind-key.ts';
import { type BundleContent, type BundleReader, createBundleReader } from './read-bundle.ts';
import { createSurveyor, type Survey } from './survey.ts';
import { createProgress, type Progress } from './thread/progress.ts';
import type { BundleFacts } from './thread/questions.ts';
import type { BundleKind } from './types.ts';

/** Sentences about a bundle before the rest is only counted. */
const mostGaps = 200;

export type OpenContentOptions = {
  readonly path: string;
  readonly spool: string;
  /** Files it opens; whoever ends the thread closes them. */
  readonly open: OpenFiles;
  readonly onProgress: (progress: BundleProgress) => void;
  /** A pod that is not well, as it is read: the first of many. */
  readonly onPod: (pod: PodObject) => void;
};

export type OpenedContent = {
  readonly facts: BundleFacts;
  readonly content: BundleContent;
  /** File name of the bundle. */
  readonly name: string;
};

/** Reads a bundle. Runs in a thread that is terminated to end it. Throws `BundleError`. */
export async function openContent({
  path,
  spool: folder,
  open,
  onProgress,
  onPod,
}: OpenContentOptions): Promise<OpenedContent> {
  const name = basename(path);
  const source = await openSource(path, open);
  const progress = createProgress(onProgress, source.bytes);
  const spool = createLogSpool(folder, open);
  const earlyPods = createEarlyPods(onPod);
  const begin: Begin = (layout) => createBundleReader({ layout, spool, earlyPods });
  try {
    const read = (await readAtOnce(source, begin, progress)) ?? (await readInTwo(source, begin, progress));
    if (read === undefined) {
      throw new BundleError(
        `${name} is no bundle that is known: it holds neither a support bundle, a cluster-info dump, a must-gather nor output of kubectl get.`,
      );
    }
    const { content, found } = read;
    await content.store.finish();
    checkContent(name, content, found);
    return { facts: factsOf({ name, source, ...read }), content, name };
  } catch (error) {
    if (error instanceof BundleError) throw error;
    throw new BundleError(`${name} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}

type Begin = (layout: Layout) => BundleReader;

type Read = { readonly content: BundleReader; readonly survey: Survey; readonly found: FoundLayout };

/** Files, and bytes of them, that are kept until it is known what they are. */
const mostWaiting = { files: 64, bytes: 4 * 1024 * 1024 };

/**
 * In one walk, as most bundles can be: their first files tell the layout. Undefined when a later file says otherwise, or
 * a link what the file before it is: archives lie in any order.
 */
async function readAtOnce(source: BundleSource, begin: Begin, progress: Progress): Promise<Read | undefined> {
  const surveyor = createSurveyor();
  const flaws: string[] = [];
  const waiting: BundleEntry[] = [];
  let waitingBytes = 0;
  let reading: { readonly content: BundleReader; readonly found: FoundLayout } | undefined;
  const walk = {
    onRead: (bytes: number) => progress.tell({ bytes_read: bytes }),
    onFlaw: (flaw: string) => void flaws.push(flaw),
  };
  let files = 0;
  for await (const entry of source.walk(walk)) {
    files += 1;
    surveyor.see(entry);
    if (entry.link !== undefined) continue;
    if (reading === undefined) {
      const { found } = surveyor.survey();
      // Any file of objects would be of the layout without a form; it is what is left when no other shows itself.
      if (found === undefined || isAnyFolder(found)) {
        waitingBytes += entry.size;
        if (waiting.length === mostWaiting.files || waitingBytes > mostWaiting.bytes) return undefined;
        waiting.push(await held(entry));
        continue;
      }
      reading = { content: begin(found.layout), found };
      for (const early of waiting) await readEntry(early, { ...reading, links: noLinks, files, progress });
    }
    await readEntry(entry, { ...reading, links: noLinks, files, progress });
  }
  const survey = surveyor.survey();
  const { found } = survey;
  if (found === undefined) return undefined;
  if (reading === undefined) {
    // A small one, all of which has waited.
    reading = { content: begin(found.layout), found };
    for (const entry of waiting) await readEntry(entry, { ...reading, links: survey.links, files, progress });
  } else if (!isSame(reading.found, found) || isNamedByLink(found, survey.links)) return undefined;
  for (const flaw of flaws) reading.content.flaw(flaw);
  return { content: reading.content, survey, found };
}

/** In two walks: the first looks only at names, the second reads. Undefined for what is no bundle. */
async function readInTwo(source: BundleSource, begin: Begin, progress: Progress): Promise<Read | undefined> {
  const surveyor = createSurveyor();
  const flaws: string[] = [];
  let files = 0;
  const looking = { onRead: () => undefined, onFlaw: (flaw: string) => void flaws.push(flaw) };
  for await (const entry of source.walk(looking)) {
    surveyor.see(entry);
    progress.tell({ step: 'Looking through its files', files: ++files });
  }
  const survey = surveyor.survey();
  const { found, links } = survey;
  if (found === undefined) return undefined;
  const content = begin(found.layout);
  for (const flaw of flaws) content.flaw(flaw);
  files = 0;
  const reading = {
    onRead: (bytes: number) => progress.tell({ bytes_read: bytes }),
    // The first walk told them.
    onFlaw: () => undefined,
  };
  for await (const entry of source.walk(reading)) {
    files += 1;
    if (entry.link === undefined) await readEntry(entry, { content, found, links, files, progress });
  }
  return { content, survey, found };
}

type Reading = {
  readonly content: BundleReader;
  readonly found: FoundLayout;
  readonly links: Survey['links'];
  readonly files: number;
  readonly progress: Progress;
};

async function readEntry(
  entry: BundleEntry,
  { content, found, links, files, progress }: Reading,
): Promise<void> {
  const location = locate(found, [entry.path, ...(links.get(entry.path) ?? [])]);
  progress.tell({
    step: location === undefined ? 'Reading' : `Reading ${stepOf(location.holding)}`,
    files,
    objects: content.objects(),
  });
  if (location !== undefined) await content.read(entry, location.holding, location.path);
}

const noLinks: Survey['links'] = new Map();

const isSame = (one: FoundLayout, other: FoundLayout): boolean =>
  one.layout === other.layout &&
  one.roots.length === other.roots.length &&
  one.roots.every((root, i) => root === other.roots[i]);

/** Returns whether a file was skipped that has a known path through a link to it. */
const isNamedByLink = (found: FoundLayout, links: Survey['links']): boolean =>
  [...links].some(
    ([file, paths]) => locate(found, [file]) === undefined && locate(found, paths) !== undefined,
  );

function stepOf(holding: { readonly what: string; readonly key?: string }): string {
  if (holding.what === 'objects') return holding.key || 'objects';
  return /log$/.test(holding.what) ? 'logs' : 'what else it says of the cluster';
}

function checkContent(name: string, reader: BundleContent, found: FoundLayout): void {
  if (reader.objects() > 0 || reader.logs.count() > 0) return;
  if (reader.hasOldForm()) {
    throw new BundleError(
      `${name} was written by kubectl 1.13 or older, in a form that is not read: take it anew with a newer kubectl.`,
    );
  }
  const [gap] = reader.gaps();
  if (isAnyFolder(found) || gap !== undefined)
    throw new BundleError(
      `${name} holds no Kubernetes objects that can be read.${gap === undefined ? '' : ` ${gap}`}`,
    );
}

function factsOf({
  name,
  source,
  content,
  survey,
  found,
}: Read & { readonly name: string; readonly source: BundleSource }): BundleFacts {
  const [root = ''] = found.roots;
  const taken = content.clock.taken(survey.newestFile || source.changedAt, root || name);
  const gaps = content.hasOldForm()
    ? [...content.gaps(), 'Objects in the form of kubectl 1.13 and older were not read.']
    : content.gaps();
  const version = content.version();
  return {
    takenAt: taken.at,
    version,
    facts: {
      layout: found.layout.name,
      taken_at: new Date(taken.at).toISOString(),
      taken_by: taken.by,
      ...(version === undefined ? {} : { version }),
      bytes: source.bytes ?? survey.bytes,
      files: survey.files,
      objects: content.objects(),
      logs: content.logs.count(),
      gaps:
        gaps.length <= mostGaps
          ? [...gaps]
          : [...gaps.slice(0, mostGaps), `${gaps.length - mostGaps} more were found.`],
    },
    kinds: kindsOf(content),
  };
}

function kindsOf({ store, names }: BundleContent): BundleKind[] {
  return store
    .kinds()
    .map((key) => {
      const [plural = '', ...group] = key.split('.');
      const known = names.byPlural(group.join('.'), plural);
      return {
        group: group.join('.'),
        version: known?.version ?? 'v1',
        plural,
        kind: known?.kind ?? plural,
        namespaced: known?.namespaced ?? store.hasNamespaced(key),
        count: store.count(key),
      };
    })
    .sort((a, b) => (kindKey(a.group, a.plural) < kindKey(b.group, b.plural) ? -1 : 1));
}
