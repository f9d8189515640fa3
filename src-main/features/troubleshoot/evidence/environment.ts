import type { TemplateContainer } from '../../../cluster-model/index.ts';
import { objectIn, wasReadWhole } from '../../../cluster-model/index.ts';
import type { EnvironmentSeen, Variable } from '../logs/seen.ts';
import type { Backend } from './backends.ts';
import type { ListingsBeforeEvents } from './listings.ts';
import type { Reading } from './reading.ts';

/** Placeholder a bundle has for a redacted value: it is set, and nothing more is known. */
const redacted = '***HIDDEN***';

export type Environment = {
  readonly variables: ReadonlyMap<string, Variable>;
  readonly whole: boolean;
};

/** The environment of each backend: as its Deployment has it, else as far as its custom resource says. */
export function seenEnvironments(reading: Reading): EnvironmentSeen[] {
  return reading.backends.map((backend): EnvironmentSeen => {
    const { variables, whole } = environmentOf(backend, reading.listings);
    const { container, resource, owner, part } = backend;
    return {
      kind: 'environment',
      part,
      object: container === undefined ? resource : owner,
      owner,
      container: container?.name,
      ref: container === undefined ? 'spec.env' : `env of container ${container.name}`,
      variables,
      whole,
    };
  });
}

export function environmentOf(
  { container, env, row }: Pick<Backend, 'container' | 'env' | 'row'>,
  listings: ListingsBeforeEvents,
): Environment {
  // What the operator adds to a custom resource's variables is known from the Deployment alone.
  return container === undefined
    ? { ...resolve({ env, envFrom: [] }, row.namespace, listings), whole: false }
    : resolve(container, row.namespace, listings);
}

/** Variables of a container as far as they are known without the value of any secret (core/v1, Container: env, envFrom). */
export function resolve(
  { env, envFrom }: Pick<TemplateContainer, 'env' | 'envFrom'>,
  namespace: string,
  { secrets, configMaps }: Pick<ListingsBeforeEvents, 'secrets' | 'configMaps'>,
): Environment {
  const variables = new Map<string, Variable>();
  let whole = true;
  const secretOf = finder(secrets.items, namespace);
  const configOf = finder(configMaps.items, namespace);
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const config = configMapRef && configOf(configMapRef.name);
    const secret = secretRef && secretOf(secretRef.name);
    for (const [name, value] of Object.entries(config?.data ?? {}))
      variables.set(prefix + name, known(value));
    for (const name of Object.keys(secret?.data ?? {}))
      variables.set(prefix + name, { is: 'reference', description: `Secret ${secretRef?.name}` });
    if (configMapRef && config === undefined && !wasReadWhole(configMaps)) whole = false;
    // Without its values a bundle may have left out its keys, too.
    if (secretRef && (secret === undefined ? !wasReadWhole(secrets) : Object.keys(secret.data).length === 0))
      whole = false;
  }
  for (const { name, value, valueFrom } of env) {
    const { secretKeyRef: secret, configMapKeyRef: config, fieldRef } = valueFrom ?? {};
    if (secret !== undefined) {
      const held = secretOf(secret.name);
      const missing = held === undefined ? wasReadWhole(secrets) : !(secret.key in held.data);
      if (secret.optional === true && missing) variables.delete(name);
      else
        variables.set(name, {
          is: 'reference',
          description: `key ${secret.key} of Secret ${secret.name ?? ''}`,
        });
    } else if (config !== undefined) {
      const held = configOf(config.name);
      const found = held?.data[config.key];
      if (found !== undefined) variables.set(name, known(found));
      else if (config.optional === true && (held !== undefined || wasReadWhole(configMaps)))
        variables.delete(name);
      else
        variables.set(name, {
          is: 'reference',
          description: `key ${config.key} of ConfigMap ${config.name ?? ''}`,
        });
    } else if (fieldRef !== undefined)
      variables.set(name, { is: 'reference', description: `field ${fieldRef.fieldPath}` });
    // A variable of another source, such as a resource's limit, has a value that is not known.
    else if (value === undefined && valueFrom !== undefined)
      variables.set(name, { is: 'reference', description: 'another source' });
    else variables.set(name, known(value ?? ''));
  }
  return { variables, whole };
}

const known = (value: string): Variable =>
  value.includes(redacted)
    ? { is: 'reference', description: 'a value that was left out' }
    : { is: 'value', value };

function finder<
  Item extends { readonly metadata: { readonly name: string; readonly namespace?: string | undefined } },
>(items: readonly Item[], namespace: string): (name: string | undefined) => Item | undefined {
  return (name) => objectIn(items, { name: name ?? '', namespace });
}
