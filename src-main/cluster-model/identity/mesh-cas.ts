import type { X509Certificate } from 'node:crypto';
import type { MeshCa, ObjectRef } from '#shared/api/cluster.ts';
import { platformPrefix } from '#shared/platform/labels.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { Listing } from '../kinds/types.ts';
import { certificatesIn, chainHolds } from './certificates.ts';
import { stateOfValidity, validityOf } from './validity.ts';

export type MeshCaListings = {
  readonly secrets: Listing<ObjectOf<typeof resources.secrets>>;
  readonly configMaps: Listing<ObjectOf<typeof resources.configMaps>>;
};
/** Marks a Secret or ConfigMap as holding a mesh CA, whatever its name; with any value but `false`. */
const meshCaLabel = `${platformPrefix}/mesh-ca`;
const keys = ['ca.crt', 'tls.crt'];
const day = 86_400_000;

type Holder = {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly data: Readonly<Record<string, string>>;
};

/** A certificate, and the object that holds it. */
export type HeldMeshCa = { readonly row: MeshCa; readonly holder: ObjectRef };

/**
 * Every mesh CA certificate, by namespace and place, judged at `now` (epoch ms); `unreadable` names what should be one
 * and is none, a sentence each.
 */
export function describeMeshCas(
  { secrets, configMaps }: MeshCaListings,
  now: number,
): { readonly items: HeldMeshCa[]; readonly unreadable: string[] } {
  const items: HeldMeshCa[] = [];
  const unreadable: string[] = [];
  const read = (kind: string, holder: Holder): void => {
    const { name, namespace = '' } = holder.metadata;
    if (!isMeshCaHolder(holder)) return;
    const present = keys.filter((key) => (holder.data[key] ?? '') !== '');
    if (present.length === 0)
      unreadable.push(`${kind} ${name} in ${namespace} has neither ca.crt nor tls.crt.`);
    const found = present.flatMap((key) => {
      const certificates = certificatesIn(holder.data[key] ?? '');
      if (certificates === undefined)
        unreadable.push(`${key} of ${kind} ${name} in ${namespace} holds no certificate that can be read.`);
      return certificates === undefined ? [] : [{ key, certificates }];
    });
    const beside = found.flatMap(({ certificates }) => certificates);
    const reported = new Set<string>();
    for (const { key, certificates } of found) {
      const [first] = certificates;
      if (first === undefined || reported.has(first.fingerprint256)) continue;
      reported.add(first.fingerprint256);
      items.push({
        row: describe(first, { namespace, found_in: `${kind} ${name}, key ${key}`, beside, now }),
        holder: { kind, name, namespace },
      });
    }
  };
  for (const secret of secrets.items) read('Secret', secret);
  for (const configMap of configMaps.items) read('ConfigMap', configMap);
  items.sort(
    ({ row: a }, { row: b }) =>
      a.namespace.localeCompare(b.namespace) || a.found_in.localeCompare(b.found_in),
  );
  return { items, unreadable };
}

/** Returns whether a Secret or ConfigMap is to hold a mesh CA, by its name or label. */
export function isMeshCaHolder({ metadata: { name, labels } }: Pick<Holder, 'metadata'>): boolean {
  return /^(.+-)?mesh-ca$/.test(name) || (labels[meshCaLabel] ?? 'false') !== 'false';
}

function describe(
  certificate: X509Certificate,
  address: {
    readonly namespace: string;
    readonly found_in: string;
    readonly beside: readonly X509Certificate[];
    readonly now: number;
  },
): MeshCa {
  const { namespace, found_in, now } = address;
  const chain_ok = chainHolds(certificate, address.beside);
  return {
    namespace,
    found_in,
    // One name a line, in the order of the certificate.
    subject: certificate.subject.split('\n').join(', '),
    fingerprint: certificate.fingerprint256,
    not_before: certificate.validFromDate.toISOString(),
    not_after: certificate.validToDate.toISOString(),
    days_left: Math.floor((certificate.validToDate.getTime() - now) / day),
    chain_ok,
    ...healthOf(certificate, chain_ok, now),
  };
}

function healthOf(
  certificate: X509Certificate,
  chainOk: boolean | undefined,
  now: number,
): Pick<MeshCa, 'state' | 'reason'> {
  const dates = { from: certificate.validFromDate.getTime(), to: certificate.validToDate.getTime() };
  const { is, reason } = validityOf(dates, now, 'by_hand');
  if (chainOk === false && is !== 'expired' && is !== 'not_yet_valid')
    return { state: 'failing', reason: 'its issuer is not in the same place, or did not sign it' };
  return { state: stateOfValidity[is], ...(reason === undefined ? {} : { reason }) };
}
