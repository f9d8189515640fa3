import { X509Certificate } from 'node:crypto';

/** The fields of a certificate that are judged and shown. Times are epoch ms. */
export type ReadCertificate = {
  readonly subject: string;
  readonly issuer: string;
  /** SHA-256 of the DER, hex with colons. */
  readonly fingerprint: string;
  readonly from: number;
  readonly to: number;
};

/** Certificates by their PEM block: trust bundles repeat the same ones in every namespace. */
export type ReadBlocks = Map<string, ReadCertificate | undefined>;

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const ofKubeconfig =
  /["']?(?:client-certificate-data|certificate-authority-data)["']?\s*:\s*["']?([A-Za-z0-9+/=]{40,})/g;

/** Returns the PEM certificates of a kubeconfig, one after the other: nothing else of it, which has keys and tokens. */
export function pemOfKubeconfig(text: string): string {
  return [...text.matchAll(ofKubeconfig)]
    .flatMap(([, data = '']) => Buffer.from(data, 'base64').toString('latin1').match(block) ?? [])
    .join('\n');
}

/** Returns whether a text is a kubeconfig that carries certificates. */
export const isKubeconfig = (text: string): boolean =>
  text.includes('certificate-authority-data') || text.includes('client-certificate-data');

/** Returns the PEM blocks of certificates in a text, at most `most`. */
export function pemBlocks(text: string, most: number): string[] {
  const found: string[] = [];
  for (const [whole] of text.matchAll(block)) {
    if (found.length >= most) break;
    found.push(whole);
  }
  return found;
}

/** Reads a PEM block; undefined when it is no certificate. A block that was read before is not read again. */
export function readBlock(pem: string, known: ReadBlocks): ReadCertificate | undefined {
  if (known.has(pem)) return known.get(pem);
  const read = parsed(pem);
  known.set(pem, read);
  return read;
}

function parsed(pem: string): ReadCertificate | undefined {
  try {
    const certificate = new X509Certificate(pem);
    const oneLine = (name: string | undefined): string => (name ?? '').split('\n').join(', ');
    return {
      subject: oneLine(certificate.subject) || certificate.subjectAltName || 'a certificate without a name',
      issuer: oneLine(certificate.issuer),
      fingerprint: certificate.fingerprint256,
      from: certificate.validFromDate.getTime(),
      to: certificate.validToDate.getTime(),
    };
  } catch {
    return undefined;
  }
}
