import type { Assertion, Case, JudgedAssertion, Judgement } from './case-folder.ts';

/** What is said of a case as a whole. */
export type Verdict = 'right' | 'symptom only' | 'nothing' | 'wrong' | 'quiet' | 'false alarm' | 'not judged';

/** A case with the numbers of its assertions by judgement. */
export type Result = {
  readonly id: string;
  readonly category: string;
  readonly kind: Case['kind'];
  readonly verdict: Verdict;
  readonly right: number;
  readonly symptom: number;
  readonly wrong: number;
};

/** An assertion with its judgement; without one it is new since the last round. */
export type Weighed = Assertion & { readonly judgement: Judgement | undefined; readonly because?: string };

/** Puts the judgements of a case on what was asserted now. */
export function weighed(
  assertions: readonly Assertion[],
  judged: readonly JudgedAssertion[],
): readonly Weighed[] {
  return assertions.map((each) => {
    const known = judged.find((one) => isSame(one, each));
    return {
      ...each,
      judgement: known?.judgement,
      ...(known?.because === undefined ? {} : { because: known.because }),
    };
  });
}

/**
 * Returns the verdict of a case. An incident is right when one assertion names its root cause, whatever else is
 * asserted beside it; what is wrong beside it is counted all the same. On a healthy output every critical finding and
 * every warning is a false alarm, and an information is one when it is judged wrong.
 */
export function resultOf(one: Case, assertions: readonly Weighed[]): Result {
  const { id, category, kind } = one;
  const count = (wanted: Judgement): number =>
    assertions.filter(({ judgement }) => judgement === wanted).length;
  if (kind === 'healthy') {
    const alarms = assertions.filter(
      ({ severity, judgement }) => severity !== 'info' || judgement === 'wrong',
    ).length;
    return {
      id,
      category,
      kind,
      right: 0,
      symptom: 0,
      wrong: alarms,
      verdict: alarms > 0 ? 'false alarm' : 'quiet',
    };
  }
  // A cause that is told three times is told once: it must not improve the precision.
  const right = new Set(
    assertions.filter(({ judgement }) => judgement === 'right').map((each) => each.symptom),
  ).size;
  const [symptom, wrong] = [count('symptom'), count('wrong')];
  const open = assertions.some(({ judgement }) => judgement === undefined);
  const verdict =
    right > 0
      ? 'right'
      : open
        ? 'not judged'
        : symptom > 0
          ? 'symptom only'
          : wrong > 0
            ? 'wrong'
            : 'nothing';
  return { id, category, kind, verdict, right, symptom, wrong };
}

export type Figures = {
  readonly incidents: number;
  readonly right: number;
  readonly symptomOnly: number;
  readonly nothing: number;
  readonly wrongOnly: number;
  readonly wrongAssertions: number;
  readonly notJudged: number;
  /** Root causes asserted rightly out of all that were asserted; of symptoms, which claim no cause, neither. */
  readonly precision: number;
  readonly recall: number;
  readonly healthy: number;
  readonly falseAlarms: number;
};

export function figuresOf(results: readonly Result[]): Figures {
  const incidents = results.filter(({ kind }) => kind === 'incident');
  const healthy = results.filter(({ kind }) => kind === 'healthy');
  const of = (verdict: Verdict): number => results.filter((each) => each.verdict === verdict).length;
  const sum = (list: 'right' | 'wrong'): number => incidents.reduce((total, each) => total + each[list], 0);
  return {
    incidents: incidents.length,
    right: of('right'),
    symptomOnly: of('symptom only'),
    nothing: of('nothing'),
    wrongOnly: of('wrong'),
    wrongAssertions: sum('wrong'),
    notJudged: of('not judged'),
    precision: share(sum('right'), sum('right') + sum('wrong')),
    recall: share(of('right'), incidents.length),
    healthy: healthy.length,
    falseAlarms: of('false alarm'),
  };
}

const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

const isSame = (one: JudgedAssertion, other: Assertion): boolean =>
  one.symptom === other.symptom &&
  one.title === other.title &&
  one.cause === other.cause &&
  one.objects.join() === other.objects.join() &&
  one.evidence === other.evidence;
