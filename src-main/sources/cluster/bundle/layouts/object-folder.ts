import { type Layout, objectFile } from './types.ts';

/** Any folder with output of `kubectl get -o json|yaml` in it: each file says for itself what it holds. */
export const objectFolder: Layout = {
  name: 'objects',
  scope: 'unknown',
  holdingOf(path) {
    if (objectFile.test(path))
      return { what: 'objects', key: '', namespace: undefined, form: 'list', isCopy: false };
    // As support-bundle-kit writes logs.
    const [, namespace, pod, container] = /(?:^|\/)logs\/([^/]+)\/([^/]+)\/([^/]+)\.log$/.exec(path) ?? [];
    if (namespace === undefined || pod === undefined || container === undefined) return undefined;
    return {
      what: 'log',
      namespace,
      pod,
      container,
      run: 'current',
      restarts: 0,
      rotatedAt: '',
      isGzip: false,
    };
  },
};
