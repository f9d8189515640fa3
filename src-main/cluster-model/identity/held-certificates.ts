import type { HealthState, HeldCertificate, ObjectRef } from '#shared/api/cluster.ts';
import { healthRank } from '#shared/health/worst-first.ts';
import type { Steps } from '#shared/steps.ts';
import { counted } from '#shared/text.ts';
import { type Kept, keep, keepNothing } from '../kept.ts';
import { isMeshCaHolder, type MeshCaListings } from './mesh-cas.ts';
import {
  isKubeconfig,
  pemBlocks,
  pemOfKubeconfig,
  type ReadBlocks,
  type ReadCertificate,
  readBlock,
} from './read-certificates.ts';
import { stateOfValidity, type Validity, validityOf } from './validity.ts';

/** An object in which a certificate needs a person. */
export type IllPlace = {
  readonly holder: ObjectRef;
  readonly key: string;
  readonly use: HeldCertificate['use'];
  /** Whether it is `tls.crt` of a Secret of type kubernetes.io/tls. */
  readonly isTlsSecret: boolean;
  readonly state: HealthState;
  readonly is: Exclude<Validity['is'], 'valid'>;
};

/** A certificate, the object that holds it, the one where it is worst first, and every other one where it is ill. */
export type JudgedCertificate = {
  readonly row: HeldCertificate;
  readonly holder: ObjectRef;
  readonly ill: readonly IllPlace[];
};

export type JudgedCertificates = {
  /** Worst first, then what expires first. */
  readonly items: readonly JudgedCertificate[];
  /** Certificates that were not judged, one sentence each. */
  readonly gaps: readonly string[];
};

/** Bounds of what is read of one cluster: PEM blocks, certificates that differ, and characters of one value. */
const most = { blocks: 50_000, certificates: 5_000, characters: 4_000_000 } as const;
/** Places of one certificate that are named; their number is told in any case. */
const mostPlaces = 5;
/** Places of one certificate that are reported as ill. */
const mostIll = 100;
const day = 86_400_000;

type Use = HeldCertificate['use'];
type Holder = {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly type?: string | undefined;
  readonly data: Readonly<Record<string, string>>;
};

/** The certificates of one key of an object. */
type Place = {
  readonly holder: ObjectRef;
  readonly key: string;
  readonly use: Use;
  readonly isTlsSecret: boolean;
  readonly certificates: readonly ReadCertificate[];
};
/** Certificates of one object; `leftOut`: values of certificates that a bundle does not have. */
type Held = { readonly places: readonly Place[]; readonly leftOut: boolean; readonly blocks: number };

/**
 * Judges every certificate that Secrets, ConfigMaps and the kubeconfigs in them hold, mesh CAs apart, at `now` (epoch ms).
 * A certificate that is in several places is one, as ill as in the worst of them.
 */
export function* describeCertificates(
  { secrets, configMaps }: MeshCaListings,
  now: number,
  { isBundle = false, kept = keepNothing }: { readonly isBundle?: boolean; readonly kept?: Kept } = {},
): Steps<JudgedCertificates> {
  const known: ReadBlocks = new Map();
  const found = new Map<string, Found>();
  let blocks = 0;
  let leftOut = 0;
  let isCut = false;
  const holders = [
    ...secrets.items.map((holder) => ({ kind: 'Secret', holder })),
    ...configMaps.items.map((holder) => ({ kind: 'ConfigMap', holder })),
  ];
  for (const [index, { kind, holder }] of holders.entries()) {
    if (index % 20 === 0) yield;
    if (isMeshCaHolder(holder)) continue;
    if (blocks >= most.blocks || found.size >= most.certificates) {
      isCut = true;
      break;
    }
    const held = keep(kept, holder, 'certificates', [], () => readHolder(kind, holder, known));
    blocks += held.blocks;
    if (held.leftOut) leftOut += 1;
    for (const place of held.places) {
      yield;
      judgePlace(place, now, isBundle, found);
    }
  }
  const items: JudgedCertificate[] = [];
  for (const one of found.values()) items.push(rowOf(one, now));
  yield;
  return {
    items: items.sort(worstFirst),
    gaps: [
      ...(leftOut === 0
        ? []
        : [
            `Certificates of ${counted(leftOut, 'Secret')} were left out when the bundle was captured: they were not judged.`,
          ]),
      ...(isCut
        ? [`Only the first ${found.size} certificates were judged: the cluster holds more than are read.`]
        : []),
    ],
  };
}

type Found = {
  readonly certificate: ReadCertificate;
  state: HealthState;
  reason: string | undefined;
  use: Use;
  holder: ObjectRef;
  foundIn: string;
  readonly ill: IllPlace[];
  readonly places: { readonly namespace: string; readonly found_in: string }[];
  count: number;
};

