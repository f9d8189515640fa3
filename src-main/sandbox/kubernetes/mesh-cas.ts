import { type CertifiedKey, issueCertificate, type KubeObject } from '../../kube-api/index.ts';
import { ago, type EstateContext } from './context.ts';
import type { ClusterSeed, MeshCaSeed } from './seed-schema.ts';

const organisation = 'northgate';
const day = 86_400_000;

/** A CA with its key, and what whoever checks a signature of it must know. */
export type MeshCa = CertifiedKey & {
  readonly name: string;
  readonly organisation: string;
  /** Epoch ms, both. */
  readonly notBefore: number;
  readonly notAfter: number;
};

/** The mesh CAs of the seed by namespace: real certificates with their keys, new at every start (epoch ms). */
export function issueMeshCas(seed: ClusterSeed, start: number): ReadonlyMap<string, MeshCa> {
  const issued = new Map<string, MeshCa>();
  for (const each of seed.mesh_cas) {
    const issuer = each.issuer === undefined ? undefined : issued.get(each.issuer);
    issued.set(each.namespace, issueFor(start, each, issuer));
  }
  return issued;
}

function issueFor(start: number, seed: MeshCaSeed, issuer: MeshCa | undefined): MeshCa {
  const named = {
    name: seed.subject,
    organisation,
    notBefore: start - 80 * day,
    notAfter: start + (seed.ends ?? -(seed.ended ?? 0)),
  };
  // Of a wrong chain the signer has the right name and another key.
  const signer =
    issuer !== undefined && seed.wrong_key
      ? { ...issuer, ...issueCertificate({ ...named, name: issuer.name, isCa: true }) }
      : issuer;
  const pair = issueCertificate({
    ...named,
    isCa: true,
    ...(signer === undefined ? {} : { issuer: signer }),
  });
  return { ...named, ...pair };
}

/** A member's certificate of a CA, valid as long as the CA is. */
export function meshLeaf(ca: MeshCa, { name, namespace }: { name: string; namespace: string }): CertifiedKey {
  const { notBefore, notAfter } = ca;
  const hosts = [`${name}.${namespace}.svc`, 'localhost', '127.0.0.1'];
  return issueCertificate({ name, organisation, issuer: ca, hosts, notBefore, notAfter });
}

/** The mesh CA Secrets of the namespaces. */
export function meshCaSecrets(context: EstateContext): KubeObject[] {
  return context.seed.mesh_cas.flatMap(({ namespace, issuer }) => {
    const ca = context.meshCas.get(namespace);
    if (ca === undefined) return [];
    const signer = issuer === undefined ? undefined : context.meshCas.get(issuer);
    return [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'mesh-ca', namespace, creationTimestamp: ago(context, 80 * day) },
        type: 'kubernetes.io/tls',
        data: {
          'ca.crt': base64((signer ?? ca).cert),
          'tls.crt': base64(ca.cert),
          'tls.key': base64(ca.key),
        },
      },
    ];
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
