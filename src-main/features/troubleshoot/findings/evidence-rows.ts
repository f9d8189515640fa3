import type { Evidence } from '#shared/api/troubleshoot.ts';
import { keyOf } from '../../../cluster-model/index.ts';
import type { Hit } from '../match/index.ts';

/** Pieces of evidence that a finding carries. */
const mostKept = 5;

/**
 * The evidence of a finding: of each kind of place the newest first, so that five pods of one log do not hide what
 * another kind says; and how much there is in all.
 */
export function evidenceRows(hits: readonly Hit[]): {
  readonly evidence: Evidence[];
  readonly count: number;
} {
  const pieces = new Map<string, Hit>();
  for (const hit of hits) {
    const key = `${originKey(hit)}\n${hit.line ?? ''}\n${hit.matched.text}`;
    if (!pieces.has(key)) pieces.set(key, hit);
  }
  const seen = new Map<string, number>();
  const ranked = [...pieces.values()]
    .sort((a, b) => newestFirst(a.origin.at ?? '', b.origin.at ?? ''))
    .map((hit) => {
      const rank = seen.get(hit.kind) ?? 0;
      seen.set(hit.kind, rank + 1);
      return { hit, rank };
    })
    .sort((a, b) => a.rank - b.rank || order.indexOf(a.hit.kind) - order.indexOf(b.hit.kind));
  return {
    evidence: ranked.slice(0, mostKept).map(({ hit }) => evidenceOf(hit)),
    count: pieces.size,
  };
}

/** Compares times as text: all are ISO 8601 in UTC. Comparing them as a person would takes ten times as long. */
function newestFirst(a: string, b: string): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

/** Order of evidence: the most telling kind first. */
const order: readonly Hit['kind'][] = [
  'log',
  'text',
  'container',
  'http',
  'check',
  'certificate',
  'environment',
  'pod',
  'condition',
  'event',
];

function originKey({ kind, origin }: Hit): string {
  return `${kind} ${origin.object === undefined ? '' : keyOf(origin.object)} ${origin.container ?? ''} ${origin.ref}`;
}

function evidenceOf({ kind, origin, matched, line, before, after }: Hit): Evidence {
  const { object, container, ref, at, times } = origin;
  return {
    kind,
    ...(object === undefined ? {} : { object }),
    ...(container === undefined ? {} : { container }),
    ref,
    ...(line === undefined ? {} : { line }),
    text: matched.text,
    ...(matched.match === undefined ? {} : { match: [...matched.match] }),
    ...(before === undefined ? {} : { before: [...before] }),
    ...(after === undefined ? {} : { after: [...after] }),
    ...(at === undefined ? {} : { at }),
    ...(times === undefined || times === 1 ? {} : { times }),
  };
}
