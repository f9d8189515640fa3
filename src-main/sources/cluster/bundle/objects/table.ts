import {
  builtInColumns,
  type Column,
  declaredColumns,
  isBuiltInGroup,
  parseSelector,
  plainColumns,
  versionOf,
} from '../../../../kube-objects/index.ts';
import { plainCell, rowIdentity, type TableRow } from '../../any-kind.ts';
import { createPace } from '../pace.ts';
import type { BundleContent } from '../read-bundle.ts';
import type { Questions } from '../thread/questions.ts';
import { kindKey } from './kind-key.ts';

type Request = Questions['table']['request'];
type Page = Questions['table']['part'];

/** Kind whose objects define the custom ones. */
const definitions = 'customresourcedefinitions.apiextensions.k8s.io';

/** Sentences of objects that were not understood before the rest is only counted. */
const mostSentences = 5;

/**
 * Returns a page of a kind with the columns kubectl would have shown: of Kubernetes' own kinds those of its server, of custom
 * ones those of their definition in the bundle. `now` is the time the bundle was taken, in epoch
 * milliseconds: ages count from there.
 */
export async function bundleTable(
  content: BundleContent,
  { kind, namespace, selector, limit, from }: Request,
  now: number,
  signal: AbortSignal,
): Promise<Page> {
  const { store } = content;
  const key = kindKey(kind.group, kind.plural);
  const gaps: string[] = [];
  const matches = selector === undefined ? undefined : parseSelector(selector);
  const columns = await columnsOf(content, kind, gaps);
  const rows: TableRow[] = [];
  let last: string | undefined;
  let isMore = false;
  let notUnderstood = 0;
  for await (const stored of store.page(key, { namespace, after: from }, createPace(signal))) {
    if (rows.length === limit) {
      isMore = true;
      break;
    }
    last = stored.key;
    const identity = stored.object === undefined ? undefined : rowIdentity(stored.object);
    if (stored.object === undefined || identity === undefined) {
      notUnderstood += 1;
      if (notUnderstood <= mostSentences && stored.problem !== undefined) gaps.push(stored.problem);
      continue;
    }
    if (matches !== undefined && !matches(identity.labels)) continue;
    const { object } = stored;
    rows.push({ ...identity, cells: columns.map(({ cell }) => plainCell(cell(object, now))) });
  }
  if (notUnderstood > mostSentences)
    gaps.push(`${notUnderstood - mostSentences} more ${kind.plural} were not understood.`);
  return {
    columns: columns.map(({ name, type, format, wide }) => ({ name, type, format, wide })),
    rows,
    next: isMore ? last : undefined,
    remaining: undefined,
    gaps,
  };
}

async function columnsOf(
  { store }: BundleContent,
  { group, version, plural }: Request['kind'],
  gaps: string[],
): Promise<readonly Column[]> {
  const definition = group === '' ? undefined : await store.get(definitions, `${plural}.${group}`);
  if (definition?.object !== undefined) return declaredColumns(versionOf(definition.object, version));
  if (isBuiltInGroup(group)) return builtInColumns({ group, plural });
  gaps.push(`The bundle does not hold the definition of ${plural}.${group}: only name and age are shown.`);
  return plainColumns;
}
