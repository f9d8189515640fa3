import type { X509Certificate } from 'node:crypto';
import { counted } from '#shared/text.ts';
import type { ObjectOf, resources } from '../../../cluster-model/index.ts';
import { agesSince, certificatesIn } from '../../../cluster-model/index.ts';
import type { Reading } from '../evidence/reading.ts';
import { type Check, type Found, found, refOf } from './found.ts';

type Ingress = ObjectOf<typeof resources.ingresses>;

/**
 * Hosts of an Ingress that the certificate of their Secret is not for (RFC 6125: its subject alternative names; browsers
 * have not taken its common name for years). A certificate that was not read is not judged.
 */
export const ingressHostNotCovered: Check = ({ listings }) => {
  const secrets = new Map(
    listings.secrets.items.map(({ metadata, data }) => [`${metadata.namespace}/${metadata.name}`, data]),
  );
  return listings.ingresses.items.flatMap((ingress): Found[] => {
    const { metadata, spec } = ingress;
    return spec.tls.flatMap(({ hosts, secretName }, index): Found[] => {
      const data = secrets.get(`${metadata.namespace}/${secretName}`);
      const leaf = certificatesIn(data?.['tls.crt'] ?? '')?.[0];
      if (leaf === undefined) return [];
      return hostsOf(ingress, hosts)
        .filter((host) => !covers(leaf, host))
        .map((host) =>
          found(
            refOf('Ingress', metadata),
            `The certificate of Secret ${secretName} is for ${namesOf(leaf)}, not for ${host}`,
            { ref: `spec.tls[${index}]`, values: { host } },
          ),
        );
    });
  });
};

/** An entry without hosts is for those of the rules that no other entry names. */
function hostsOf({ spec }: Ingress, hosts: readonly string[]): readonly string[] {
  if (hosts.length > 0) return [...new Set(hosts)];
  const named = new Set(spec.tls.flatMap((entry) => entry.hosts));
  return [...new Set(spec.rules.flatMap(({ host }) => (host && !named.has(host) ? [host] : [])))];
}

function covers(leaf: X509Certificate, host: string): boolean {
  const names = dnsNames(leaf);
  return host.startsWith('*.')
    ? names.includes(host.toLowerCase())
    : leaf.checkHost(host, { subject: 'never' }) !== undefined;
}

function dnsNames({ subjectAltName }: X509Certificate): string[] {
  return (subjectAltName ?? '')
    .split(', ')
    .flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4).toLowerCase()] : []));
}

const mostNames = 5;

function namesOf(leaf: X509Certificate): string {
  const names = dnsNames(leaf);
  if (names.length === 0) return 'no host name';
  const more = names.length - mostNames;
  return names.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A controller gives an address to what it serves within this time, in ms. */
const addressLimit = 10 * 60_000;

/**
 * Finds Ingresses of a class of which none has an address, while those of another class have: this cluster
 * reports addresses, and no controller handles the class. A cluster in which no Ingress has an address proves
 * nothing.
 */
export const ingressClassUnserved: Check = ({ listings, now, isReadIn }: Reading) => {
  const served = new Map<string, number>();
  for (const ingress of listings.ingresses.items)
    served.set(classOf(ingress), (served.get(classOf(ingress)) ?? 0) + (hasAddress(ingress) ? 1 : 0));
  const others = [...served].filter(([, count]) => count > 0);
  const more = others.length - mostNames;
  const message =
    others
      .slice(0, mostNames)
      .map(([other, count]) => `${count} of ${shown(other)}`)
      .join(', ') + (more > 0 ? ` and ${counted(more, 'more class', 'more classes')}` : '');
  return listings.ingresses.items.flatMap((ingress): Found[] => {
    const { metadata } = ingress;
    const name = classOf(ingress);
    const age = now - Date.parse(metadata.creationTimestamp ?? '');
    if (name === '' || served.get(name) !== 0 || others.length === 0 || !(age >= addressLimit)) return [];
    if (!isReadIn('ingresses', metadata.namespace)) return [];
    return [
      found(
        refOf('Ingress', metadata),
        `No Ingress of class ${name} has an address, this one for ${agesSince(age)}; with one there is ${message}`,
        { ref: 'spec.ingressClassName', values: { class: name } },
      ),
    ];
  });
};

/** The field, or the annotation from before it; empty for the default class. */
function classOf({ metadata, spec }: Ingress): string {
  return spec.ingressClassName ?? metadata.annotations['kubernetes.io/ingress.class'] ?? '';
}

const shown = (name: string): string => (name === '' ? 'the default class' : `class ${name}`);

function hasAddress({ status }: Ingress): boolean {
  return (status?.loadBalancer?.ingress ?? []).some(
    ({ ip, hostname }) => ip !== undefined || hostname !== undefined,
  );
}
