import type { LineHit } from '../../../../log-scan/index.ts';
import type { LogOf, ScannedLog } from '../../types.ts';
import type { Holding } from '../layouts/index.ts';
import type { ScannedFile } from './scan-files.ts';

/**
 * The line that starts a container's section in the single file of a pod's logs (log-sections.ts); searched
 * for with the rest.
 */
export const sectionMarker = '==== START logs for container ';
const section = /^==== START logs for container (\S+) of pod (\S+) ====$/;

/**
 * Returns the logs a file holds, with their hits: several for a file with the logs of several containers, and
 * one without an owner for a file that the layout does not know. `marker` is the index of `sectionMarker`.
 */
export function placed(
  { path, hits, counts }: ScannedFile,
  marker: number,
  holding: Holding | undefined,
): ScannedLog[] {
  const own = counts.slice(0, marker);
  const logOf = (of: LogOf | undefined, some: readonly LineHit[], some_counts = own): ScannedLog[] =>
    some.length === 0 ? [] : [{ file: path, of, hits: some, counts: some_counts }];
  const real = hits.filter(({ literal }) => literal !== marker);
  switch (holding?.what) {
    case 'log': {
      const { namespace, pod, container, run } = holding;
      return logOf({ namespace, pod, container, run }, real);
    }
    case 'node-log':
      return logOf({ node: holding.node }, real);
    case 'pod-log': {
      const { namespace, pod } = holding;
      return byContainer(hits, marker, `${namespace}/${pod}`).flatMap(({ container, hits: some }) =>
        logOf({ namespace, pod, container, run: 'current' }, some, countsOf(some, own.length)),
      );
    }
    default:
      return logOf(undefined, real);
  }
}

function byContainer(hits: readonly LineHit[], marker: number, pod: string) {
  const parts: { readonly container: string; readonly hits: LineHit[] }[] = [];
  for (const hit of [...hits].sort((a, b) => a.offset - b.offset)) {
    const [, container, of] = hit.literal === marker ? (section.exec(hit.text) ?? []) : [];
    if (container !== undefined && of === pod) parts.push({ container, hits: [] });
    else if (hit.literal !== marker) parts.at(-1)?.hits.push(hit);
  }
  return parts;
}

function countsOf(hits: readonly LineHit[], literals: number): number[] {
  const counts = new Array<number>(literals).fill(0);
  for (const { literal } of hits) counts[literal] = (counts[literal] ?? 0) + 1;
  return counts;
}
