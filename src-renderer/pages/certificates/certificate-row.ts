import type { HeldCertificate, MeshCa } from '#shared/api/cluster.ts';

/** What a certificate is for. */
export type CertificateUse = HeldCertificate['use'] | 'mesh_ca';

/** A certificate as the page lists it: a mesh CA of a namespace, or any other, which is listed once for all its places. */
export type CertificateRow = Omit<HeldCertificate, 'use' | 'issuer' | 'places' | 'place_count'> &
  Pick<MeshCa, 'chain_ok'> &
  Partial<Pick<HeldCertificate, 'issuer' | 'places' | 'place_count'>> & { readonly use: CertificateUse };

/** Certificates of an answer, mesh CAs first. */
export const certificateRows = (answer: {
  readonly items: readonly MeshCa[];
  readonly certificates: readonly HeldCertificate[];
}): readonly CertificateRow[] => [
  ...answer.items.map((ca): CertificateRow => ({ ...ca, use: 'mesh_ca' })),
  ...answer.certificates,
];
