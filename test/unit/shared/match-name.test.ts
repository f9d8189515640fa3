import { describe, expect, it } from 'vitest';
import { matchClasses, matchedPieces, queryParts, rankName } from '../../../src-shared/search/match-name.ts';

const classOf = (name: string, query: string, beside: string[] = []) => {
  const rank = rankName(name, queryParts(query), beside);
  return rank === undefined ? undefined : matchClasses[rank];
};

describe('names that answer a query', () => {
  it('are ranked: the name itself, its beginning, the beginning of a word, inside one, its letters in order', () => {
    expect(classOf('grafana', 'Grafana')).toBe('exact');
    expect(classOf('grafana-0', 'grafana')).toBe('prefix');
    expect(classOf('team.grafana-0', 'grafana')).toBe('word');
    expect(classOf('mygrafana', 'grafana')).toBe('within');
    expect(classOf('grand-final-arena', 'grfa')).toBe('letters');
    expect(classOf('prometheus', 'grafana')).toBeUndefined();
  });

  it('begin a word anywhere in the name, also after an earlier place inside one', () => {
    expect(classOf('webapp-app', 'app')).toBe('word');
  });

  it('are found by parts in any order, some in the namespace or the kind, at least one in the name', () => {
    expect(classOf('cockpit-api', 'api cockpit')).toBe('word');
    expect(classOf('web', 'shop/web', ['shop', 'deployment'])).toBe('exact');
    expect(classOf('web', 'deploy web', ['shop', 'deployment'])).toBe('exact');
    expect(classOf('web', 'shop', ['shop', 'deployment'])).toBeUndefined();
    expect(classOf('web', 'shop deployment', ['shop', 'deployment'])).toBeUndefined();
  });

  it('take fewer than three letters literally', () => {
    expect(classOf('web', 'wb')).toBeUndefined();
  });

  it('are matched by what is written, never by a pattern', () => {
    expect(classOf('web', 'w.b')).toBeUndefined();
    expect(classOf('a(b', 'a(b')).toBe('exact');
    expect(queryParts('\u0000web\u001b\n')).toEqual(['web']);
  });

  it('show which letters matched', () => {
    const drawn = (text: string, query: string) =>
      matchedPieces(text, queryParts(query))
        .map(({ text: piece, matched }) => (matched ? `[${piece}]` : piece))
        .join('');
    expect(drawn('Cockpit-API', 'api cock')).toBe('[Cock]pit-[API]');
    expect(drawn('grand-final', 'gfl')).toBe('[g]rand-[f]ina[l]');
    expect(drawn('İstanbul', 'stan')).toBe('İstanbul');
  });
});
