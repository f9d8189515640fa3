import { expect, it } from 'vitest';
import { tabs } from '../../../../src-renderer/core/tabs.ts';

it('no two pages share a key after g, an address or a title, and a key is one letter', () => {
  const keys = tabs.flatMap(({ key }) => key ?? []);
  for (const names of [keys, tabs.map(({ tab }) => tab), tabs.map(({ title }) => title)])
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  for (const key of keys) expect(key).toMatch(/^[a-z]$/);
});
