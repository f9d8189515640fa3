import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../../src-renderer/components/marked-pieces.ts';
import { configAddress } from '../../../../src-renderer/pages/agent-config/config-address.ts';
import {
  configModel,
  configRows,
  lineAddress,
} from '../../../../src-renderer/pages/agent-config/config-model.ts';
import { agentOf, fileOf, noFileOf } from '../../../browser/answers/agent-config-answers.ts';

const items = [
  noFileOf('docs', 'none'),
  fileOf('harbour', [
    agentOf('security', 3),
    agentOf('gardener', 20, { settings: { window: 'nightly' }, bias_rules: [] }),
  ]),
  fileOf('quay', [agentOf('quality', 3)], [{ line: 14, message: 'a rule needs an id' }]),
  noFileOf('berth', 'unread'),
];

describe('agents by repository', () => {
  it('has files with mistakes first, and tells repositories without the file from those not read', () => {
    const model = configModel(items, '');
    expect(model.repos.map(({ config }) => config.repo)).toEqual(['quay', 'harbour']);
    expect(model.without).toEqual(['docs']);
    expect(model.unread).toEqual(['berth']);
  });

  it('finds an agent by a setting, by its value, and by the words of a rule, in any case', () => {
    const found = (q: string) =>
      configModel(items, q).repos.flatMap(({ agents }) => agents.map(({ name }) => name));
    expect(found('NIGHTLY')).toEqual(['gardener']);
    expect(found('max_find')).toEqual(['quality', 'security']);
    expect(found('never its author')).toEqual(['quality', 'security']);
    expect(found('nowhere')).toEqual([]);
  });

  it('keeps unread repositories in sight whatever is searched for', () => {
    expect(configModel(items, 'nowhere').unread).toEqual(['berth']);
  });

  it('has the agents of the open repository as rows below it', () => {
    expect(configRows(configModel(items, '').repos, 'harbour')).toEqual([
      { repo: 'quay' },
      { repo: 'harbour' },
      { repo: 'harbour', agent: 'security' },
      { repo: 'harbour', agent: 'gardener' },
    ]);
  });

  it('links to a line of the file at the commit it was read at', () => {
    expect(lineAddress(fileOf('quay', []), 14)).toMatch(/\/blob\/a{40}\/\.platform\/agents\.yaml#L14$/);
    expect(configAddress({ repo: 'quay', agent: 'quality' }, 'x')).toEqual({
      tab: 'agentConfig',
      q: 'x',
      repo: 'quay',
      agent: 'quality',
    });
  });
});

describe('a text with what is looked for marked', () => {
  it('loses no character and marks every place', () => {
    const pieces = piecesOf('Judge the judge', 'judge');
    expect(pieces.map(({ piece }) => piece).join('')).toBe('Judge the judge');
    expect(pieces.filter(({ hit }) => hit).map(({ at }) => at)).toEqual([0, 10]);
  });

  it('marks nothing where lower case is longer than the text, instead of the wrong place', () => {
    expect(piecesOf('İstanbul judge', 'judge')).toEqual([{ at: 0, piece: 'İstanbul judge', hit: false }]);
  });
});
