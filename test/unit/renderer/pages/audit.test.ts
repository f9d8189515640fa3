import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import type { AuditItem, AuditVerdict } from '#shared/api/audit.ts';
import { eachPart, pageHref } from '#shared/page-address.ts';
import { utcTime } from '../../../../src-renderer/components/format-time.ts';
import { listAddress } from '../../../../src-renderer/components/list/list-address.ts';
import { csvOf } from '../../../../src-renderer/components/table/csv.ts';
import type { Address } from '../../../../src-renderer/core/page-address.ts';
import { auditPlan, recordNumber } from '../../../../src-renderer/pages/audit/audit-filter.ts';
import {
  formatPace,
  formatSeconds,
  verdictLabel,
} from '../../../../src-renderer/pages/audit/audit-labels.ts';
import {
  type AuditPage,
  type RecordPages,
  withNewest,
} from '../../../../src-renderer/pages/audit/audit-queries.ts';
import {
  checkLabel,
  checkRecord,
  type FullRecord,
} from '../../../../src-renderer/pages/audit/record-check.ts';

const nowhere: Address = { ...eachPart(null), tab: 'audit' };
const { read: filterOf, changed } = auditPlan.filter;
const hash = 'a'.repeat(64);

describe('the filter in the address', () => {
  it('is written and read again the same', () => {
    const filter = { q: 'a&b', actor: 'mira@northgate.example', outcome: 'refused' } as const;
    const address = new URLSearchParams(pageHref(listAddress(auditPlan, { filter, open: '7' })).slice(2));
    const read = { ...nowhere, ...Object.fromEntries(address) };
    expect(filterOf(read)).toEqual({ filter, ignored: [] });
    expect(recordNumber(read.record ?? undefined)).toBe(7);
  });

  it('drops what it does not understand, and names it', () => {
    const read = filterOf({ ...nowhere, outcome: 'good', since: 'yesterday', until: '', actor: 'mira' });
    expect(read).toEqual({ filter: { actor: 'mira' }, ignored: ['outcome=good', 'since=yesterday'] });
    for (const record of ['0', '-1', '1.5', 'x', '1e3']) expect(recordNumber(record)).toBeUndefined();
  });

  it('changes by one part, and loses a part that is taken off', () => {
    expect(changed({ actor: 'a', q: 'x' }, { actor: 'b' })).toEqual({ actor: 'b', q: 'x' });
    expect(changed({ actor: 'a', q: 'x' }, { actor: undefined })).toEqual({ q: 'x' });
  });
});

const item = (seq: number): AuditItem => ({
  seq,
  at: '2026-11-21T07:00:00.000Z',
  actor: 'mira@northgate.example',
  action: 'agents.arm',
  target: 'x',
  outcome: 'success',
  summary: '',
  hash,
});
const verdict: AuditVerdict = { intact: true, checked: 0, head_kept_in: 'keychain' };
const page = (from: number, to: number, next?: string): AuditPage => ({
  items: Array.from({ length: from - to + 1 }, (_, index) => item(from - index)),
  ...(next !== undefined && { next_cursor: next }),
  verdict,
  source: 'store',
  complete: true,
  read_at: '',
  unmeasured: [],
});
const known: RecordPages = { pages: [page(100, 51, '51'), page(50, 1)], pageParams: ['', '51'] };
const numbers = ({ pages }: RecordPages): number[] =>
  pages.flatMap(({ items }) => items.map(({ seq }) => seq));

describe('the newest page', () => {
  it('adds what is newer, once and in order', () => {
    const joined = withNewest(known, page(103, 54, '54'));
    expect(numbers(joined)).toEqual(Array.from({ length: 103 }, (_, index) => 103 - index));
    expect(joined.pageParams).toHaveLength(joined.pages.length);
    expect(withNewest(joined, page(103, 54, '54'))).toBe(joined);
  });

  it('starts anew when it does not reach what was read: a gap is never shown as none', () => {
    expect(numbers(withNewest(known, page(300, 251, '251')))).toEqual(
      numbers({ pages: [page(300, 251)], pageParams: [''] }),
    );
  });

  it('fills a list that was empty, and leaves it alone while there is nothing', () => {
    const empty: RecordPages = { pages: [page(0, 1)], pageParams: [''] };
    expect(withNewest(empty, page(0, 1))).toBe(empty);
    expect(numbers(withNewest(empty, page(2, 1)))).toEqual([2, 1]);
  });
});

describe('an export of the rows', () => {
  it('is CSV that a reader gives back as it was', () => {
    expect(csvOf(['a', 'b'], [{ a: 1, b: 'x,"y"\nz' }])).toBe('a,b\r\n1,"x,""y""\nz"\r\n');
  });

  it('is never a formula in a spreadsheet', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])
      expect(csvOf(['a'], [{ a: text }]).split('\r\n')[1]).toMatch(/^"?'/);
    expect(csvOf(['a'], [{ a: -1 }])).toBe('a\r\n-1\r\n');
  });
});

