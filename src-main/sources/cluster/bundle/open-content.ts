import { basename } from 'node:path';
import type { BundleProgress } from '#shared/api/targets.ts';
import { BundleError, inWords } from './bundle-error.ts';
import { kindKey } from './kind-key.ts';
import { type FoundLayout, findLayout, placeIn } from './layouts/index.ts';
import { createLogSpool } from './log-spool.ts';
import type { OpenFiles } from './open-files.ts';
import { createProgress, type Progress } from './progress.ts';
import type { BundleFacts } from './questions.ts';
import { type BundleContent, type BundleReader, createBundleReader } from './read-bundle.ts';
import { type BundleSource, openSource } from './source.ts';
import type { BundleKind } from './types.ts';

/** Sentences about a bundle before the rest is only counted. */
const mostGaps = 200;

export type OpenContentOptions = {
  readonly path: string;
  readonly spool: string;
  /** What it opens; closed by who ends the thread. */
  readonly open: OpenFiles;
  readonly onProgress: (progress: BundleProgress) => void;
};

export type OpenedContent = {
  readonly facts: BundleFacts;
  readonly content: BundleContent;
  /** File name of the bundle. */
  readonly name: string;
};

/**
 * Reads a bundle in two walks: the first looks only at names, since archives lie in any order and the layout decides
 * what a name means, and refuses what is hostile before anything is kept; the second reads. Runs in a thread that is
 * terminated to end it. Throws `BundleError`.
 */
export async function openContent({
  path,
  spool: folder,
  open,
  onProgress,
}: OpenContentOptions): Promise<OpenedContent> {
  const name = basename(path);
  const source = await openSource(path, open);
  const spool = createLogSpool(folder, open);
  try {
    const progress = createProgress(onProgress, source.bytes);
    const survey = await surveyOf(source, name, progress);
    const content = createBundleReader({ layout: survey.found.layout, spool });
    for (const flaw of survey.flaws) content.flaw(flaw);
    await readAll(source, survey, content, progress);
    await content.store.finish();
    checkContent(name, content, survey);
    return { facts: factsOf(name, source, survey, content), content, name };
  } catch (error) {
    if (error instanceof BundleError) throw error;
    throw new BundleError(`${name} cannot be read: ${inWords(error)}.`, { cause: error });
  }
}

type Survey = {
  readonly found: FoundLayout;
  readonly files: number;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly newestFile: number;
  /** Paths of links, by the path of the file they lead to. */
  readonly links: ReadonlyMap<string, readonly string[]>;
  readonly flaws: readonly string[];
};

async function surveyOf(source: BundleSource, name: string, progress: Progress): Promise<Survey> {
  const paths: string[] = [];
  const targets = new Map<string, string>();
  const flaws: string[] = [];
  let bytes = 0;
  let newestFile = 0;
  const walk = { onRead: () => undefined, onFlaw: (flaw: string) => void flaws.push(flaw) };
  for await (const entry of source.walk(walk)) {
    if (entry.link !== undefined) targets.set(entry.path, entry.link);
    paths.push(entry.path);
    bytes += entry.size;
    newestFile = Math.max(newestFile, entry.changedAt);
    progress.tell({ step: 'Looking through its files', files: paths.length });
  }
  const found = findLayout(paths);
  if (found === undefined) {
    throw new BundleError(
      `${name} is no bundle that is known: it holds neither a support bundle, a cluster-info dump, a must-gather nor output of kubectl get.`,
    );
  }
  return { found, files: paths.length, bytes, newestFile, links: linksOf(targets), flaws };
}

/** A link may lead to another one; one that leads nowhere, or in a circle, is of no file. */
function linksOf(targets: ReadonlyMap<string, string>): Map<string, string[]> {
  const links = new Map<string, string[]>();
  for (const [link, target] of targets) {
    let file = target;
    for (let hops = 0; hops < 8 && targets.has(file); hops++) file = targets.get(file) ?? file;
    links.set(file, [...(links.get(file) ?? []), link]);
  }
  return links;
}

async function readAll(
  source: BundleSource,
  { found, links }: Survey,
  reader: BundleReader,
  progress: Progress,
): Promise<void> {
  let files = 0;
  const walk = {
    onRead: (bytes: number) => progress.tell({ bytes_read: bytes }),
    // The first walk told them.
    onFlaw: () => undefined,
  };
  for await (const entry of source.walk(walk)) {
    files += 1;
    if (entry.link !== undefined) continue;
    const place = placeIn(found, [entry.path, ...(links.get(entry.path) ?? [])]);
    progress.tell({
      step: place === undefined ? 'Reading' : `Reading ${stepOf(place.holding)}`,
      files,
      objects: reader.objects(),
    });
    if (place !== undefined) await reader.read(entry, place.holding, place.path);
  }
}

function stepOf(holding: { readonly what: string; readonly key?: string }): string {
  if (holding.what === 'objects') return holding.key || 'objects';
  return /log$/.test(holding.what) ? 'logs' : 'what else it says of the cluster';
}

function checkContent(name: string, reader: BundleContent, { found }: Survey): void {
  if (reader.objects() > 0 || reader.logs.count() > 0) return;
  if (reader.hasOldForm()) {
    throw new BundleError(
      `${name} was written by kubectl 1.13 or older, in a form that is not read: take it anew with a newer kubectl.`,
    );
  }
  const [gap] = reader.gaps();
  if (found.layout.name === 'objects' || gap !== undefined)
    throw new BundleError(
      `${name} holds no Kubernetes objects that can be read.${gap === undefined ? '' : ` ${gap}`}`,
    );
}

function factsOf(name: string, source: BundleSource, survey: Survey, content: BundleContent): BundleFacts {
  const [root = ''] = survey.found.roots;
  const taken = content.clock.taken(survey.newestFile || source.changedAt, root || name);
  const gaps = content.hasOldForm()
    ? [...content.gaps(), 'Objects in the form of kubectl 1.13 and older were not read.']
    : content.gaps();
  const version = content.version();
  return {
    takenAt: taken.at,
    version,
    facts: {
      layout: survey.found.layout.name,
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
