import type { AuditOutcome } from '#shared/api/audit.ts';
import type { AuditDetail, AuditValue } from '#shared/api/handler.ts';
import { storableText } from '../../store/index.ts';

/** The content of a record before it is placed in the chain. */
export type RecordContent = {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly outcome: AuditOutcome;
  readonly summary: string;
  readonly detail: AuditDetail;
};

/** Most UTF-16 units of a record's texts; what is longer is cut, and ends in an ellipsis then. */
const longest = { actor: 320, action: 100, target: 320, summary: 1000 } as const;
/** Most UTF-8 bytes of a detail's canonical JSON. */
export const detailBytes = 16 * 1024;
/** Length to which a text that makes a detail too long is cut, in UTF-16 units. */
const shortText = 500;
const deepest = 16;

/**
 * Makes a record of what an act says of itself. Never fails: an act that was done must be recorded, so what no
 * database can store is replaced and what is too long is cut.
 */
export function fitRecord(content: RecordContent): RecordContent {
  return {
    at: content.at,
    actor: fitText(content.actor, longest.actor),
    action: fitText(content.action, longest.action),
    target: fitText(content.target, longest.target),
    outcome: content.outcome,
    summary: fitText(content.summary, longest.summary),
    detail: fitDetail(content.detail),
  };
}

function fitText(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return storableText(cut);
}

/**
 * A detail of 16 kB at most. When all of it is longer, its texts are cut to 500 characters; then the
 * facts are kept, the smallest first, while there is room. `cut` says that something was.
 */
function fitDetail(detail: AuditDetail): AuditDetail {
  const whole = fitObject(detail, Number.POSITIVE_INFINITY, 0);
  if (bytesOf(whole) <= detailBytes) return whole;
  const facts = Object.entries(fitObject(detail, shortText, 0))
    .map(([name, value]) => ({ name, value, bytes: bytesOf({ [name]: value }) }))
    .sort((a, b) => a.bytes - b.bytes);
  const kept: Record<string, AuditValue> = {};
  let remaining = detailBytes - 100;
  let left = 0;
  for (const { name, value, bytes } of facts) {
    remaining -= bytes;
    if (remaining > 0) kept[name] = value;
    else left += 1;
  }
  kept.cut =
    left === 0 ? 'texts were cut to 500 characters' : `${left} facts did not fit, texts were cut too`;
  return kept;
}

/** Returns the size of a detail's JSON in bytes, which is the same for any key order. */
function bytesOf(detail: AuditDetail): number {
  return Buffer.byteLength(JSON.stringify(detail));
}

/** Only what every language's JSON writes alike: well-formed text, whole numbers, booleans; names in ASCII. */
function fitValue(value: unknown, longestText: number, depth: number): AuditValue {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number')
    // Minus zero is written as zero.
    return Number.isSafeInteger(value) ? value + 0 : String(value);
  if (typeof value === 'string') return fitText(value, longestText);
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth >= deepest) return '(too deep)';
  if (Array.isArray(value)) return value.map((item) => fitValue(item, longestText, depth + 1));
  return fitObject(value, longestText, depth + 1);
}

function fitObject(object: object, longestText: number, depth: number): Record<string, AuditValue> {
  const fitted = new Map<string, AuditValue>();
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    let key = name.replace(/[^\x20-\x7e]/g, '_').slice(0, 100);
    // Readers drop a fact of this name, for what it does to objects in JavaScript.
    if (key === '__proto__') key = '_proto_';
    while (fitted.has(key)) key += '_';
    fitted.set(key, fitValue(value, longestText, depth));
  }
  return Object.fromEntries(fitted);
}