function judgePlace(place: Place, now: number, isBundle: boolean, found: Map<string, Found>): void {
  const { holder, key, use, certificates } = place;
  const judged = certificates.map((certificate) => {
    const validity = validityOf(certificate, now, 'by_itself');
    // When a bundle was taken is known from what it holds only: one that begins later shows it to be newer.
    const isNewer = validity.is === 'not_yet_valid' && isBundle;
    return { certificate, validity: isNewer ? ({ is: 'valid' } as const) : validity };
  });
  const lasting = judged.some(({ validity }) => validity.is === 'valid');
  const usable = judged.some(({ validity }) => validity.is === 'valid' || validity.is === 'expires_soon');
  const foundIn = `${holder.kind} ${holder.name}, key ${key}`;
  const seen = new Set<string>();
  for (const { certificate, validity } of judged) {
    if (seen.has(certificate.fingerprint)) continue;
    seen.add(certificate.fingerprint);
    const { state, reason } = inPlace(use, validity, { lasting, usable });
    const at = { namespace: holder.namespace ?? '', found_in: foundIn };
    const ill: IllPlace[] =
      validity.is === 'valid' || (state !== 'failing' && state !== 'degraded')
        ? []
        : [{ holder, key, use, isTlsSecret: place.isTlsSecret, state, is: validity.is }];
    const before = found.get(certificate.fingerprint);
    if (before === undefined) {
      found.set(certificate.fingerprint, {
        certificate,
        state,
        reason,
        use,
        holder,
        foundIn,
        ill,
        places: [at],
        count: 1,
      });
      continue;
    }
    before.count += 1;
    if (before.ill.length < mostIll) before.ill.push(...ill);
    if (before.places.length < mostPlaces) before.places.push(at);
    if (healthRank(state) < healthRank(before.state))
      Object.assign(before, { state, reason, use, holder, foundIn });
  }
}

/** An expired CA in a bundle harms nobody while another one there is valid: CAs are rotated that way. */
function inPlace(
  use: Use,
  { is, reason }: Validity,
  others: { readonly lasting: boolean; readonly usable: boolean },
): { readonly state: HealthState; readonly reason: string | undefined } {
  if (use !== 'ca_bundle' || is === 'valid') return { state: stateOfValidity[is], reason };
  const isCovered = is === 'expires_soon' ? others.lasting : others.usable;
  if (!isCovered) return { state: stateOfValidity[is], reason };
  return { state: 'idle', reason: `${reason}; others of its bundle are valid` };
}

function rowOf(one: Found, now: number): JudgedCertificate {
  const { certificate, holder, ill } = one;
  return {
    holder,
    ill,
    row: {
      use: one.use,
      namespace: holder.namespace ?? '',
      found_in: one.foundIn,
      subject: certificate.subject,
      issuer: certificate.issuer,
      fingerprint: certificate.fingerprint,
      not_before: new Date(certificate.from).toISOString(),
      not_after: new Date(certificate.to).toISOString(),
      days_left: Math.floor((certificate.to - now) / day),
      places: one.places,
      place_count: one.count,
      state: one.state,
      ...(one.reason === undefined ? {} : { reason: one.reason }),
    },
  };
}

function worstFirst({ row: a }: JudgedCertificate, { row: b }: JudgedCertificate): number {
  return (
    healthRank(a.state) - healthRank(b.state) ||
    a.days_left - b.days_left ||
    a.issuer.localeCompare(b.issuer) ||
    a.subject.localeCompare(b.subject)
  );
}

const tlsType = 'kubernetes.io/tls';
/** Left by must-gather and by our own capture in the place of a value. */
const leftOutValue = /^\s*(?:\d+ bytes long|\*\*\*HIDDEN\*\*\*)\s*$/;

function readHolder(kind: string, { metadata, type, data }: Holder, known: ReadBlocks): Held {
  const { name, namespace } = metadata;
  const holder = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const places: Place[] = [];
  let leftOut = false;
  let blocks = 0;
  for (const [key, value] of Object.entries(data)) {
    if (value === '' || value.length > most.characters) continue;
    const text = kind === 'Secret' ? decoded(value) : value;
    if (kind === 'Secret' && leftOutValue.test(text)) leftOut = true;
    const isConfig = isKubeconfig(text);
    const pem = isConfig ? pemOfKubeconfig(text) : text;
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) continue;
    const found = pemBlocks(pem, most.blocks);
    blocks += found.length;
    const certificates = found.flatMap((each) => readBlock(each, known) ?? []);
    const use = isConfig || /kubeconfig/i.test(key) ? 'kubeconfig' : useOf(kind, type, key);
    const isTlsSecret = type === tlsType && key === 'tls.crt';
    if (certificates.length > 0) places.push({ holder, key, use, isTlsSecret, certificates });
  }
  return { places, leftOut, blocks };
}

const decoded = (value: string): string =>
  value.includes('-----BEGIN') || value.startsWith('***')
    ? value
    : Buffer.from(value, 'base64').toString('latin1');

function useOf(kind: string, type: string | undefined, key: string): Use {
  if (kind !== 'Secret') return 'ca_bundle';
  // Of other values of a Secret only the certificates of kubeconfigs are read.
  if (!/\.(crt|pem|cert)$/.test(key)) return 'kubeconfig';
  if (key === 'tls.crt' && type === tlsType) return 'tls';
  return /(^|[-_.])ca([-_.]|$)|bundle|root/i.test(key) ? 'ca_bundle' : 'tls';
}
