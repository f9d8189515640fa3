import type { OutlineComponent } from '../answer-outline.ts';
import { type Brief, readBrief, type Sentence } from './read-brief.ts';
import { singular } from './words.ts';

/** A plan: steps in the order of work, the components it is made of, and what the brief left open. */
export type Plan = {
  readonly steps: readonly PlanStep[];
  readonly components: readonly OutlineComponent[];
  readonly open: readonly string[];
};

export type PlanStep = {
  readonly part: 'Data' | 'Screens' | 'Rules' | 'Checks' | 'Delivery';
  readonly text: string;
};

/** Most rules written out; the rest are counted, so that a long brief still gives a plan that can be read. */
const mostRules = 6;

/** The plan of a person's messages, oldest first. */
export function planOf(messages: readonly string[]): Plan & { readonly brief: Brief } {
  const brief = readBrief(messages);
  const rules = brief.sentences.filter(isRule);
  return {
    brief,
    steps: [
      dataStep(brief),
      screenStep(brief),
      ...ruleSteps(rules),
      checkStep(brief, rules),
      {
        part: 'Delivery',
        text: 'Work on a branch, run every check there, and hand it to a person as a pull request',
      },
    ],
    components: componentsOf(brief, rules),
    open: openQuestions(brief, rules),
  };
}

function isRule(sentence: Sentence): boolean {
  return (
    sentence.isConstraint ||
    sentence.work === 'rule' ||
    sentence.work === 'notice' ||
    sentence.work === 'output'
  );
}

function dataStep({ things, fields }: Brief): PlanStep {
  if (things.length === 0)
    return { part: 'Data', text: 'Settle what is kept: the brief names no things in the plural' };
  const known = fields.length === 0 ? '' : `, with ${listed(fields)}`;
  return { part: 'Data', text: `Keep ${listed(things)}${known}` };
}

function screenStep({ things, screens }: Brief): PlanStep {
  const main = things[0];
  const drawn = screens.map((screen) => `the ${screen}`);
  const usual = main === undefined ? [] : [`${main} with search and filter`];
  const all = [...usual, ...drawn];
  return {
    part: 'Screens',
    text:
      all.length === 0
        ? 'Draw one page for the whole task, with its empty and failing states'
        : `Draw ${listed(all)}`,
  };
}

function ruleSteps(rules: readonly Sentence[]): PlanStep[] {
  const written = rules.slice(0, mostRules).map((rule): PlanStep => ({ part: 'Rules', text: rule.text }));
  const left = rules.length - written.length;
  if (left > 0)
    written.push({ part: 'Rules', text: `Write down the other ${left} rules of the brief the same way` });
  return written;
}

function checkStep({ limits }: Brief, rules: readonly Sentence[]): PlanStep {
  if (limits.length > 0)
    return { part: 'Checks', text: `Test just under, exactly at and just over ${listed(limits)}` };
  if (rules.length > 0)
    return { part: 'Checks', text: 'Test each rule with one case that passes and one that does not' };
  return { part: 'Checks', text: 'Test adding, finding, changing and removing one record' };
}

function componentsOf(brief: Brief, rules: readonly Sentence[]): OutlineComponent[] {
  const data = brief.things.map((thing, at) => ({
    kind: 'data',
    name: thing.split(' ').map(singular).join('-'),
    detail: at === 0 && brief.fields.length > 0 ? listed(brief.fields) : '',
  }));
  const main = brief.things[0];
  const screens = [...(main === undefined ? [] : [`${main} list`]), ...brief.screens].map((name) => ({
    kind: 'screen',
    name,
    detail: '',
  }));
  const parts = rules.slice(0, mostRules).map(({ text, work, isConstraint }) => ({
    kind: work === 'notice' || work === 'output' ? work : 'rule',
    name: firstWords(text),
    detail: isConstraint ? 'sets a limit' : '',
  }));
  return [...data, ...new Map(screens.map((screen) => [screen.name, screen])).values(), ...parts];
}

function openQuestions(brief: Brief, rules: readonly Sentence[]): string[] {
  const open: string[] = [];
  if (brief.things.length === 0)
    open.push('Which things does the app keep? Name them in the plural, such as invoices or berths.');
  if (brief.limits.length === 0 && rules.length > 0)
    open.push('Is there a limit in numbers, and what happens at it?');
  if (!brief.namesPeople) open.push('Who uses it, and who may change what others see?');
  if (!brief.sentences.some((sentence) => sentence.work === 'intake'))
    open.push('Where does the data come from?');
  return open;
}

function firstWords(text: string): string {
  const words = text.replace(/[,:]/g, '').split(' ');
  return words.length <= 5 ? words.join(' ') : `${words.slice(0, 5).join(' ')}…`;
}

/** `a, b and c`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
