import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { hashOf } from '../../../../src-main/features/audit/record-text.ts';
import type { AuditBreak } from '../../../../src-shared/api/audit.ts';
import { type ChainRow, changed, newChain, rehash, type TestChain } from '../../../support/audit-chain.ts';
import { dialects } from '../../../support/databases.ts';

const length = 12;

async function rowOf({ rows }: TestChain, seq: number): Promise<ChainRow> {
  const row = (await rows()).find((candidate) => candidate.seq === seq);
  if (row === undefined) throw new Error(`no record ${seq}`);
  return row;
}

const edit = async ({ store }: TestChain, seq: number, change: Partial<ChainRow>): Promise<void> => {
  await store.db.updateTable('audit_records').set(change).where('seq', '=', seq).execute();
};
const editText = async (chain: TestChain, seq: number, fields: object): Promise<void> =>
  edit(chain, seq, { body: changed((await rowOf(chain, seq)).body, fields) });
const remove = async ({ store }: TestChain, from: number, to = from): Promise<void> => {
  await store.db.deleteFrom('audit_records').where('seq', '>=', from).where('seq', '<=', to).execute();
};
/** Renumbers a record, in its text too when `inText`. */
const renumber = async (chain: TestChain, from: number, to: number, inText: boolean): Promise<void> => {
  const { body } = await rowOf(chain, from);
  await edit(chain, from, { seq: to, body: inText ? changed(body, { seq: to }) : body });
};
/** Renumbers every record from one on, in an order that never uses a number twice at once. */
const move = async (chain: TestChain, from: number, by: number, inText = true): Promise<void> => {
  const seqs = (await chain.rows()).map(({ seq }) => seq).filter((seq) => seq >= from);
  for (const seq of by > 0 ? seqs.reverse() : seqs) await renumber(chain, seq, seq + by, inText);
};
const swap = async (chain: TestChain, a: number, b: number, inText = true): Promise<void> => {
  await renumber(chain, a, 1000, inText);
  await renumber(chain, b, a, inText);
  await renumber(chain, 1000, b, inText);
};
/** Takes a record out of its place and puts it in at a later one. */
const takeTo = async (chain: TestChain, from: number, to: number, inText = true): Promise<void> => {
  await renumber(chain, from, 1000, inText);
  for (let seq = from + 1; seq <= to; seq += 1) await renumber(chain, seq, seq - 1, inText);
  await renumber(chain, 1000, to, inText);
};
const editAndHash = async (chain: TestChain, seq: number, fields: object): Promise<void> => {
  const body = changed((await rowOf(chain, seq)).body, fields);
  await edit(chain, seq, { body, hash: hashOf(body) });
};
/** Puts a record in, made of another one. */
const insert = async (chain: TestChain, seq: number, from: ChainRow, fields: object, hashed = true) => {
  const body = changed(from.body, fields);
  const hash = hashed ? hashOf(body) : from.hash;
  await chain.store.db.insertInto('audit_records').values({ seq, append_id: 'put in', body, hash }).execute();
};
const setHead = async ({ store }: TestChain, row: { seq: number; hash: string }): Promise<void> => {
  await store.db.updateTable('audit_head').set({ seq: row.seq, hash: row.hash }).execute();
};

type Tampering = {
  readonly what: string;
  readonly how: (chain: TestChain) => Promise<void>;
  readonly seq: number;
  readonly kind: AuditBreak['kind'];
};

