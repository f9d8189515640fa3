import type { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { type BackendLog, StartupRefused } from '../serving/index.ts';
import { allowsUse } from './key-usage.ts';
import { type CertifiedPair, MismatchedPair, meshFileNames, readPair, UnusablePair } from './mesh-files.ts';

export type MeshHealth = {
  readonly ok: boolean;
  /** One sentence; the CA's expiry date is in it when all is well. */
  readonly detail: string;
  /** End of the loaded CA, epoch ms. */
  readonly caExpiresAt: number;
};

export type MeshIdentity = {
  /** Judges the leaf as it is on disk now against the CA that was loaded at start (BCK-014). */
  health(): Promise<MeshHealth>;
  /** Paths of what other programs of this pod present and trust. */
  readonly files: { readonly ca: string; readonly certificate: string; readonly key: string };
};

export type MeshOptions = {
  /**
   * Folder of the mounted Secrets of the namespace: `ca.crt` and `ca.key`, the mesh CA, and `tls.crt` and `tls.key`, the leaf that is
   * rotated. One projected volume can hold both Secrets.
   */
  readonly folder: string;
  /** Epoch ms. */
  readonly now: () => number;
  readonly log: BackendLog;
};

/** Delay before a certificate and a key that do not match are read again, in milliseconds. */
const swapMs = 100;

/**
 * Loads the mesh CA. Throws `StartupRefused` when it is missing, incomplete (either of its two keys), expired, not valid yet, or may
 * not sign (BCK-063). The leaf may come later: only readiness waits for it.
 */
export async function openMeshIdentity(options: MeshOptions): Promise<MeshIdentity> {
  const { folder, now, log } = options;
  const ca = await loadCa(folder, now());
  const caExpiresAt = endOf(ca);
  let known: string | undefined;

  const leafFault = async (): Promise<string | undefined> => {
    const leaf = await readLeaf(folder);
    const { fingerprint256 } = leaf.certificate;
    if (known !== fingerprint256) {
      if (known !== undefined) log.info({ expires: leaf.certificate.validTo }, 'the mesh leaf was rotated');
      known = fingerprint256;
    }
    return faultOfLeaf(leaf, ca, now());
  };

  return {
    files: {
      ca: join(folder, meshFileNames.caCertificate),
      certificate: join(folder, meshFileNames.leafCertificate),
      key: join(folder, meshFileNames.leafKey),
    },
    async health() {
      const expired = datesFault(ca, now());
      if (expired !== undefined)
        return {
          ok: false,
          caExpiresAt,
          detail: `The mesh CA ${expired}: redistribute it with the platform's mesh CA command for the namespace; a restart does not fix it.`,
        };
      let fault: string | undefined;
      try {
        fault = await leafFault();
      } catch (error) {
        if (!(error instanceof UnusablePair)) throw error;
        fault = `is unhealthy: ${error.message}`;
      }
      const until = `CA expires ${dateOf(ca)}`;
      return fault === undefined
        ? { ok: true, caExpiresAt, detail: `${until}.` }
        : { ok: false, caExpiresAt, detail: `The mesh leaf ${fault}. ${until}.` };
    },
  };
}

async function loadCa(folder: string, now: number): Promise<X509Certificate> {
  const refuse = (why: string, cause?: unknown): StartupRefused =>
    new StartupRefused(
      `mesh identity unavailable, refusing to start: ${why}. Check both keys and the validity dates in ${folder}, and redistribute the CA with the platform's mesh CA command for the namespace.`,
      { cause },
    );
  let pair: CertifiedPair;
  try {
    pair = await readPair(folder, meshFileNames.caCertificate, meshFileNames.caKey);
  } catch (error) {
    if (error instanceof UnusablePair) throw refuse(`the CA is incomplete: ${error.message}`, error);
    throw error;
  }
  const { certificate } = pair;
  const fault = datesFault(certificate, now);
  if (fault !== undefined) throw refuse(`the CA ${fault}`);
  if (!certificate.ca || !allowsUse(certificate, 'keyCertSign'))
    throw refuse(`the certificate in ${meshFileNames.caCertificate} may not sign others`);
  return certificate;
}

/** Read twice when the two do not belong together: a rotation that is no swap of `..data` writes one after the other. */
async function readLeaf(folder: string): Promise<CertifiedPair> {
  const read = (): Promise<CertifiedPair> =>
    readPair(folder, meshFileNames.leafCertificate, meshFileNames.leafKey);
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof MismatchedPair)) throw error;
    await new Promise((resolve) => setTimeout(resolve, swapMs));
    return read();
  }
}

/** id-kp-serverAuth and id-kp-clientAuth (RFC 5280, 4.2.1.12): in a mesh every member is both. */
const bothSides = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];

function faultOfLeaf(leaf: CertifiedPair, ca: X509Certificate, now: number): string | undefined {
  const { certificate, others } = leaf;
  const dates = datesFault(certificate, now);
  if (dates !== undefined) return dates;
  // First of all: of what the CA has not signed nothing else is believed.
  if (!chains(certificate, others, ca, now))
    return 'does not chain to the CA that was loaded at start. When the CA was redistributed since, restart to load it';
  if (certificate.ca) return 'is a CA certificate, which no member may present';
  if (!allowsUse(certificate, 'digitalSignature')) return 'has a key usage without digitalSignature';
  // Types say it is there; a certificate without the extension has none.
  const extended: readonly string[] | undefined = certificate.keyUsage;
  if (extended !== undefined && !bothSides.every((use) => extended.includes(use)))
    return 'has an extended key usage without serverAuth and clientAuth';
  return undefined;
}

/** Returns whether signatures lead from the leaf, over the intermediates in its file, to the CA. */
function chains(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  ca: X509Certificate,
  now: number,
): boolean {
  let at = leaf;
  // No chain is longer than what there is.
  for (let steps = 0; steps <= others.length; steps++) {
    if (isIssuedBy(at, ca)) return true;
    const issuer = others.find((other) => other !== at && isIssuedBy(at, other));
    if (issuer === undefined || !issuer.ca || datesFault(issuer, now) !== undefined) return false;
    at = issuer;
  }
  return false;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    // A key type that this program cannot check.
    return false;
  }
}

function datesFault(certificate: X509Certificate, now: number): string | undefined {
  const [start, end] = [Date.parse(certificate.validFrom), endOf(certificate)];
  if (!Number.isFinite(start) || !Number.isFinite(end)) return 'has dates that cannot be read';
  if (now >= end) return `expired ${dateOf(certificate)}`;
  return now < start ? `is not valid before ${new Date(start).toISOString()}` : undefined;
}

// `validToDate` came with Node 22; the text is what Node 18 has, too.
function endOf(certificate: X509Certificate): number {
  return Date.parse(certificate.validTo);
}

/** For a certificate whose dates were found readable. */
function dateOf(certificate: X509Certificate): string {
  return new Date(endOf(certificate)).toISOString();
}
