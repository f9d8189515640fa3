import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its key, PEM both. */
export type CertifiedKey = { readonly cert: string; readonly key: string };

export type CertificateOptions = {
  /** Common name. */
  readonly name: string;
  readonly organisation?: string;
  /** Issuer; self-signed when absent. */
  readonly issuer?: CertifiedKey & { readonly name: string; readonly organisation?: string };
  /** Epoch ms, both. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Whether it may sign others. */
  readonly isCa?: boolean;
  /** Host names and IP addresses it is for. */
  readonly hosts?: readonly string[];
};

/**
 * Makes a P-256 key and a certificate of it (RFC 5280), as Node can check one but not make one. For loopback servers and
 * for what a sandbox shows; the keys live as long as the process that asked.
 */
export function issueCertificate(options: CertificateOptions): CertifiedKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { issuer = options } = options;
  const tbs = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaSha256,
    nameOf(issuer),
    sequence(time(options.notBefore), time(options.notAfter)),
    nameOf(options),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensionsOf(options, publicKey))),
  );
  const signature = sign('sha256', tbs, options.issuer?.key ?? privateKey);
  const der = sequence(tbs, ecdsaSha256, bitString(signature));
  return {
    cert: new X509Certificate(der).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A server on loopback that only who has `ca` trusts, for as long as it runs. */
export function loopbackCertificate(now: number): CertifiedKey & { readonly ca: string } {
  const day = 86_400_000;
  const valid = { notBefore: now - day, notAfter: now + 365 * day };
  const ca = issueCertificate({ name: 'operator-console loopback', isCa: true, ...valid });
  const server = issueCertificate({
    name: 'localhost',
    issuer: { ...ca, name: 'operator-console loopback' },
    hosts: ['localhost', '127.0.0.1', '::1'],
    ...valid,
  });
  return { ...server, ca: ca.cert };
}

function extensionsOf({ isCa = false, hosts = [] }: CertificateOptions, key: KeyObject): Buffer[] {
  const spki = key.export({ type: 'spki', format: 'der' });
  return [
    extension('551d13', true, isCa ? sequence(Buffer.from([0x01, 0x01, 0xff])) : sequence()),
    // keyCertSign and cRLSign, or digitalSignature.
    extension('551d0f', true, Buffer.from(isCa ? [0x03, 0x02, 0x01, 0x06] : [0x03, 0x02, 0x07, 0x80])),
    extension('551d0e', false, octets(createHash('sha1').update(spki).digest())),
    ...(hosts.length === 0 ? [] : [extension('551d11', false, sequence(...hosts.map(hostName)))]),
  ];
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(
    der(0x06, Buffer.from(id, 'hex')),
    ...(critical ? [Buffer.from([0x01, 0x01, 0xff])] : []),
    octets(value),
  );
}

function hostName(host: string): Buffer {
  if (isIP(host) === 4) return der(0x87, Buffer.from(host.split('.').map(Number)));
  if (isIP(host) === 6) {
    if (host !== '::1') throw new Error(`${host}: of IPv6 addresses only ::1 is written`);
    return der(0x87, Buffer.concat([Buffer.alloc(15), Buffer.from([1])]));
  }
  return der(0x82, Buffer.from(host));
}

function nameOf({ name, organisation }: { name: string; organisation?: string }): Buffer {
  const part = (id: string, text: string): Buffer =>
    der(0x31, sequence(der(0x06, Buffer.from(id, 'hex')), der(0x0c, Buffer.from(text))));
  return sequence(
    ...(organisation === undefined ? [] : [part('55040a', organisation)]),
    part('550403', name),
  );
}

const ecdsaSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));

/** UTCTime until 2049, GeneralizedTime after, as RFC 5280 asks. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function explicit(tag: number, content: Buffer): Buffer {
  return der(0xa0 + tag, content);
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function octets(content: Buffer): Buffer {
  return der(0x04, content);
}

function bitString(content: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.from([0]), content]));
}
