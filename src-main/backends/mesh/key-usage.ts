import type { X509Certificate } from 'node:crypto';

/** Key usages, by their bit (RFC 5280, 4.2.1.3). */
const bits = { digitalSignature: 0, keyCertSign: 5 } as const;

/**
 * Returns whether the certificate's KeyUsage has a bit (RFC 5280, 4.2.1.3). A certificate without the extension allows
 * every use. Node's `X509Certificate.keyUsage` is the extended usage, so the extension is read from the bytes. What is
 * no DER (X.690) allows nothing.
 */
export function allowsUse(certificate: X509Certificate, use: keyof typeof bits): boolean {
  let byte: number;
  try {
    const value = extension(certificate.raw, keyUsageId);
    if (value === undefined) return true;
    // BIT STRING: a byte that counts the unused bits, then the bits, the first one highest.
    byte = elements(value)[0]?.content[1] ?? 0;
  } catch (error) {
    // A length of no bytes, or of more than a number holds, or beyond the end.
    if (error instanceof RangeError) return false;
    throw error;
  }
  return (byte & (0x80 >> bits[use])) !== 0;
}

/** id-ce-keyUsage, 2.5.29.15. */
const keyUsageId = Buffer.from('551d0f', 'hex');
/** The tag of `extensions [3]` in a TBSCertificate. */
const extensionsTag = 0xa3;

function extension(der: Buffer, id: Buffer): Buffer | undefined {
  const [certificate] = elements(der);
  const [body] = elements(certificate?.content ?? Buffer.alloc(0));
  const wrapped = elements(body?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === extensionsTag);
  const [list] = elements(wrapped?.content ?? Buffer.alloc(0));
  for (const { content } of elements(list?.content ?? Buffer.alloc(0))) {
    const parts = elements(content);
    // The value is the last part: whether it is critical may stand before it.
    if (parts[0]?.content.equals(id)) return parts.at(-1)?.content;
  }
  return undefined;
}

type Element = { readonly tag: number; readonly content: Buffer };

function elements(der: Buffer): Element[] {
  const found: Element[] = [];
  let at = 0;
  while (at + 2 <= der.length) {
    const tag = der.readUInt8(at);
    let length = der.readUInt8(at + 1);
    at += 2;
    if (length >= 0x80) {
      const count = length & 0x7f;
      length = der.readUIntBE(at, count);
      at += count;
    }
    found.push({ tag, content: der.subarray(at, at + length) });
    at += length;
  }
  return found;
}
