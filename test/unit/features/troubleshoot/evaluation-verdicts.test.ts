import { describe, expect, it } from 'vitest';
import type { Assertion, Case, JudgedAssertion } from '../../../bench/troubleshoot/case-folder.ts';
import { figuresOf, resultOf, weighed } from '../../../bench/troubleshoot/verdicts.ts';

const assertion = (symptom: string, severity = 'warning'): Assertion => ({
  severity,
  symptom,
  title: symptom,
  cause: 'Because.',
  objects: [],
  evidence: 'a line',
});
const judged = (symptom: string, judgement: JudgedAssertion['judgement']): JudgedAssertion => {
  const { severity: _, ...said } = assertion(symptom);
  return { ...said, judgement };
};
const one = (kind: Case['kind'], ...verdicts: JudgedAssertion[]): Case => ({
  id: 'one',
  source: 'a/b',
  address: 'https://example.org/1',
  category: 'tls',
  form: 'log',
  kind,
  truth: 'So.',
  text: '',
  judged: verdicts,
});
const result = (of: Case, ...assertions: Assertion[]) => resultOf(of, weighed(assertions, of.judged));

describe('the verdict of a case', () => {
  it('is right with one right assertion, and counts what is wrong beside it', () => {
    const of = one('incident', judged('cause', 'right'), judged('other', 'wrong'));
    expect(result(of, assertion('cause'), assertion('other'))).toMatchObject({ verdict: 'right', wrong: 1 });
  });

  it('says symptom only, wrong and nothing apart', () => {
    const of = one('incident', judged('effect', 'symptom'), judged('other', 'wrong'));
    expect(result(of, assertion('effect'), assertion('other')).verdict).toBe('symptom only');
    expect(result(of, assertion('other')).verdict).toBe('wrong');
    expect(result(of).verdict).toBe('nothing');
  });

  it('takes no judgement over for other words or another quote', () => {
    const of = one('incident', judged('cause', 'right'));
    expect(result(of, { ...assertion('cause'), cause: 'Something else.' }).verdict).toBe('not judged');
    expect(result(of, { ...assertion('cause'), evidence: 'another line' }).verdict).toBe('not judged');
    expect(result(of, { ...assertion('cause'), objects: ['Pod/a/b'] }).verdict).toBe('not judged');
  });

  it('is a false alarm for each warning on a healthy output, whoever judged it', () => {
    expect(result(one('healthy'), assertion('old')).verdict).toBe('false alarm');
    expect(result(one('healthy'), assertion('old', 'info')).verdict).toBe('quiet');
    expect(result(one('healthy', judged('old', 'wrong')), assertion('old', 'info')).verdict).toBe(
      'false alarm',
    );
  });
});

describe('the figures of a half', () => {
  it('take precision of assertions and recall of incidents', () => {
    const of = one('incident', judged('cause', 'right'), judged('other', 'wrong'));
    const results = [
      result(of, assertion('cause'), assertion('other')),
      result(of, assertion('other')),
      result(of),
      result(one('healthy'), assertion('old')),
    ];
    expect(figuresOf(results)).toMatchObject({
      incidents: 3,
      right: 1,
      nothing: 1,
      wrongOnly: 1,
      wrongAssertions: 2,
      precision: 1 / 3,
      recall: 1 / 3,
      healthy: 1,
      falseAlarms: 1,
    });
  });
});
