import { smallestSample } from '#shared/api/delivery.ts';
import type { Evidence, Judged } from '#shared/api/intelligence.ts';
import type { AnswerOf } from './sources.ts';

/** A subject of judgement, before its verdict. */
export type Subject = { readonly id: string; readonly title: string; readonly counted: string };

/** Those that a rule holds for, among all it applies to; `without` names the others. */
export type Counting = {
  /** Undefined where it was not read. */
  readonly whole: number | undefined;
  readonly without: readonly string[];
  /** False when the whole may have more than was read: then only a failure is certain. */
  readonly complete: boolean;
};

/** Names written out in one finding. */
const namesShown = 10;

/** Judges that every one of a whole meets a rule. Nothing to count is no evidence, so it never passes. */
export function judgeEvery(
  subject: Subject,
  source: string,
  { noun, met }: { readonly noun: string; readonly met: string },
  { whole, without, complete }: Counting,
): Judged {
  if (whole === undefined) return unmeasured(subject, `The ${noun} were not read.`);
  if (whole === 0) return unmeasured(subject, `There are no ${noun} to judge.`);
  const share = { part: whole - without.length, whole };
  const fact = shareSentence(share, `${noun} ${met}`);
  const evidence = [{ source, fact }];
  if (without.length > 0)
    return { ...subject, outcome: 'fail', finding: `${fact} Not: ${namesOf(without)}.`, share, evidence };
  if (!complete) return { ...unmeasured(subject, `Not all ${noun} could be read.`), evidence };
  return { ...subject, outcome: 'pass', finding: fact, share, evidence };
}

/** Judges that a share of a whole, large enough to say something, is `least` or more; `complete`: the whole was read. */
export function judgeShare(
  subject: Subject,
  source: string,
  noun: string,
  share: { readonly part: number; readonly whole: number; readonly complete: boolean },
  least: number,
): Judged {
  const fact = shareSentence(share, noun);
  if (share.whole < smallestSample)
    return unmeasured(subject, `Too few to judge: ${fact} ${smallestSample} are needed.`);
  const { part, whole, complete } = share;
  const evidence = [{ source, fact }];
  const isEnough = part / whole >= least;
  if (isEnough && !complete) return { ...unmeasured(subject, `Not all could be read. ${fact}`), evidence };
  return { ...subject, outcome: isEnough ? 'pass' : 'fail', finding: fact, share: { part, whole }, evidence };
}

/** Returns a share as a sentence, such as `2 of 3 namespaces have a quota.` */
export function shareSentence({ part, whole }: { part: number; whole: number }, noun: string): string {
  return `${part.toLocaleString('en')} of ${whole.toLocaleString('en')} ${noun}.`;
}

/** Judges one fact. */
export function judgeFact(
  subject: Subject,
  holds: boolean,
  sentences: { readonly pass: string; readonly fail: string },
  source: string,
): Judged {
  const finding = holds ? sentences.pass : sentences.fail;
  const share = { part: holds ? 1 : 0, whole: 1 };
  const evidence: Evidence[] = [{ source, fact: finding }];
  return { ...subject, outcome: holds ? 'pass' : 'fail', finding, share, evidence };
}

/** Says why there is no judgement. */
export function unmeasured(subject: Subject, finding: string): Judged {
  return { ...subject, outcome: 'unmeasured', finding, evidence: [] };
}

/** Counts the outcomes. */
export function outcomesOf(items: readonly Judged[]) {
  const of = (outcome: Judged['outcome']) => items.filter((each) => each.outcome === outcome).length;
  return { pass: of('pass'), fail: of('fail'), unmeasured: of('unmeasured') };
}

type Namespace = AnswerOf<'estate.governance'>['namespaces'][number];

/** Counts the namespaces of people that meet a rule; unread where it cannot be told of any one of them. */
export function countNamespaces(
  { namespaces, source, complete }: AnswerOf<'estate.governance'>,
  rule: (namespace: Namespace) => boolean | undefined,
): Counting {
  const judged = namespaces.filter(({ system }) => !system).map((each) => ({ each, holds: rule(each) }));
  const isUnread = source === 'unavailable' || judged.some(({ holds }) => holds === undefined);
  return {
    whole: isUnread ? undefined : judged.length,
    without: judged.filter(({ holds }) => holds === false).map(({ each }) => each.name),
    complete,
  };
}

function namesOf(names: readonly string[]): string {
  const more = names.length - namesShown;
  return more > 0 ? `${names.slice(0, namesShown).join(', ')} and ${more} more` : names.join(', ');
}
