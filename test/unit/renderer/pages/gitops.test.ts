import { describe, expect, it } from 'vitest';
import { listAddress } from '../../../../src-renderer/components/list/list-address.ts';
import { asSentence } from '../../../../src-renderer/components/list/sentence.ts';
import { deliveriesPlan, narrowed } from '../../../../src-renderer/pages/gitops/delivery-filter.ts';
import { deliveryKey, statusOf } from '../../../../src-renderer/pages/gitops/delivery-labels.ts';
import type { Delivery } from '../../../../src-shared/api/delivery.ts';

const delivery = (over: Partial<Delivery>): Delivery => ({
  name: 'Deploy',
  repo: 'harbour',
  sync: 'synced',
  health: 'healthy',
  detail: 'delivered 1111111',
  target_revision: '1'.repeat(40),
  last_transition: '2026-11-21T08:00:00.000Z',
  ...over,
});

describe('how a delivery stands', () => {
  it('is the graver of its sync and its health', () => {
    expect(statusOf(delivery({}))).toBe('synced');
    expect(statusOf(delivery({ sync: 'out_of_sync', health: 'missing' }))).toBe('missing');
    expect(statusOf(delivery({ sync: 'out_of_sync', health: 'degraded' }))).toBe('degraded');
    expect(statusOf(delivery({ sync: 'out_of_sync' }))).toBe('out_of_sync');
    expect(statusOf(delivery({ sync: 'progressing', health: 'suspended' }))).toBe('suspended');
    expect(statusOf(delivery({ sync: 'out_of_sync', health: 'not_read' }))).toBe('out_of_sync');
    expect(statusOf(delivery({ sync: 'not_read' }))).toBe('not_read');
    expect(statusOf(delivery({ sync: 'synced', health: 'not_read' }))).toBe('not_read');
    expect(statusOf(delivery({ health: 'progressing' }))).toBe('progressing');
  });

  it('is why in a sentence, and a commit id keeps its letters', () => {
    expect(asSentence('failed on 9f8e7d6')).toBe('Failed on 9f8e7d6.');
    expect(asSentence('ab12cd3 is on its way')).toBe('ab12cd3 is on its way.');
  });
});

describe('the list of deliveries', () => {
  const items = [
    delivery({ repo: 'a' }),
    delivery({ repo: 'c', health: 'degraded', detail: 'failed on feedbee' }),
    delivery({ repo: 'b', sync: 'progressing', health: 'progressing' }),
  ];
  const reposOf = (filter: Parameters<typeof narrowed>[1]) => narrowed(items, filter).map(({ repo }) => repo);

  it('has the gravest first, and is narrowed by words, repository and state', () => {
    expect(reposOf({})).toEqual(['c', 'b', 'a']);
    expect(reposOf({ q: 'FEEDBEE' })).toEqual(['c']);
    expect(reposOf({ repo: 'a' })).toEqual(['a']);
    expect(reposOf({ state: 'progressing' })).toEqual(['b']);
    expect(reposOf({ state: 'missing' })).toEqual([]);
  });

  it('has its filter and the open delivery in the address, and takes a filter off', () => {
    const { read, changed } = deliveriesPlan.filter;
    const { filter } = read({ q: 'x', repo: 'a', state: 'degraded' });
    expect(listAddress(deliveriesPlan, { filter, open: 'a/Deploy' })).toEqual({
      tab: 'gitops',
      q: 'x',
      repo: 'a',
      state: 'degraded',
      record: 'a/Deploy',
    });
    expect(changed(filter, { state: undefined })).toEqual({ q: 'x', repo: 'a' });
    expect(read({ q: '', repo: null, state: 'good' }).filter).toEqual({});
  });

  it('tells deliveries of one name in two repositories apart', () => {
    const { repo: _none, ...inCluster } = delivery({});
    expect(new Set([...items, inCluster].map(deliveryKey)).size).toBe(4);
  });
});
