import canonicalize from 'canonicalize';
import type { RouteOf } from '#shared/api/index.ts';
import type { CallAnswer } from '../../core/api.ts';

export type FullRecord = CallAnswer<RouteOf<'audit.record'>>;

/** Result of computing the record's hash in this window, independent of the console's verdict on the chain. */
export type RecordCheck =
  | { readonly kind: 'holds' }
  | { readonly kind: 'edited'; readonly computed: string }
  | { readonly kind: 'unlinked' }
  /** A page that did not come by https, or from this machine, has no SHA-256. */
  | { readonly kind: 'unchecked' };

const firstPrevious = '0'.repeat(64);

/**
 * Checks one record: its hash is the SHA-256 of its canonical JSON (RFC 8785) without `hash`, and `prev_hash` is the
 * hash of the record before (docs/audit.md).
 */
export async function checkRecord({
  previous,
  next: _after,
  hash,
  ...content
}: FullRecord): Promise<RecordCheck> {
  // Typed as present always; a page that came over plain http does not have it.
  const { subtle }: { readonly subtle?: typeof crypto.subtle } = globalThis.crypto;
  const text = canonicalize(content);
  if (subtle === undefined || text === undefined) return { kind: 'unchecked' };
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  const computed = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (computed !== hash) return { kind: 'edited', computed };
  const expected = content.seq === 1 ? firstPrevious : previous?.hash;
  return content.prev_hash === expected ? { kind: 'holds' } : { kind: 'unlinked' };
}

/** The check in one sentence. */
export function checkLabel(check: RecordCheck, record: FullRecord): string {
  switch (check.kind) {
    case 'holds':
      return record.seq === 1
        ? 'Checked in this window: the hash matches the content. This is the first record.'
        : `Checked in this window: the hash matches the content, and the previous hash that of record ${record.seq - 1}.`;
    case 'edited':
      return `Checked in this window: the hash does not match the content, which gives ${check.computed.slice(0, 16)}….`;
    case 'unlinked':
      return record.previous?.seq === record.seq - 1
        ? `Checked in this window: the previous hash is not that of record ${record.seq - 1}.`
        : `Checked in this window: record ${record.seq - 1}, the previous one, is missing.`;
    case 'unchecked':
      return 'Not checked in this window: it was not opened over https or from this machine.';
  }
}
