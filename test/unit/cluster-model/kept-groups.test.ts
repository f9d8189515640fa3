import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Kept } from '../../../src-main/cluster-model/kept.ts';
import { keepGroups } from '../../../src-main/cluster-model/kept-groups.ts';
import { groupBy } from '../../../src-main/cluster-model/listings.ts';
import { keptOf, noCluster } from '../../../src-main/sources/cluster/index.ts';

type Item = { readonly id: number; readonly group: string | undefined };

const groupOf = ({ group }: Item): string | undefined => group;
const keptAnew = (): Kept => keptOf(noCluster(() => 0));

describe('kept groups', () => {
  it('are those of all items anew, whatever changed, came or went, and moved', () => {
    const item = fc.record({ id: fc.nat(), group: fc.constantFrom('a', 'b', 'c', '', undefined) });
    const change = fc.record({
      kind: fc.constantFrom('replace', 'add', 'remove', 'reverse'),
      at: fc.nat(40),
      item,
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 40 }), fc.array(change, { maxLength: 8 }), (first, changes) => {
        const kept = keptAnew();
        const place = {};
        let items: readonly Item[] = first;
        expect(keepGroups(kept, place, items, groupOf)).toEqual(groupBy(items, groupOf));
        for (const { kind, at, item: other } of changes) {
          if (kind === 'replace' && at < items.length) items = items.with(at, other);
          if (kind === 'add') items = [...items, other];
          if (kind === 'remove') items = items.toSpliced(at, 1);
          if (kind === 'reverse') items = items.toReversed();
          expect(keepGroups(kept, place, items, groupOf)).toEqual(groupBy(items, groupOf));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('stay the same lists while their items do', () => {
    const kept = keptAnew();
    const place = {};
    const items = Array.from({ length: 100 }, (_, id): Item => ({ id, group: `g${id % 10}` }));
    const before = keepGroups(kept, place, items, groupOf);
    for (const others of [
      items.with(3, { id: 300, group: 'g3' }),
      [...items, { id: 300, group: 'g3' }],
      items.toSpliced(3, 1),
    ]) {
      const after = keepGroups(kept, place, others, groupOf);
      expect(after.get('g3')).not.toBe(before.get('g3'));
      for (const name of ['g0', 'g1', 'g9']) expect(after.get(name)).toBe(before.get(name));
    }
  });
});
