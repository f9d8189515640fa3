import { hash as digest } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type AuditRecord, auditRecord } from '#shared/api/audit.ts';
import type { RecordContent } from './fit-record.ts';
import type { ChainHead } from './trail.ts';

// A record is kept as the text its hash is taken of, so that what is stored, what is checked and what is exported are
// the same bytes. RFC 8785 sorts the keys: action, actor, at, detail, outcome, prev_hash, seq, summary, target. After
// `detail` come only texts and a number, and a text in JSON has no bare quote: the last place where `,"outcome":"` or
// `,"prev_hash":"` stands is the key itself, whatever the record says.

/** The previous hash of the first record. */
export const noHash = '0'.repeat(64);

/** A record as the store has it. */
export type StoredRecord = { readonly seq: number; readonly body: string; readonly hash: string };

/** The canonical JSON (RFC 8785) of a record as the next one after `before`, and its hash. */
export function recordAfter(before: ChainHead, content: RecordContent): StoredRecord {
  const seq = before.seq + 1;
  const record = { ...content, at: new Date(content.at).toISOString(), seq, prev_hash: before.hash };
  const body = canonicalize(record) ?? '';
  return { seq, body, hash: hashOf(body) };
}

/** SHA-256 of a record's text, lower-case hex. */
export function hashOf(body: string): string {
  return digest('sha256', body, 'hex');
}

/** True when the record holds by itself and comes right after `before`. */
export function follows({ seq, body, hash }: StoredRecord, before: ChainHead): boolean {
  if (seq !== before.seq + 1) return false;
  const link = `${linkStart}${before.hash}","seq":${seq},"summary":"`;
  const index = body.lastIndexOf(linkStart);
  // A slice, where `startsWith` would do: it takes half the time.
  return body.slice(index, index + link.length) === link && hash === hashOf(body);
}

const linkStart = ',"prev_hash":"';

/** The place in the chain that a record's text names, or undefined when it names none. */
export function linkOf(body: string): { readonly prevHash: string; readonly seq: number } | undefined {
  const [, prevHash, seq] =
    /^,"prev_hash":"([^"]*)","seq":(\d+),"summary":"/.exec(body.slice(linkIndex(body))) ?? [];
  return prevHash === undefined || seq === undefined ? undefined : { prevHash, seq: Number(seq) };
}

/** The text with another number in it. */
export function renumbered(body: string, seq: number): string {
  const index = linkIndex(body);
  return body.slice(0, index) + body.slice(index).replace(/"seq":\d+/, `"seq":${seq}`);
}

function linkIndex(body: string): number {
  const index = body.lastIndexOf(linkStart);
  return index < 0 ? body.length : index;
}

/** A record as one line of an export: its text with its hash in it, where RFC 8785 sorts it. */
export function exportLine({ body, hash }: StoredRecord): string {
  const index = body.lastIndexOf(',"outcome":"');
  // A text that somebody broke is exported as it is, so that whoever checks the export finds it.
  if (index < 0) return `${JSON.stringify({ hash, unreadable: body })}\n`;
  return `${body.slice(0, index)},"hash":${JSON.stringify(hash)}${body.slice(index)}\n`;
}

/** Parses a record, or returns undefined for a corrupted text. */
export function readText({ body, hash }: StoredRecord): AuditRecord | undefined {
  try {
    return auditRecord.safeParse({ ...JSON.parse(body), hash }).data;
  } catch {
    return undefined;
  }
}