describe('the verdict in words', () => {
  const at = 0;
  const whole = { intact: true, checked: 40, took_ms: 300, head_kept_in: 'keychain' } as const;

  it('never says more than was checked', () => {
    const part = { ...verdict, checked: 20_000, from_seq: 41_338, head_seq: 61_337, head_hash: hash };
    expect(verdictLabel(part, undefined)).toMatchObject({
      state: 'healthy',
      title: 'Intact as far as checked',
      detail: expect.stringContaining('20,000 of 61,337'),
    });
    expect(verdictLabel({ ...part, checked: 40, from_seq: 1, head_seq: 40 }, undefined).title).toBe('Intact');
    expect(verdictLabel(verdict, undefined).state).toBe('idle');
  });

  it('says what was written since the walk', () => {
    const words = verdictLabel({ ...verdict, head_seq: 43, head_hash: hash }, { result: whole, at });
    expect(words).toMatchObject({ title: 'Verified intact', detail: '40 records in 0.3 s; 3 written since' });
  });

  it('tells a break that either of the two found, what still holds, and which record to look at', () => {
    const edited = { seq: 23, kind: 'edited', reason: 'The hash differs.' } as const;
    const seen = { ...verdict, head_seq: 40, head_hash: hash };
    const walk = { result: { ...whole, intact: false, first_break: edited }, at };
    for (const words of [
      verdictLabel({ ...seen, intact: false, first_break: edited }, undefined),
      verdictLabel(seen, walk),
    ]) {
      expect(words).toMatchObject({ state: 'failing', brokenAt: 23, look: 23, detail: 'The hash differs.' });
      expect(words.meaning).toContain('Records 1 to 22 are valid');
    }
    const cut = { ...seen, intact: false, first_break: { ...edited, seq: 41, kind: 'truncated' } } as const;
    expect(verdictLabel(cut, undefined).look).toBe(40);
    const first = { ...seen, intact: false, first_break: { ...edited, seq: 1, kind: 'removed' } } as const;
    expect(verdictLabel(first, undefined)).not.toHaveProperty('look');
  });

  it('gives the pace once there is one, and the time left while there is', () => {
    const walk = { checked: 0, total: 1000, startedAt: 0, at: 0, stopped: false };
    expect(formatPace(walk)).toBe('');
    expect(formatPace({ ...walk, checked: 200_000, total: 1_000_000, at: 1000 })).toBe(
      '200,000 a second, 4 s left',
    );
    expect(formatPace({ ...walk, checked: 1000, at: 2000 })).toBe('500 a second');
    expect([40, 340, 9_940, 12_000].map(formatSeconds)).toEqual(['0.1 s', '0.3 s', '9.9 s', '12 s']);
  });
});

describe('one record checked in the window', () => {
  const sealed = (content: Omit<FullRecord, 'hash'>): FullRecord => {
    const { previous, next: _next, ...hashed } = content;
    const computed = createHash('sha256')
      .update(canonicalize(hashed) ?? '')
      .digest('hex');
    return { ...content, hash: computed, ...(previous !== undefined && { previous }) };
  };
  const { hash: _hash, ...content } = item(8);
  const record = sealed({
    ...content,
    detail: { a: 1, z: ['ü', true] },
    prev_hash: hash,
    previous: { seq: 7, hash },
  });

  it('holds when it is what was hashed and names the one before', async () => {
    const check = await checkRecord(record);
    expect(check).toEqual({ kind: 'holds' });
    expect(checkLabel(check, record)).toContain('record 7');
  });

  it('is found out when it was edited, or when the one before is another or gone', async () => {
    expect((await checkRecord({ ...record, actor: 'jonas' })).kind).toBe('edited');
    expect((await checkRecord({ ...record, detail: { ...record.detail, a: 2 } })).kind).toBe('edited');
    expect((await checkRecord({ ...record, previous: { seq: 7, hash: 'b'.repeat(64) } })).kind).toBe(
      'unlinked',
    );
    const { previous: _gone, ...orphan } = record;
    const check = await checkRecord(orphan);
    expect(checkLabel(check, orphan)).toContain('record 7, the previous one, is missing');
  });

  it('as the first needs nothing before it', async () => {
    const { previous: _none, hash: _old, ...first } = record;
    expect(await checkRecord(sealed({ ...first, seq: 1, prev_hash: '0'.repeat(64) }))).toEqual({
      kind: 'holds',
    });
    expect((await checkRecord(sealed({ ...first, seq: 1 }))).kind).toBe('unlinked');
  });
});

describe('a moment in UTC', () => {
  it('has seconds, and a year only when it is not this one', () => {
    const now = Date.parse('2026-11-21T08:00:00Z');
    expect(utcTime(Date.parse('2026-11-21T07:06:05Z'), now)).toBe('21 Nov 07:06:05');
    expect(utcTime(Date.parse('2025-11-21T07:06:05Z'), now)).toBe('21 Nov 2025 07:06:05');
  });
});
