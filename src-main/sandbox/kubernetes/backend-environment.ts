/** A variable of a container, as Kubernetes has it. */
type Variable = { readonly name: string; readonly [field: string]: unknown };

/** Facts of a backend that the operator knows beside its own environment. */
export type BackendFacts<V extends Variable> = {
  /** Variables that the platform gives to each of its kind. */
  readonly base: Readonly<Record<string, string>>;
  /** `env` of the resource. */
  readonly env: readonly V[];
  /** Addresses that may sign in: of its instances. */
  readonly users: readonly string[];
  readonly tenant: string | undefined;
  /** Name of the runner, if it is one. */
  readonly runner: string | undefined;
};

/**
 * Returns the environment of a backend in the order in which the operator writes it, of which the last of a name counts: the
 * users who may sign in as AUTH_ALLOWED_EMAILS, then `env`, and last what always wins, COCKPIT_TENANT and RUNNER_ID (BCK-084).
 */
export function backendEnvironment<V extends Variable>({
  base,
  env,
  users,
  tenant,
  runner,
}: BackendFacts<V>): (V | { readonly name: string; readonly value: string })[] {
  return [
    ...Object.entries(base).map(([name, value]) => ({ name, value })),
    ...(users.length === 0 ? [] : [{ name: 'AUTH_ALLOWED_EMAILS', value: users.join(',') }]),
    ...env,
    ...(tenant === undefined ? [] : [{ name: 'COCKPIT_TENANT', value: tenant }]),
    ...(runner === undefined ? [] : [{ name: 'RUNNER_ID', value: runner }]),
  ];
}
