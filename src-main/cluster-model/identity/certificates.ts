import { X509Certificate } from 'node:crypto';

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * The certificates in a value: PEM, or base64 of PEM as a Secret holds it. Undefined when it is no certificate at all,
 * such as a value that a bundle left out.
 */
export function certificatesIn(value: string): readonly X509Certificate[] | undefined {
  const pem = value.includes('-----BEGIN') ? value : Buffer.from(value, 'base64').toString('latin1');
  try {
    const found = [...pem.matchAll(block)].map(([text]) => new X509Certificate(text));
    return found.length > 0 ? found : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether signatures lead from a certificate to a self-signed one among those given with it. Undefined for a
 * single self-signed certificate: there is nothing to check.
 */
export function chainHolds(
  certificate: X509Certificate,
  beside: readonly X509Certificate[],
): boolean | undefined {
  const others = beside.filter((other) => other.fingerprint256 !== certificate.fingerprint256);
  if (isSelfSigned(certificate)) return others.length === 0 ? undefined : true;
  let at = certificate;
  // No chain is longer than what there is.
  for (let steps = 0; steps <= others.length; steps++) {
    const issuer = others.find((other) => isIssuedBy(at, other));
    if (issuer === undefined) return false;
    if (isSelfSigned(issuer)) return true;
    at = issuer;
  }
  return false;
}

function isSelfSigned(certificate: X509Certificate): boolean {
  return isIssuedBy(certificate, certificate);
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    // A key type that this program cannot check.
    return false;
  }
}
