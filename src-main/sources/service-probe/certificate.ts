import type { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect, rootCertificates, type TLSSocket } from 'node:tls';
import type { CertificateFacts } from '#shared/api/connectors.ts';
import { errorCode, ProbeError, socketFault } from './probe-error.ts';

/** What is checked of a certificate, by the name libpq has for it. */
export type TlsMode = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

export type TlsOptions = {
  readonly host: string;
  readonly peer: string;
  readonly mode: TlsMode;
  /** Certificates to trust beside those of this program, in PEM. */
  readonly ca: string | undefined;
};

export type Secured = { readonly socket: TLSSocket; readonly facts: CertificateFacts };

/** Most names listed of a certificate. */
const mostNames = 20;

/** Shakes hands over an open connection, whoever signed the certificate, and returns the facts. Throws `ProbeError`. */
export function secure(socket: Socket, { host, peer, mode, ca }: TlsOptions): Promise<Secured> {
  return new Promise((resolve, reject) => {
    const tls = connect({
      socket,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      // Judged below, so that a certificate that is not accepted is described, too.
      rejectUnauthorized: false,
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    });
    tls.once('error', (error) => reject(new ProbeError(handshakeFault(peer, error))));
    tls.once('close', () =>
      reject(new ProbeError(`${peer} closed the connection during the TLS handshake.`)),
    );
    tls.once('secureConnect', () => {
      const peerCertificate = tls.getPeerX509Certificate();
      if (peerCertificate === undefined) return reject(new ProbeError(`${peer} presented no certificate.`));
      resolve({ socket: tls, facts: factsOf(peerCertificate, tls, host, mode, Date.now()) });
    });
  });
}

/** Returns the sentence on a certificate that the mode does not accept; undefined for one it accepts. */
export function certificateFault(facts: CertificateFacts, host: string, mode: TlsMode): string | undefined {
  if (!facts.verified || facts.fault === undefined) return undefined;
  if (facts.fault === 'name_mismatch' && mode === 'verify-ca') return undefined;
  return describeFault(facts, host);
}

/** Returns a sentence on the certificate, for a step that succeeded. */
export function certificateDetail(facts: CertificateFacts, host: string, version: string | null): string {
  const fault = facts.fault === undefined ? '' : ` Not checked: ${describeFault(facts, host)}`;
  return `${version ?? 'TLS'}, certificate of ${facts.subject} by ${facts.issuer}, valid until ${facts.not_after.slice(0, 10)}.${fault}`;
}

function describeFault(facts: CertificateFacts, host: string): string {
  const { fault, subject, issuer, not_before, not_after, names } = facts;
  if (fault === 'expired') return `The certificate of ${subject} expired on ${not_after.slice(0, 10)}.`;
  if (fault === 'not_yet_valid')
    return `The certificate of ${subject} is not valid before ${not_before.slice(0, 10)}.`;
  if (fault === 'name_mismatch')
    return `The certificate is not for ${host} but for ${names.length === 0 ? subject : names.slice(0, 5).join(', ')}.`;
  return `The certificate of ${subject} is not trusted: its issuer ${issuer} is not a known authority.`;
}

function factsOf(
  certificate: X509Certificate,
  tls: TLSSocket,
  host: string,
  mode: TlsMode,
  now: number,
): CertificateFacts {
  const from = new Date(certificate.validFrom);
  const until = new Date(certificate.validTo);
  const fault = faultOf(certificate, tls, host, { from, until, now });
  return {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    names: (certificate.subjectAltName ?? '')
      .split(', ')
      .map((name) => name.replace(/^(?:DNS|IP Address):/, ''))
      .filter((name) => name !== '')
      .slice(0, mostNames),
    not_before: from.toISOString(),
    not_after: until.toISOString(),
    fingerprint: certificate.fingerprint256,
    ...(fault === undefined ? {} : { fault }),
    verified: mode === 'verify-ca' || mode === 'verify-full',
  };
}

function faultOf(
  certificate: X509Certificate,
  tls: TLSSocket,
  host: string,
  { from, until, now }: { from: Date; until: Date; now: number },
): CertificateFacts['fault'] {
  if (until.getTime() < now) return 'expired';
  if (from.getTime() > now) return 'not_yet_valid';
  // Node reports a name that does not fit as an authorization error, too.
  const { authorizationError } = tls;
  const code =
    authorizationError instanceof Error ? errorCode(authorizationError) : String(authorizationError ?? '');
  if (!tls.authorized && !code.includes('ALTNAME')) return 'untrusted';
  const named = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  return named === undefined ? 'name_mismatch' : undefined;
}

/** The common name of a distinguished name, else all of it in one line. */
function nameOf(distinguished: string | undefined): string {
  const text = distinguished ?? '';
  const common = /^CN=(.+)$/m.exec(text)?.[1];
  return (common ?? text.replaceAll('\n', ', ')).slice(0, 200) || 'an empty name';
}

function handshakeFault(peer: string, error: Error): string {
  const code = errorCode(error);
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST|UNEXPECTED_MESSAGE|BAD_RECORD/.test(code))
    return `${peer} does not speak TLS on this port.`;
  if (/^ERR_SSL_/.test(code) || code === 'EPROTO')
    return `${peer} ended the TLS handshake (${code
      .replace(/^ERR_SSL_/, '')
      .toLowerCase()
      .replaceAll('_', ' ')}).`;
  return socketFault(peer, error, ' during the TLS handshake');
}
