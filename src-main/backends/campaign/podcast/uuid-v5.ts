import { createHash } from 'node:crypto';

/** The namespace of podcast feeds (https://podcasting2.org/docs/podcast-namespace/tags/guid). */
export const podcastNamespace = 'ead4c236-bf58-58c6-a2c6-a6b28d128cb6';

/** The UUID of a name in a namespace, the same every time (RFC 9562, 5.5). */
export function uuidV5(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