const tamperings: readonly Tampering[] = [
  ...(
    [
      { at: '2020-01-01T00:00:00.000Z' },
      { actor: 'other@example.com' },
      { action: 'tests.other' },
      { target: 'other' },
      { outcome: 'failure' },
      { summary: 'Something else.' },
      { detail: {} },
      { prev_hash: 'a'.repeat(64) },
      { more: true },
    ] as const
  ).map((fields) => ({
    what: `record 5 with another ${Object.keys(fields)}`,
    how: (chain: TestChain) => editText(chain, 5, fields),
    seq: 5,
    kind: 'edited' as const,
  })),
  {
    what: 'record 5 with its text written otherwise',
    how: async (c) => edit(c, 5, { body: (await rowOf(c, 5)).body.replace(',', ', ') }),
    seq: 5,
    kind: 'edited',
  },
  {
    what: 'record 5 with another hash',
    how: (c) => edit(c, 5, { hash: 'a'.repeat(64) }),
    seq: 5,
    kind: 'edited',
  },
  { what: 'the first record, edited', how: (c) => editText(c, 1, { target: 'x' }), seq: 1, kind: 'edited' },
  {
    what: 'the last record, edited',
    how: (c) => editText(c, length, { target: 'x' }),
    seq: length,
    kind: 'edited',
  },
  {
    what: 'a record edited with its hash computed anew',
    how: (c) => editAndHash(c, 5, { target: 'x' }),
    seq: 5,
    kind: 'edited',
  },
  {
    what: 'the first record edited with its hash computed anew',
    how: (c) => editAndHash(c, 1, { target: 'x' }),
    seq: 1,
    kind: 'edited',
  },
  {
    what: 'the last record edited with its hash computed anew',
    how: (c) => editAndHash(c, length, { target: 'x' }),
    seq: length,
    kind: 'edited',
  },
  {
    what: 'the last but one edited with its hash computed anew',
    how: (c) => editAndHash(c, length - 1, { target: 'x' }),
    seq: length - 1,
    kind: 'edited',
  },
  {
    what: 'a record that names another one before it, hash computed anew',
    how: (c) => editAndHash(c, 5, { prev_hash: 'a'.repeat(64) }),
    seq: 5,
    kind: 'edited',
  },
  { what: 'a record removed', how: (c) => remove(c, 5), seq: 5, kind: 'removed' },
  { what: 'the first record removed', how: (c) => remove(c, 1), seq: 1, kind: 'removed' },
  { what: 'several records removed', how: (c) => remove(c, 5, 8), seq: 5, kind: 'removed' },
  {
    what: 'a record removed and the rest renumbered',
    async how(c) {
      await remove(c, 5);
      await move(c, 6, -1);
    },
    seq: 5,
    kind: 'removed',
  },
  {
    what: 'the first records removed and the rest renumbered',
    async how(c) {
      await remove(c, 1, 3);
      await move(c, 4, -3);
    },
    seq: 1,
    kind: 'removed',
  },
  {
    what: 'a record removed, the rest renumbered, the next one hashed anew',
    async how(c) {
      await remove(c, 5);
      await move(c, 6, -1);
      await editAndHash(c, 5, {});
    },
    seq: 5,
    kind: 'removed',
  },
  { what: 'two neighbours swapped', how: (c) => swap(c, 5, 6), seq: 5, kind: 'reordered' },
  { what: 'two records swapped', how: (c) => swap(c, 3, 9), seq: 3, kind: 'reordered' },
  { what: 'the first and the last swapped', how: (c) => swap(c, 1, length), seq: 1, kind: 'reordered' },
  {
    what: 'two neighbours swapped by their number only',
    how: (c) => swap(c, 5, 6, false),
    seq: 5,
    kind: 'reordered',
  },
  { what: 'a record moved to a later place', how: (c) => takeTo(c, 4, 8), seq: 4, kind: 'reordered' },
  {
    what: 'a record moved to a later place by the numbers only',
    how: (c) => takeTo(c, 4, 8, false),
    seq: 4,
    kind: 'reordered',
  },
  {
    what: 'a record removed and the rest renumbered, but for their text',
    async how(c) {
      await remove(c, 5);
      await move(c, 6, -1, false);
    },
    seq: 5,
    kind: 'removed',
  },
  {
    what: 'a record put in that fits, the rest renumbered',
    async how(c) {
      await move(c, 5, 1);
      await insert(c, 5, await rowOf(c, 6), { seq: 5, target: 'x' });
    },
    seq: 5,
    kind: 'inserted',
  },
  {
    what: 'a first record put in that fits, the rest renumbered',
    async how(c) {
      await move(c, 1, 1);
      await insert(c, 1, await rowOf(c, 2), { seq: 1, target: 'x' });
    },
    seq: 1,
    kind: 'inserted',
  },
  {
    what: 'a record put in that holds by itself but does not fit, the rest renumbered',
    async how(c) {
      await move(c, 5, 1);
      await insert(c, 5, await rowOf(c, 6), { seq: 5, target: 'x', prev_hash: 'a'.repeat(64) });
    },
    seq: 5,
    kind: 'inserted',
  },
  {
    what: 'a record put in that does not hold, the rest renumbered',
    async how(c) {
      await move(c, 5, 1);
      await insert(c, 5, await rowOf(c, 6), { seq: 5, target: 'x' }, false);
    },
    seq: 5,
    kind: 'inserted',
  },
  {
    what: 'a copy of an earlier record put in, the rest renumbered',
    async how(c) {
      await move(c, 9, 1);
      await insert(c, 9, await rowOf(c, 3), {}, false);
    },
    seq: 9,
    kind: 'inserted',
  },
  {
    what: 'a copy of a later record put in, the rest renumbered',
    async how(c) {
      await move(c, 5, 1);
      await insert(c, 5, await rowOf(c, 10), {}, false);
    },
    seq: 5,
    kind: 'inserted',
  },
  {
    what: 'a record put in after the last',
    async how(c) {
      const last = await rowOf(c, length);
      await insert(c, length + 1, last, { seq: length + 1, prev_hash: last.hash, target: 'x' });
    },
    seq: length + 1,
    kind: 'inserted',
  },
  {
    what: 'a record put in after the last that does not hold',
    async how(c) {
      await insert(c, length + 1, await rowOf(c, length), { seq: length + 1, target: 'x' }, false);
    },
    seq: length + 1,
    kind: 'inserted',
  },
  {
    what: 'a record put in before the first',
    async how(c) {
      await insert(c, 0, await rowOf(c, 1), { seq: 0, target: 'x' });
    },
    seq: 1,
    kind: 'inserted',
  },
  { what: 'the last records cut off', how: (c) => remove(c, 10, length), seq: 10, kind: 'truncated' },
  { what: 'all records cut off', how: (c) => remove(c, 1, length), seq: 1, kind: 'truncated' },
  {
    what: "the last records cut off and the chain's own note of its head set back",
    async how(c) {
      await remove(c, 10, length);
      await setHead(c, await rowOf(c, 9));
    },
    seq: 10,
    kind: 'truncated',
  },
  {
    what: 'the store emptied as if it were new',
    async how(c) {
      await remove(c, 1, length);
      await setHead(c, { seq: 0, hash: '0'.repeat(64) });
    },
    seq: 1,
    kind: 'truncated',
  },
  {
    what: 'the note of the head gone',
    how: async (c) => void (await c.store.db.deleteFrom('audit_head').execute()),
    seq: length + 1,
    kind: 'truncated',
  },
  {
    what: 'everything hashed anew after an edit',
    async how(c) {
      await editText(c, 5, { target: 'x' });
      await rehash(c, 5);
    },
    seq: length,
    kind: 'rewritten',
  },
  {
    what: 'records cut off, and others appended until the chain is as long as before',
    async how(c) {
      await remove(c, 10, length);
      await setHead(c, await rowOf(c, 9));
      await c.fill(6);
    },
    seq: length,
    kind: 'rewritten',
  },
];

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;
  describe.skipIf(dialect.missing !== undefined)(`a tampered chain on ${dialect.name}${why}`, () => {
    let chain: TestChain | undefined;
    afterEach(async () => {
      await chain?.close();
      chain = undefined;
    });

    it.each(tamperings)('is found out: $what (CON-078)', async ({ how, seq, kind }) => {
      chain = await newChain(dialect);
      await chain.fill(length);
      // Keeps the head, as a console that closes does.
      await chain.restart();
      expect(await chain.trail.verify()).toMatchObject({ intact: true, checked: length });
      await how(chain);
      const found = await chain.trail.verify();
      expect(found).toMatchObject({ intact: false, first_break: { seq, kind } });
      expect(found.first_break?.reason).toMatch(/^[A-Z].+\.$/);
      expect(await chain.trail.verdict()).toMatchObject({ intact: false, first_break: { seq, kind } });
    });

    it('is told to be intact again only when a full walk finds it so', async () => {
      chain = await newChain(dialect);
      await chain.fill(length);
      await editText(chain, 5, { target: 'x' });
      expect(await chain.trail.verify()).toMatchObject({ intact: false });
      await editText(chain, 5, { target: 't5' });
      expect(await chain.trail.verdict()).toMatchObject({ intact: false, first_break: { seq: 5 } });
      expect(await chain.trail.verify()).toMatchObject({ intact: true });
      expect(await chain.trail.verdict()).toMatchObject({ intact: true });
    });

    it('is found out when the text or the hash of any record is changed at any place', async () => {
      chain = await newChain(dialect);
      const tampered = chain;
      const { store, trail, rows, fill } = chain;
      await fill(length);
      const before = await rows();
      const letter = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...before),
          fc.constantFrom('body' as const, 'hash' as const),
          fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
          fc.integer({ min: 0, max: 2 }),
          letter,
          async (row, column, place, cut, put) => {
            const text = row[column];
            const index = Math.floor(place * text.length);
            const value = `${text.slice(0, index)}${put}${text.slice(index + cut)}`;
            fc.pre(value !== text && !value.includes('\0'));
            try {
              await edit(tampered, row.seq, { [column]: value });
            } catch (error) {
              // PostgreSQL reads its own columns out of the text, and so takes nothing that is not JSON.
              expect(store.kind).toBe('postgres');
              expect(String(error)).toMatch(/json/i);
              return;
            }
            const { first_break } = await trail.verify();
            await edit(tampered, row.seq, { [column]: text });
            expect(first_break?.seq).toBe(row.seq);
          },
        ),
        { numRuns: 200 },
      );
      expect(await trail.verify()).toMatchObject({ intact: true });
    });

    it('is found out when records are removed, doubled or shuffled in any way', async () => {
      chain = await newChain(dialect);
      const { store, trail, rows, fill } = chain;
      await fill(length);
      const before = await rows();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...before), { maxLength: length + 2 }),
          fc.boolean(),
          async (chosen, inText) => {
            const now = chosen.map((row, index) => ({
              seq: index + 1,
              append_id: `${index}`,
              body: inText ? changed(row.body, { seq: index + 1 }) : row.body,
              hash: row.hash,
            }));
            const first = before.findIndex((row, index) => row.hash !== now[index]?.hash);
            fc.pre(first >= 0 || now.length > before.length);
            await store.db.deleteFrom('audit_records').execute();
            if (now.length > 0) await store.db.insertInto('audit_records').values(now).execute();
            const { first_break } = await trail.verify();
            expect(first_break?.seq).toBe((first < 0 ? before.length : first) + 1);
          },
        ),
        { numRuns: 100 },
      );
    });

    it.each([
      {
        what: 'records far from each other swapped',
        how: (c: TestChain) => swap(c, 3, 190),
        seq: 3,
        kind: 'reordered',
      },
      {
        what: 'a record moved far away',
        how: (c: TestChain) => takeTo(c, 4, 150),
        seq: 4,
        kind: 'reordered',
      },
      {
        what: 'many records removed and the rest renumbered',
        async how(c: TestChain) {
          await remove(c, 10, 60);
          await move(c, 61, -51);
        },
        seq: 10,
        kind: 'removed',
      },
    ])('is found out in a longer one: $what', async ({ how, seq, kind }) => {
      chain = await newChain(dialect);
      await chain.fill(200);
      await how(chain);
      expect(await chain.trail.verify()).toMatchObject({ intact: false, first_break: { seq, kind } });
    });
  });
}
