import { kindKey } from '../objects/kind-key.ts';
import { type Holding, type Layout, objectFile } from './types.ts';

/** OpenShift's must-gather, and `oc adm inspect`. */
export const mustGather: Layout = {
  name: 'must-gather',
  scope: 'some-namespaces',
  holdingOf(path) {
    const [first = '', ...rest] = path.split('/');
    if (first === 'cluster-scoped-resources') return inGroup(rest, undefined);
    if (first === 'namespaces') return inNamespace(rest);
    if (path === 'timestamp') return { what: 'times' };
    if (/^aggregated-discovery-apis?\.yaml$/.test(path)) return { what: 'discovery' };
    const node = /^nodes\/([^/]+)\/\1_logs_kubelet(\.gz)?$/.exec(path);
    if (node?.[1] !== undefined) return { what: 'node-log', node: node[1], isGzip: node[2] !== undefined };
    return undefined;
  },
};

function inNamespace([namespace = '', second = '', ...rest]: readonly string[]): Holding | undefined {
  if (rest.length === 0 && second === `${namespace}.yaml`) return objects('namespaces', undefined, 'single');
  if (second !== 'pods') return inGroup([second, ...rest], namespace);
  const [pod = '', ...below] = rest;
  if (below.length === 1 && below[0] === `${pod}.yaml`)
    return { ...objects('pods', namespace, 'single'), isCopy: true };
  // The container's name comes twice in the path.
  const [container = '', , logs, ...file] = below;
  return logs === 'logs' ? containerLog({ namespace, pod, container }, file.join('/')) : undefined;
}

/** `<group|core>/<plural>.yaml` is a list, `<group|core>/<plural>/<name>.yaml` one object. */
function inGroup(
  [group = '', plural = '', name]: readonly string[],
  namespace: string | undefined,
): Holding | undefined {
  if (!objectFile.test(name ?? plural)) return undefined;
  const key = kindKey(group === 'core' ? '' : group, plural.replace(objectFile, ''));
  return name === undefined
    ? objects(key, namespace, 'list')
    : { ...objects(key, namespace, 'single'), isCopy: true };
}

function containerLog(
  of: { readonly namespace: string; readonly pod: string; readonly container: string },
  file: string,
): Holding | undefined {
  const plain = { what: 'log', ...of, restarts: 0, rotatedAt: '', isGzip: false } as const;
  if (file === 'current.log') return { ...plain, run: 'current' };
  if (file === 'previous.log') return { ...plain, run: 'previous' };
  const [, restarts, rotatedAt, gzip] = /^rotated\/(\d+)\.log\.([\d-]+)(\.gz)?$/.exec(file) ?? [];
  if (rotatedAt === undefined) return undefined;
  return { ...plain, run: 'rotated', restarts: Number(restarts), rotatedAt, isGzip: gzip !== undefined };
}

function objects(
  key: string,
  namespace: string | undefined,
  form: 'list' | 'single',
): Holding & { what: 'objects' } {
  return { what: 'objects', key, namespace, form, isCopy: false };
}
