import type { ObjectRef } from '#shared/api/cluster.ts';
import { wasReadWhole } from '../../../cluster-model/index.ts';
import { resolve } from '../evidence/environment.ts';
import type { Reading } from '../evidence/reading.ts';
import { workloadTemplates } from '../evidence/references.ts';
import { type Check, type Found, found } from './found.ts';

/** A host of a variable, and the Service it would be by the names that DNS gives them. */
type NamedHost = {
  readonly host: string;
  readonly port: number | undefined;
  readonly service: string;
  readonly namespace: string;
  /** By `.svc`: it can be nothing but a Service. */
  readonly isCertain: boolean;
};

/**
 * Variables that name a Service which does not exist, or a port that it lacks: as `name`, `name.namespace` or
 * `name.namespace.svc` (Kubernetes, DNS for Services and Pods). A short name may be resolved by something else, so it counts
 * only where the workload does not do well. Values of Secrets are not known, and not judged.
 */
export const environmentServiceMissing: Check = (reading) => {
  const known = namesIn(reading);
  return workloadTemplates(reading.listings).flatMap(({ by, template }): Found[] =>
    [...(template.spec?.initContainers ?? []), ...(template.spec?.containers ?? [])].flatMap((container) => {
      const { variables } = resolve(container, by.namespace ?? '', reading.listings);
      return [...variables].flatMap(([name, variable]): Found[] =>
        variable.is === 'reference'
          ? []
          : hostsIn(name, variable.value, by, known).flatMap((host) => {
              const fault = faultOf(host, by, reading, known);
              if (fault === undefined) return [];
              const shown = host.port === undefined ? host.host : `${host.host}:${host.port}`;
              return [
                found(by, `${name} names ${shown}: ${fault}`, {
                  container: container.name,
                  ref: `env ${name} of container ${container.name}`,
                  values: { host: host.host },
                }),
              ];
            }),
      );
    }),
  );
};

type Service = Reading['listings']['services']['items'][number];
type Names = { readonly services: ReadonlyMap<string, Service>; readonly namespaces: ReadonlySet<string> };

function namesIn({ listings }: Reading): Names {
  return {
    services: new Map(
      listings.services.items.map((item) => [`${item.metadata.namespace}/${item.metadata.name}`, item]),
    ),
    namespaces: new Set(listings.namespaces.items.map(({ metadata }) => metadata.name)),
  };
}

/** Pattern of an address, with any user before the host; a list of them is separated by commas. */
const address = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/\s]{0,200}@)?([a-z0-9.-]{1,253})(?::(\d{1,5}))?(?:[/?#]|$)/i;
const hostAndPort = /^([a-z][a-z0-9.-]{0,252}):(\d{1,5})$/i;
const hostAlone = /^([a-z][a-z0-9-]{0,62}(?:\.[a-z][a-z0-9-]{0,62})?)$/;
/** Values a variable of a host may have in place of a host. */
const noHosts = new Set([
  'all',
  'any',
  'auto',
  'default',
  'disabled',
  'enabled',
  'false',
  'none',
  'null',
  'true',
]);
const clusterName = /^([a-z0-9.-]{1,240}\.svc(?:\.[a-z0-9.-]{1,100})?)$/i;
const mostListed = 20;

function hostsIn(variable: string, value: string, by: ObjectRef, known: Names): NamedHost[] {
  // What the kubelet puts in is not known here.
  if (value.includes('$(')) return [];
  return value
    .split(',', mostListed)
    .map((one) => one.trim())
    .flatMap((one) => {
      const isPlaced = /(?:HOST|ADDR|ADDRESS|ENDPOINT|URL|SERVER|TARGET|UPSTREAM)S?$/i.test(variable);
      const isHost = /(?:_HOST|_HOSTNAME|^HOST)$/i.test(variable) && !noHosts.has(one);
      const [, host, port] =
        address.exec(one) ??
        (isPlaced ? hostAndPort.exec(one) : null) ??
        (isHost ? hostAlone.exec(one) : null) ??
        clusterName.exec(one) ??
        [];
      const named = host === undefined ? undefined : serviceNamed(host.toLowerCase(), by, known);
      return named === undefined
        ? []
        : [{ ...named, host: host ?? '', port: port === undefined ? undefined : Number(port) }];
    });
}

/** The Service that a name would be; undefined for a host that is none, such as one on the internet. */
function serviceNamed(
  host: string,
  by: ObjectRef,
  { namespaces }: Names,
): Omit<NamedHost, 'host' | 'port'> | undefined {
  const labels = host.replace(/\.$/, '').split('.');
  const svc = labels.indexOf('svc');
  if (svc >= 2) {
    // Before the Service may stand the name of one of its pods.
    const [service = '', namespace = ''] = labels.slice(svc - 2, svc);
    return { service, namespace, isCertain: true };
  }
  const [service = '', namespace = '', ...more] = labels;
  if (more.length > 0 || /^\d*$/.test(service) || service === 'localhost') return undefined;
  if (namespace === '') return { service, namespace: by.namespace ?? '', isCertain: false };
  return namespaces.has(namespace) ? { service, namespace, isCertain: false } : undefined;
}

function faultOf(
  { service, namespace, port, isCertain }: NamedHost,
  by: ObjectRef,
  { listings, workloadOf, isReadIn }: Reading,
  { services, namespaces }: Names,
): string | undefined {
  const state = workloadOf(by)?.row.state;
  if (!isCertain && state !== 'failing' && state !== 'degraded') return undefined;
  const own = services.get(`${namespace}/${service}`);
  if (own === undefined) {
    // A cluster that tells of no namespace at all does not tell.
    const namespacesKnown = wasReadWhole(listings.namespaces) && namespaces.size > 0;
    if (wasReadWhole(listings.services) && namespacesKnown && !namespaces.has(namespace))
      return `there is no namespace ${namespace}`;
    return isReadIn('services', namespace) ? `there is no Service ${service} in ${namespace}` : undefined;
  }
  const { type, clusterIP, ports } = own.spec;
  // Behind these a port is that of what answers, not that of the Service.
  if (port === undefined || type === 'ExternalName' || clusterIP === 'None' || ports.length === 0)
    return undefined;
  return ports.some((each) => each.port === port)
    ? undefined
    : `Service ${service} in ${namespace} has no port ${port}, it has ${ports.map((each) => each.port).join(', ')}`;
}
