import { certificatesIn, describeMeshCas, keyOf, wasReadWhole } from '../../../cluster-model/index.ts';
import type { CertificateSeen } from '../logs/seen.ts';
import type { Reading } from './reading.ts';

const day = 86_400_000;
/** Before its end a certificate needs a person: a mesh CA for as long, in ms, as the Security page has it, too. */
const soon = 30 * day;
/** One of a Secret, which something renews by itself most often, for this share of its life at most: renewal is late then. */
const lastShare = 0.2;
const tlsType = 'kubernetes.io/tls';

/** Certificates that do not hold, or not for long, judged at the time of the reading. */
export function seenCertificates(reading: Reading): CertificateSeen[] {
  return [...seenMeshCas(reading), ...seenTls(reading)];
}

function seenMeshCas(reading: Reading): CertificateSeen[] {
  const { listings, now } = reading;
  const { items, unreadable } = describeMeshCas(listings, now);
  const found = items.flatMap(({ row, holder }): CertificateSeen[] => {
    const is =
      healthOf(Date.parse(row.not_before), Date.parse(row.not_after), now, soon) ??
      (row.chain_ok === false ? 'incomplete' : undefined);
    if (is === undefined) return [];
    const text = `${row.subject}: valid from ${row.not_before} to ${row.not_after}${row.chain_ok === false ? '; its issuer is not in the same place, or did not sign it' : ''}`;
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

function seenTls({ listings, now, source }: Reading): CertificateSeen[] {
  return listings.secrets.items.flatMap(({ metadata, type, data }): CertificateSeen[] => {
    if (type !== tlsType || /^(.+-)?mesh-ca$/.test(metadata.name)) return [];
    const object = {
      kind: 'Secret',
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    };
    const seen = (is: CertificateSeen['is'], text: string, since?: string): CertificateSeen[] => [
      { kind: 'certificate', of: 'tls', is, text, object, owner: object, ref: 'data[tls.crt]', since },
    ];
    const missing = ['tls.crt', 'tls.key'].filter((key) => !(key in data));
    if (missing.length > 0)
      return source === 'bundle' && Object.keys(data).length === 0
        ? []
        : seen('incomplete', `It has no ${missing.join(' and no ')}`);
    // What a bundle left out, or is no certificate to us, is not judged.
    const certificates = certificatesIn(data['tls.crt'] ?? '') ?? [];
    for (const certificate of certificates) {
      const from = certificate.validFromDate;
      const to = certificate.validToDate;
      const life = to.getTime() - from.getTime();
      const is = healthOf(from.getTime(), to.getTime(), now, Math.min(soon, life * lastShare));
      // When a bundle was taken is known from what it holds only: one that begins later shows it to be newer.
      if (is === undefined || (is === 'not_yet_valid' && source === 'bundle')) continue;
      const subject =
        certificate.subject?.split('\n').join(', ') ||
        certificate.subjectAltName ||
        'a certificate without a name';
      return seen(
        is,
        `${subject}: valid from ${from.toISOString()} to ${to.toISOString()}`,
        is === 'expired' ? to.toISOString() : undefined,
      );
    }
    return [];
  });
}

function healthOf(
  from: number,
  to: number,
  now: number,
  before: number,
): 'expired' | 'expires_soon' | 'not_yet_valid' | undefined {
  if (to <= now) return 'expired';
  if (from > now) return 'not_yet_valid';
  return to - now < before ? 'expires_soon' : undefined;
}
