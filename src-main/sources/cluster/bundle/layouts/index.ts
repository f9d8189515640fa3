import { clusterInfo } from './cluster-info.ts';
import { mustGather } from './must-gather.ts';
import { objectFolder } from './object-folder.ts';
import { supportBundle } from './support-bundle.ts';
import type { FoundLayout, Holding } from './types.ts';

export { captureFiles, clusterFiles, namespacedFolders } from './support-bundle-names.ts';
export type { FoundLayout, Holding, Layout } from './types.ts';

/**
 * The layout of a bundle and its root, from the paths of its files: the folder nearest to the top that looks like one.
 * A must-gather has a root for each image that gathered. Undefined when there is nothing that may hold objects.
 */
export function findLayout(paths: readonly string[]): FoundLayout | undefined {
  const support = nearest(paths, ['cluster-resources/'], /^(.*?)(?:^|\/)cluster-resources\/[^/]+/);
  if (support.length > 0) return { layout: supportBundle, roots: support.slice(0, 1) };
  const gathered = nearest(
    paths,
    ['cluster-scoped-resources/', 'namespaces/'],
    /^(.*?)(?:^|\/)(?:cluster-scoped-resources\/[^/]+\/.+\.yaml|namespaces\/[^/]+\/.+\.(?:yaml|log))$/,
  );
  if (gathered.length > 0) return { layout: mustGather, roots: gathered };
  const dumped = dumpRoot(paths);
  if (dumped !== undefined) return { layout: clusterInfo, roots: [dumped] };
  const objects = paths.some((path) => objectFolder.holdingOf(path)?.what === 'objects');
  return objects ? { layout: objectFolder, roots: [''] } : undefined;
}

/** Returns whether it is of no form but that it holds files of objects. */
export const isAnyFolder = ({ layout }: FoundLayout): boolean => layout === objectFolder;

/**
 * Returns what a file holds, from its own path and those of links to it. `path` is relative to the root of
 * the layout.
 */
export function locate(
  { layout, roots }: FoundLayout,
  paths: readonly string[],
): { readonly holding: Holding; readonly path: string } | undefined {
  for (const name of paths) {
    for (const root of roots) {
      const inside =
        root === '' ? name : name.startsWith(`${root}/`) ? name.slice(root.length + 1) : undefined;
      const holding = inside === undefined ? undefined : layout.holdingOf(inside);
      if (inside !== undefined && holding !== undefined) return { holding, path: inside };
    }
  }
  return undefined;
}

/** Folders before what a pattern finds, in paths with one of some parts; those nearest to the top first; none that is inside of another. */
function nearest(paths: readonly string[], parts: readonly string[], pattern: RegExp): string[] {
  const roots = new Set<string>();
  for (const path of paths) {
    // The pattern tries each place of a path, which is slow for the thousands that have none of its parts.
    if (!parts.some((part) => path.includes(part))) continue;
    const root = pattern.exec(path)?.[1];
    if (root !== undefined) roots.add(root);
  }
  const sorted = [...roots].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  return sorted.filter(
    (root, i) => !sorted.slice(0, i).some((other) => other === '' || root.startsWith(`${other}/`)),
  );
}

/** `nodes.json` beside folders with the fixed files of a dump; without the right to list nodes only those. */
function dumpRoot(paths: readonly string[]): string | undefined {
  const roots = new Set<string>();
  for (const path of paths) {
    const [, root, file] =
      /^(?:(.*)\/)?[^/]+\/(events|replication-controllers|services|daemonsets|deployments|replicasets|pods)\.(?:json|ya?ml)$/.exec(
        path,
      ) ?? [];
    if (file === 'pods' || file === 'replication-controllers') roots.add(root ?? '');
  }
  const known = new Set(paths);
  const at = (root: string, name: string): string => (root === '' ? name : `${root}/${name}`);
  return [...roots]
    .filter(
      (root) =>
        ['nodes.json', 'nodes.yaml'].some((name) => known.has(at(root, name))) ||
        paths.some(
          (path) => path.startsWith(root) && /\/replication-controllers\.(?:json|ya?ml)$/.test(path),
        ),
    )
    .sort((a, b) => depth(a) - depth(b))[0];
}

const depth = (path: string): number => (path === '' ? 0 : path.split('/').length);
