import { captureFiles, clusterFiles, namespacedFolders } from './support-bundle-names.ts';
import { type Holding, type Layout, objectFile } from './types.ts';

const inCluster = new Map(clusterFiles);
const inNamespace = new Map(namespacedFolders);

/** Files of one name. */
const single: Readonly<Record<string, Holding>> = {
  'cluster-info/cluster_version.json': { what: 'version' },
  'cluster-resources/groups.json': { what: 'groups' },
  'cluster-resources/resources.json': { what: 'resources' },
  'execution-data/summary.txt': { what: 'summary' },
  [captureFiles.record]: { what: 'capture' },
  [captureFiles.answers]: { what: 'answers' },
};

/** troubleshoot.sh's support bundle, and our own capture, which is one. */
export const supportBundle: Layout = {
  name: 'support-bundle',
  scope: 'namespaces',
  holdingOf(path) {
    const known = single[path];
    if (known !== undefined) return known;
    const [first = '', ...rest] = path.split('/');
    if (first === 'cluster-resources') return inClusterResources(rest);
    if (first === 'collector-errors') return { what: 'collector-failure' };
    if ((first === 'secrets' || first === 'configmaps') && rest.length >= 2 && path.endsWith('.json'))
      return {
        what: 'finding',
        key: first,
        namespace: rest[0] ?? '',
        name: (rest[1] ?? '').replace(/\.json$/, ''),
      };
    return otherJson.test(path) ? { what: 'other' } : undefined;
  },
};

/** Paths a collector of any name writes to: `<collector>.json`, `<name>/<collector>.json`. */
const otherJson = /^(?!analysis\.json$)(?:[^/]+\/)?[^/]+\.json$/;

function inClusterResources([first = '', ...rest]: readonly string[]): Holding | undefined {
  if (first === 'custom-resources') return customResource(rest);
  if (first === 'pods' && rest[0] === 'logs') return podLog(rest.slice(1));
  if (!objectFile.test(rest.at(-1) ?? first)) return undefined;
  if (rest.length === 0) {
    const name = first.replace(objectFile, '');
    const failed = /^(.*)-errors$/.exec(name)?.[1];
    if (failed !== undefined) {
      const key = inNamespace.get(failed) ?? inCluster.get(failed);
      return { what: 'failures', key: key ?? '' };
    }
    const key = inCluster.get(name);
    return key === undefined ? undefined : objects(key, undefined);
  }
  const key = inNamespace.get(first);
  const namespace = rest[0]?.replace(objectFile, '');
  return key === undefined || rest.length !== 1 ? undefined : objects(key, namespace);
}

/** `<plural.group>.json`, `<plural.group>/<namespace>.json`; YAML beside it is another copy of the same. */
function customResource([first = '', second]: readonly string[]): Holding | undefined {
  const file = second ?? first;
  if (!objectFile.test(file)) return undefined;
  if (second === undefined && first.endsWith('-errors.json')) return { what: 'failures', key: '' };
  const holding =
    second === undefined
      ? objects(first.replace(objectFile, ''), undefined)
      : objects(first, file.replace(objectFile, ''));
  return { ...holding, isCopy: !file.endsWith('.json') };
}

/** `<namespace>/<pod>/<container>[-previous].log`. */
function podLog([namespace, pod, file]: readonly string[]): Holding | undefined {
  const [, container, kind] = /^(.+?)(-previous|-logs-errors)?\.log$/.exec(file ?? '') ?? [];
  if (namespace === undefined || pod === undefined || container === undefined) return undefined;
  if (kind === '-logs-errors') return { what: 'log-failure', namespace, pod, container };
  return {
    what: 'log',
    namespace,
    pod,
    container,
    run: kind === '-previous' ? 'previous' : 'current',
    restarts: 0,
    rotatedAt: '',
    isGzip: false,
  };
}

function objects(key: string, namespace: string | undefined): Holding & { what: 'objects' } {
  return { what: 'objects', key, namespace, form: 'list', isCopy: false };
}
