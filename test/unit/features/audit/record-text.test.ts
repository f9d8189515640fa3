import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detailBytes, fitRecord } from '../../../../src-main/features/audit/fit-record.ts';
import {
  exportLine,
  follows,
  hashOf,
  linkOf,
  readText,
  recordAfter,
} from '../../../../src-main/features/audit/record-text.ts';
import { auditOutcome } from '../../../../src-shared/api/audit.ts';

const hash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
const before = fc.record({ seq: fc.nat({ max: 2 ** 40 }), hash });

/** Also what looks like the record's own fields. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    ',"prev_hash":"',
    ',"outcome":"success","prev_hash":"',
    `,"prev_hash":"${'0'.repeat(64)}","seq":1,"summary":"`,
    'a\0b',
    '\ud800',
    '__proto__',
  ),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('outcome', 'prev_hash', 'seq')), tie('value'), {
      maxKeys: 4,
    }),
  ),
})).value;
const content = fc.record({
  at: fc.integer({ min: 0, max: Date.UTC(9999, 0) }),
  actor: text,
  action: text,
  target: text,
  outcome: fc.constantFrom(...auditOutcome.options),
  summary: fc.oneof(text, fc.string({ minLength: 900, maxLength: 1200 })),
  detail: fc.dictionary(text, value, { maxKeys: 6 }),
});

describe('the text of an audit record', () => {
  it('holds in its place and in no other, whatever the record says', () => {
    fc.assert(
      fc.property(before, content, hash, (last, said, otherHash) => {
        // The property gives values that the types of a handler do not allow, on purpose.
        const record = recordAfter(last, fitRecord(said as never));
        expect(follows(record, last)).toBe(true);
        expect(linkOf(record.body)).toEqual({ seq: last.seq + 1, prevHash: last.hash });
        expect(follows(record, { seq: last.seq, hash: otherHash })).toBe(otherHash === last.hash);
        expect(follows(record, { seq: last.seq + 1, hash: last.hash })).toBe(false);
        expect(follows({ ...record, seq: record.seq + 1 }, { ...last, seq: record.seq })).toBe(false);
        expect(follows({ ...record, hash: otherHash }, last)).toBe(otherHash === record.hash);
      }),
    );
  });

  it('is canonical JSON, and so is its line in an export (RTE-018)', () => {
    fc.assert(
      fc.property(before, content, (last, said) => {
        const record = recordAfter(last, fitRecord(said as never));
        const parsed = JSON.parse(record.body);
        expect(canonicalize(parsed)).toBe(record.body);
        expect(record.body.isWellFormed() && !record.body.includes('\\u0000')).toBe(true);
        expect(exportLine(record)).toBe(`${canonicalize({ ...parsed, hash: record.hash })}\n`);
        expect(readText(record)).toEqual({ ...parsed, hash: record.hash });
        expect(hashOf(record.body)).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
  });

  it('has whole numbers and names in ASCII only, and stays within its lengths', () => {
    const check = (given: unknown): void => {
      if (typeof given === 'number') expect(Number.isSafeInteger(given)).toBe(true);
      if (typeof given !== 'object' || given === null) return;
      for (const [name, inner] of Object.entries(given)) {
        expect(name).toMatch(/^[\x20-\x7e]*$/);
        check(inner);
      }
    };
    fc.assert(
      fc.property(content, (said) => {
        const fitted = fitRecord(said as never);
        check(fitted.detail);
        expect(Buffer.byteLength(JSON.stringify(fitted.detail))).toBeLessThanOrEqual(detailBytes);
        expect(fitted.summary.length).toBeLessThanOrEqual(1000);
      }),
    );
  });
});
