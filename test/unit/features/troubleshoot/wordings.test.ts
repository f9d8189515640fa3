import { describe, expect, it } from 'vitest';
import {
  classified,
  errorRules,
  longestAround,
} from '../../../../src-main/features/troubleshoot/errors/classify.ts';
import { speakerOf } from '../../../../src-main/features/troubleshoot/errors/speaker.ts';
import { readWordings } from '../../../../src-main/features/troubleshoot/errors/wordings.ts';
import { errorClass } from '../../../../src-shared/api/symptoms.ts';
import { mostSteps, stepsOf } from '../../../support/patterns/pattern-cost.ts';

const { wordings, recoveries } = readWordings();
const rules = errorRules();

/** The class of a line and what it names; undefined for a line that is no error. */
function told(line: string) {
  const [error] = classified(rules, Buffer.from(line)).errors;
  if (error === undefined || speakerOf(line, error.class, false) !== 'program') return undefined;
  const { host, port, object } = error.target;
  const named = { host, port, object, account: error.account };
  return {
    class: error.class,
    named: Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
  };
}

/** Every line that must be found, with the class of its wording. */
const lines = wordings.flatMap(({ id, class: of, finds }) =>
  finds.map(({ from, line, named }) => ({ id, of, from, line, named })),
);

describe.each(errorClass.options)('wordings of the class %s', (of) => {
  const own = wordings.filter((one) => one.class === of);

  it('are there, of more than one client or server', () => {
    expect(new Set(own.flatMap(({ finds }) => finds.map(({ from }) => from))).size).toBeGreaterThan(1);
  });

  it.each(lines.filter((one) => one.of === of))(
    '$id of $from is found with what it names',
    ({ line, named }) => {
      expect(told(line)).toEqual({ class: of, named: expect.objectContaining(named) });
    },
  );

  it.each(own)('$id passes its near misses', ({ passes }) => {
    for (const line of passes) expect.soft(told(line)?.class, line).not.toBe(of);
  });
});

describe('words that take errors back', () => {
  it.each(recoveries)('$id are found, and near misses are not', ({ id, finds, passes, takes_back }) => {
    const back = (line: string) => classified(rules, Buffer.from(line)).recoveries;
    for (const line of finds)
      expect
        .soft(
          back(line).flatMap((one) => one.takesBack),
          line,
        )
        .toEqual(expect.arrayContaining(takes_back));
    for (const line of passes) expect.soft(back(line), `${id}: ${line}`).toEqual([]);
  });
});

describe('patterns of wordings', () => {
  it.each([...wordings, ...recoveries].filter(({ pattern }) => pattern !== undefined))(
    '$id ends soon on a line made to be slow',
    ({ pattern = '' }) => {
      expect(stepsOf(pattern, 2 * longestAround + 100)).toBeLessThanOrEqual(mostSteps);
    },
  );
});
