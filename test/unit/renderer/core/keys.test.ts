import { describe, expect, it } from 'vitest';
import { keyCaps, movedIndex, nextKey } from '../../../../src-renderer/core/keys.ts';
import { firstTab, openTab } from '../../../../src-renderer/core/tabs.ts';

const bindings = ['g s', 'g e', 'mod+k', 'r', 'g', '[', '?', 's'].filter((binding) => binding !== 'g');
const plain = { ctrlKey: false, metaKey: false, altKey: false, busy: false };
const press = (key: string, pending?: string, more: Partial<typeof plain> = {}) =>
  nextKey(pending, { ...plain, ...more, key }, bindings);

describe('a key press', () => {
  it('hits a single key', () => {
    expect(press('r')).toEqual({ hit: 'r' });
    expect(press('[')).toEqual({ hit: '[' });
    expect(press('?')).toEqual({ hit: '?' });
  });

  it('waits for the second key of a pair, and then hits the pair rather than the single key', () => {
    expect(press('g')).toEqual({ pending: 'g' });
    expect(press('s', 'g')).toEqual({ hit: 'g s' });
    expect(press('s')).toEqual({ hit: 's' });
  });

  it('forgets the first key of a pair that does not go on', () => {
    expect(press('x', 'g')).toEqual({});
    expect(press('r', 'g')).toEqual({ hit: 'r' });
    expect(press('g', 'g')).toEqual({ pending: 'g' });
  });

  it('is left alone in a field or under a dialog', () => {
    expect(press('r', undefined, { busy: true })).toEqual({});
    expect(press('s', 'g', { busy: true })).toEqual({});
  });

  it('with Ctrl or Cmd works everywhere, capital or not, and takes no other combination from the browser', () => {
    expect(press('k', undefined, { ctrlKey: true, busy: true })).toEqual({ hit: 'mod+k' });
    expect(press('K', undefined, { metaKey: true })).toEqual({ hit: 'mod+k' });
    expect(press('r', undefined, { ctrlKey: true })).toEqual({});
    expect(press('s', 'g', { ctrlKey: true })).toEqual({});
  });

  it('with Alt, or of a key without a character, is never ours', () => {
    expect(press('r', undefined, { altKey: true })).toEqual({});
    expect(press('Enter')).toEqual({});
  });
});

describe('key caps', () => {
  it('draw a pair as two keys and a combination by the keyboard of the machine', () => {
    expect(keyCaps('g s', false)).toEqual(['g', 's']);
    expect(keyCaps('mod+k', false)).toEqual(['Ctrl', 'K']);
    expect(keyCaps('mod+k', true)).toEqual(['⌘', 'K']);
  });
});

describe('a move in a list', () => {
  it('goes by one and stops at the ends', () => {
    expect(movedIndex(0, 1, 3)).toBe(1);
    expect(movedIndex(2, 1, 3)).toBe(2);
    expect(movedIndex(0, -1, 3)).toBe(0);
  });

  it('begins at the near end, and nowhere in an empty list', () => {
    expect(movedIndex(-1, 1, 3)).toBe(0);
    expect(movedIndex(-1, -1, 3)).toBe(2);
    expect(movedIndex(-1, 1, 0)).toBe(-1);
  });
});

describe('the open tab', () => {
  const tabs = ['forgeStudio', 'settings'];
  it('is the address’s, then the person’s own, then the studio', () => {
    expect(openTab('settings', 'forgeStudio', tabs)).toBe('settings');
    expect(openTab(null, 'settings', tabs)).toBe('settings');
    expect(openTab('', 'settings', tabs)).toBe('settings');
    expect(openTab(null, '', tabs)).toBe(firstTab);
  });

  it('passes over a preference for a page that does not exist, but tells of an address that names one', () => {
    expect(openTab(null, 'overview', tabs)).toBe(firstTab);
    expect(openTab('overview', '', tabs)).toBe('overview');
  });
});
