import { describe, expect, it } from 'vitest';
import { celInput, compileCondition } from '../../../src-main/cel/index.ts';

const ask = (text: string, facts: unknown = {}, steps?: number) => {
  const made = compileCondition(text, ['facts']);
  if ('fault' in made) return made.fault;
  const outcome = made.condition.evaluate({ facts: celInput(facts) }, steps);
  return 'holds' in outcome ? outcome.holds : outcome.fault;
};

describe('a condition in CEL', () => {
  it.each([
    ['facts.open == 0', { open: 0 }, true],
    ['facts.days <= 14.0', { days: 13.5 }, true],
    ['facts.days <= 14.0', { days: 15 }, false],
    ['facts.regions.all(r, r in ["eu", "us"])', { regions: ['eu', 'ap'] }, false],
    ['sets.contains(["eu", "us"], facts.regions)', { regions: ['eu'] }, true],
    ['has(facts.open) && facts.open > 0', {}, false],
    ['facts.name.matches("^a+$") ? true : facts.open > 2', { name: 'b', open: 3 }, true],
  ])('%s of %o is %s', (text, facts, holds) => {
    expect(ask(text, facts)).toBe(holds);
  });

  it.each([
    ['facts.open ==', /^The condition is not valid at line 1, column \d+: Syntax error: /],
    ['fact.open == 0', /column 1: "fact" is not known here$/],
    ['facts.list.map(x, y)', /"y" is not known here$/],
    ['facts.open == 0 &&\n shell("id")', /line 2, column \d+: there is no function "shell"$/],
  ])('%s is refused before it is asked', (text, fault) => {
    expect(ask(text)).toMatch(fault);
  });

  it.each([
    ['facts.open == 0', {}, /^The condition could not be evaluated: /],
    ['facts.open', { open: 3 }, /neither true nor false/],
    ['facts.open', { open: 'true' }, /neither true nor false/],
  ])('%s of %o says why it cannot be told', (text, facts, fault) => {
    expect(ask(text, facts)).toMatch(fault);
  });

  it('gives up a condition that takes too many steps', () => {
    const list = Array.from({ length: 300 }, (_, index) => index);
    const nested = 'facts.list.all(a, facts.list.all(b, facts.list.all(c, a + b + c >= 0)))';
    expect(ask(nested, { list })).toMatch(/too many steps/);
    expect(ask('facts.list.all(a, a >= 0)', { list }, 10)).toMatch(/too many steps/);
  });
});
