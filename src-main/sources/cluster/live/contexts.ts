import { ConsoleError } from '#shared/errors.ts';
import {
  faultyContext,
  type KubeContext,
  type Kubeconfig,
  readInCluster,
  readKubeconfig,
  stampOf,
} from './kubeconfig.ts';
import { openLiveCluster } from './live-cluster.ts';
import { loginShellPath } from './login-path.ts';
import type { Contexts, ContextsOptions } from './types.ts';

/**
 * The ways into clusters that this machine has. Contacts none of them: a kubeconfig is read when it is asked for, and
 * again when a file of it has changed.
 *
 * Without `@kubernetes/client-node` (2.0.1), which is the peer that `test/unit/sources/cluster/live/kubeconfig.test.ts` compares with: its cheapest
 * entry that knows credentials, `dist/config.js`, takes all generated models with it (0.6 to 1.0 s and 86 MB resident from
 * source, 0.2 s and 45 MB bundled), its exec plugins have no time limit and run once for each caller, and its OIDC refresh
 * fails. What stands here instead loads in 10 ms with js-yaml (4 MB).
 */
export function createContexts(options: ContextsOptions): Contexts {
  const { files, env, serviceAccount } = options;
  let kept: { readonly stamp: string; readonly read: Promise<Kubeconfig> } | undefined;
  let inCluster: Promise<KubeContext | undefined> | undefined;
  let shellPath: Promise<string | undefined> | undefined;

  const kubeconfig = async (): Promise<Kubeconfig> => {
    const stamp = (await Promise.all(files.map(stampOf))).join('\n');
    if (kept?.stamp !== stamp) kept = { stamp, read: readKubeconfig(files) };
    return kept.read;
  };
  const all = async (): Promise<readonly KubeContext[]> => {
    inCluster ??= readInCluster(env, serviceAccount);
    const own = await inCluster;
    const { contexts } = await kubeconfig();
    return own === undefined ? contexts : [own, ...contexts.filter(({ name }) => name !== own.name)];
  };
  const pluginPath = async (): Promise<string | undefined> => {
    if (!options.loginShellPath) return undefined;
    shellPath ??= loginShellPath(env);
    return shellPath;
  };

  return {
    async list() {
      return (await all()).map(({ name, kind, server, fault }) => ({ name, kind, server, fault }));
    },
    current: async () => (await kubeconfig()).current,
    async open(name, live) {
      const find = async (): Promise<KubeContext | undefined> =>
        (await all()).find((context) => context.name === name);
      if ((await find()) === undefined) throw new ConsoleError('NotFound', `There is no target ${name}.`);
      // Taken out of the kubeconfig while it is in use.
      const gone = faultyContext(name, `The kubeconfig no longer has a context ${name}.`);
      return openLiveCluster({ resolve: async () => (await find()) ?? gone, env, pluginPath }, live);
    },
  };
}
