import { type Config, type Environment, readConfig, withoutSecrets } from '../config/index.ts';
import type { Cluster } from '../sources/cluster/index.ts';
import { createContexts } from '../sources/cluster/live/index.ts';

/** Milliseconds for the first answer to a list: 20,000 events take some seconds. A server that is silent is given up before. */
const patience = 120_000;

/** Returns the settings of a command that runs without a console. Throws `ConfigError`. */
export function commandConfig(env: Environment): Config {
  return readConfig(env);
}

/**
 * A live target for a command that runs without a console: a context of the kubeconfig, read only. Throws `NotFound` for
 * a name that is not there, and `ConfigError`.
 */
export async function openCommandTarget(
  env: Environment,
  name: string,
): Promise<{ readonly cluster: Cluster; close(): Promise<void> }> {
  const config = readConfig(env);
  const contexts = createContexts({
    files: () => config.kubeconfig,
    loginShellPath: config.loginShellPath,
    env: withoutSecrets(env),
  });
  const cluster = await contexts.open(name, {
    writable: () => false,
    namespaces: () => (env.CONSOLE_NAMESPACES ?? '').split(',').filter((part) => part.trim() !== ''),
    now: Date.now,
    // Nobody looks at half a page: what a command prints is to be all there is.
    timing: { firstAnswer: patience, firstExplained: patience },
  });
  return { cluster, close: async () => cluster.close() };
}
