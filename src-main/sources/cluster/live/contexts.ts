import { ConsoleError } from '#shared/errors.ts';
import { faultyContext, type KubeContext, readInCluster, readKubeconfig, stampOf } from './kubeconfig.ts';
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
  let kept: { readonly stamp: string; readonly read: Promise<AllContexts> } | undefined;
  let inCluster: Promise<KubeContext | undefined> | undefined;
  let shellPath: Promise<string | undefined> | undefined;

  const kubeconfig = oneAtATime(async (): Promise<AllContexts> => {
    const paths = files();
    const attached = options.attached?.() ?? [];
    const every = [...paths, '', ...attached];
    const stamp = [...every, ...(await Promise.all(every.map(stampOf)))].join('\n');
    if (kept?.stamp !== stamp) kept = { stamp, read: readAll(paths, attached) };
    return kept.read;
  });
  const all = async (): Promise<readonly OneContext[]> => {
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
      return (await all()).map(({ name, kind, server, fault, file }) => ({
        name,
        kind,
        server,
        fault,
        ...(file === undefined ? {} : { file }),
      }));
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

/**
 * Does one look for all who ask at the same time: two thousand readers look at the same files. Nobody is given a look that
 * began before they asked, which might have missed what they did just then.
 */
function oneAtATime<T>(look: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const began = look();
    const end = (): void => {
      if (underWay === began) underWay = undefined;
    };
    underWay = began;
    began.then(end, end);
    return began;
  };
  return () => {
    if (underWay === undefined) return begin();
    next ??= underWay.then(begin, begin);
    return next;
  };
}

/** A context, and the attached file that has it. */
type OneContext = KubeContext & { readonly file?: string };
type AllContexts = { readonly contexts: readonly OneContext[]; readonly current: string | undefined };

/** Reads the files together, and each attached one by itself. The first current-context counts. */
async function readAll(paths: readonly string[], attached: readonly string[]): Promise<AllContexts> {
  const together = await readKubeconfig(paths);
  const contexts: OneContext[] = [...together.contexts];
  let { current } = together;
  for (const file of attached) {
    const { contexts: own, current: ownCurrent } = await readKubeconfig([file]);
    for (const context of own) {
      const name = freeName(context, contexts);
      contexts.push({ ...context, name, file });
      if (context.name === ownCurrent) current ??= name;
    }
  }
  return { contexts, current };
}

/** The name of a context, with its server and a number where others have it. */
function freeName({ name, server }: KubeContext, taken: readonly KubeContext[]): string {
  const isFree = (candidate: string): boolean => !taken.some((other) => other.name === candidate);
  if (isFree(name)) return name;
  const named = `${name} (${server?.host ?? 'attached'})`;
  for (let number = 2; ; number += 1) {
    const candidate = number === 2 ? named : `${named} ${number - 1}`;
    if (isFree(candidate)) return candidate;
  }
}
