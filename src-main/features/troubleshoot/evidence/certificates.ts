import {
  describeMeshCas,
  formatTime,
  isMeshCaHolder,
  keyOf,
  validityOf,
  wasReadWhole,
} from '../../../cluster-model/index.ts';
import type { CertificateSeen } from '../logs/seen.ts';
import type { Reading } from './reading.ts';

const tlsType = 'kubernetes.io/tls';

/** Certificates that do not hold, or not for long, judged at the time of the reading. */
export function seenCertificates(reading: Reading): CertificateSeen[] {
  return [...seenMeshCas(reading), ...seenIncomplete(reading), ...seenHeld(reading)];
}

function seenMeshCas(reading: Reading): CertificateSeen[] {
  const { listings, now } = reading;
  const { items, unreadable } = describeMeshCas(listings, now);
  const found = items.flatMap(({ row, holder }): CertificateSeen[] => {
    const dates = { from: Date.parse(row.not_before), to: Date.parse(row.not_after) };
    const validity = validityOf(dates, now, 'by_hand').is;
    const is = validity === 'valid' ? (row.chain_ok === false ? 'incomplete' : undefined) : validity;
    if (is === undefined) return [];
    const text = `${row.subject}: valid from ${formatTime(row.not_before)} to ${formatTime(row.not_after)}${row.chain_ok === false ? '; its issuer is not in the same place, or did not sign it' : ''}`;
    return [
      {
        kind: 'certificate',
        of: 'mesh_ca',
        is,
        text,
        object: holder,
        owner: holder,
        ref: row.found_in,
        since: is === 'expired' ? row.not_after : undefined,
      },
    ];
  });
  const sentences = new Map(
    unreadable.map((each) => [/ (\S+ in \S+) has neither/.exec(each)?.[1], each] as const),
  );
  const reported = new Set(found.flatMap(({ object }) => (object === undefined ? [] : [keyOf(object)])));
  for (const secret of [...listings.secrets.items, ...listings.configMaps.items]) {
    const { name, namespace } = secret.metadata;
    const sentence = sentences.get(`${name} in ${namespace}`);
    if (sentence === undefined) continue;
    const kind = sentence.startsWith('Secret') ? 'Secret' : 'ConfigMap';
    const object = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
    // A bundle may have left its values out, keys and all.
    if (Object.keys(secret.data).length === 0 && reading.source === 'bundle') continue;
    if (!reported.has(keyOf(object)))
      found.push({
        kind: 'certificate',
        of: 'mesh_ca',
        is: 'incomplete',
        text: sentence,
        object,
        owner: object,
        ref: 'data',
      });
  }
  return [...found, ...withoutCa(reading, new Set(items.map(({ row }) => row.namespace)))];
}

/** A backend that does not come up in a namespace that has no mesh CA at all, as far as all of it was read. */
function withoutCa({ listings, backends }: Reading, held: ReadonlySet<string>): CertificateSeen[] {
  if (!wasReadWhole(listings.secrets) || !wasReadWhole(listings.configMaps)) return [];
  return backends.flatMap(({ part, row, owner, resource }): CertificateSeen[] =>
    part === 'campaign' || held.has(row.namespace) || row.workload?.state !== 'failing'
      ? []
      : [
          {
            kind: 'certificate',
            of: 'mesh_ca',
            is: 'no_ca',
            text: `No Secret or ConfigMap of ${row.namespace} holds a mesh CA`,
            object: resource,
            owner,
            ref: 'Secrets and ConfigMaps of the namespace',
          },
        ],
  );
}

/** Secrets of type kubernetes.io/tls that lack their certificate or key. */
function seenIncomplete({ listings, source }: Reading): CertificateSeen[] {
  return listings.secrets.items.flatMap(({ metadata, type, data }): CertificateSeen[] => {
    if (type !== tlsType || isMeshCaHolder({ metadata })) return [];
    const missing = ['tls.crt', 'tls.key'].filter((key) => !(key in data));
    if (missing.length === 0 || (source === 'bundle' && Object.keys(data).length === 0)) return [];
    const object = {
      kind: 'Secret',
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    };
    const text = `It has no ${missing.join(' and no ')}`;
    return [
      { kind: 'certificate', of: 'tls', is: 'incomplete', text, object, owner: object, ref: 'data[tls.crt]' },
    ];
  });
}

/** Every other certificate that does not hold, or not for long, in each object that has it. */
function seenHeld({ certificates }: Reading): CertificateSeen[] {
  return certificates.items.flatMap(({ row, ill }) =>
    ill.map(
      ({ holder, key, use, isTlsSecret, is }): CertificateSeen => ({
        kind: 'certificate',
        of: isTlsSecret ? 'tls' : use === 'kubeconfig' ? 'kubeconfig' : 'held',
        is,
        text: `${row.subject}: valid from ${formatTime(row.not_before)} to ${formatTime(row.not_after)}`,
        object: holder,
        owner: holder,
        ref: `data[${key}]`,
        values: { key },
        since: is === 'expired' ? row.not_after : undefined,
      }),
    ),
  );
}
