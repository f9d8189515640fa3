import { type CertifiedKey, issueCertificate, type KubeObject } from '../../kube-api/index.ts';
import { ago, type EstateContext } from './context.ts';
import type { MeshCaSeed } from './seed-schema.ts';

const organisation = 'northgate';
const day = 86_400_000;

type Root = CertifiedKey & { readonly name: string; readonly organisation: string };

/** The mesh CA Secrets: real certificates with their keys, new at every start. */
export function meshCas(context: EstateContext): KubeObject[] {
  const roots = new Map<string, Root>();
  return context.seed.mesh_cas.map((seed) => {
    const issuer = seed.issuer === undefined ? undefined : roots.get(seed.issuer);
    const issued = issueFor(context, seed, issuer);
    roots.set(seed.namespace, { ...issued, name: seed.subject, organisation });
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'mesh-ca',
        namespace: seed.namespace,
        creationTimestamp: ago(context, 80 * day),
      },
      type: 'kubernetes.io/tls',
      data: {
        'ca.crt': base64(issuer?.cert ?? issued.cert),
        'tls.crt': base64(issued.cert),
        'tls.key': base64(issued.key),
      },
    };
  });
}

function issueFor(context: EstateContext, seed: MeshCaSeed, issuer: Root | undefined): CertifiedKey {
  const valid = {
    notBefore: context.start - 80 * day,
    notAfter: context.start + (seed.ends ?? -(seed.ended ?? 0)),
  };
  // Of a wrong chain the signer has the right name and another key.
  const signer =
    issuer !== undefined && seed.wrong_key
      ? {
          ...issueCertificate({ name: issuer.name, organisation, isCa: true, ...valid }),
          name: issuer.name,
          organisation,
        }
      : issuer;
  return issueCertificate({
    name: seed.subject,
    organisation,
    isCa: true,
    ...(signer === undefined ? {} : { issuer: signer }),
    ...valid,
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
