import type { Environment } from './read-config.ts';
import { variables } from './variables.ts';

const secrets: ReadonlySet<string> = new Set(
  variables.filter(({ secret }) => secret).map(({ name }) => name),
);

/** Returns whether a variable of the environment holds a secret of the console. Windows knows a name in any case. */
export function isSecretVariable(name: string): boolean {
  return secrets.has(name.toUpperCase());
}

/** Returns an environment for another program, such as one a kubeconfig names: without the secrets of the console. */
export function withoutSecrets(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSecretVariable(name)));
}
