import { type Layout, objectFile } from './types.ts';

/** `kubectl cluster-info dump --output-directory`: these kinds of a few namespaces, and nothing else. */
const keys = new Map([
  ['events', 'events'],
  ['replication-controllers', 'replicationcontrollers'],
  ['services', 'services'],
  ['daemonsets', 'daemonsets.apps'],
  ['deployments', 'deployments.apps'],
  ['replicasets', 'replicasets.apps'],
  ['pods', 'pods'],
]);

export const clusterInfo: Layout = {
  name: 'cluster-info',
  scope: 'some-namespaces',
  holdingOf(path) {
    const parts = path.split('/');
    const [namespace = '', second = '', third] = parts;
    if (parts.length === 1 && /^nodes\.(?:json|ya?ml)$/.test(path))
      return { what: 'objects', key: 'nodes', namespace: undefined, form: 'list', isCopy: false };
    if (parts.length === 3 && third === 'logs.txt') return { what: 'pod-log', namespace, pod: second };
    if (parts.length !== 2 || !objectFile.test(second)) return undefined;
    // Some wrap the dump and add kinds of their own beside it; their content tells what they are.
    const key = keys.get(second.replace(objectFile, '')) ?? '';
    return { what: 'objects', key, namespace, form: 'list', isCopy: false };
  },
};
