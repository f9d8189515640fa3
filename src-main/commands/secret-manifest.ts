import { ConfigError } from '../config/index.ts';

// RFC 1123 names, as the API server checks them
// (https://kubernetes.io/docs/concepts/overview/working-with-objects/names/).
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** A Kubernetes Secret as YAML. Throws `ConfigError` naming a name that the API server would refuse. */
export function secretManifest(options: {
  readonly namespace: string;
  readonly name: string;
  readonly entries: Readonly<Record<string, string>>;
}): string {
  const { namespace, name, entries } = options;
  if (!label.test(namespace)) throw new ConfigError('--namespace is not a name that a namespace can have.');
  if (!subdomain.test(name)) throw new ConfigError('--name is not a name that a Secret can have.');
  const data = Object.entries(entries).map(
    ([entry, value]) => `  ${entry}: ${Buffer.from(value).toString('base64')}\n`,
  );
  // Quoted: YAML reads some names as something else than text, such as `no` and `1e3`.
  return `apiVersion: v1
kind: Secret
metadata:
  name: "${name}"
  namespace: "${namespace}"
type: Opaque
data:
${data.join('')}`;
}
