/** The planner's dictionary: what a word of a brief says about the work. English, lower case, base forms. */

/** The kind of work a verb requests. */
export type Work = 'intake' | 'rule' | 'screen' | 'notice' | 'output';

const verbsByWork: Readonly<Record<Work, string>> = {
  intake:
    'import collect receive read upload ingest scan record capture enter submit sync fetch store keep save log register',
  rule: 'match compare check validate approve reject assign calculate compute merge dedupe rank score reserve book schedule plan route track convert limit allow refuse flag reconcile allocate rename',
  screen: 'show list display view search filter edit browse sort chart draw open review pick choose',
  notice: 'send notify email remind alert warn tell escalate message',
  output: 'export publish generate print download write produce summarise summarize archive',
};

const works: readonly Work[] = ['intake', 'rule', 'screen', 'notice', 'output'];

const workByVerb = new Map<string, Work>(
  works.flatMap((work) => verbsByWork[work].split(' ').map((verb): [string, Work] => [verb, work])),
);

/** Words that are neither a thing nor part of a thing's name. */
const plainWords = new Set(
  (
    'a an the this that these those it its they them their we our us you your i my he she his her who whom whose which what ' +
    'and or but nor so if then else than as at by for from in into of off on onto over per to up with without within out about ' +
    'above below under between before after during until since against across through via near is are was were be been being ' +
    'am do does did done has have had will would shall should can could may might must not no yes all any each every both some ' +
    'many much more most less few several other another same such only also always never too very just again still yet already ' +
    'anything something everything nothing nobody everyone someone there here when where while how why new incoming outgoing open ' +
    'late old own first last next one two three four five six ten please let lets make makes made build add need needs want wants ' +
    'like use uses using get gets give gives go goes come comes work works put set sets take takes turn app application tool system service ' +
    'website site page screen simple small big good quick daily weekly monthly today tomorrow yesterday instead because whether high low hello thanks thank'
  ).split(' '),
);

/** Words ending in s that are not a plural thing: units, and singular nouns. */
const notPlural = new Set(
  'days hours minutes seconds weeks months years times things percent status address process access business analysis basis bus gas lens news series details ways kinds sorts examples always less'.split(
    ' ',
  ),
);

/** Things a person looks at. */
export const screenNouns = new Set(
  'list dashboard form table report calendar chart map queue board view timeline overview inbox widget'.split(
    ' ',
  ),
);

/** Returns the work a word requests when it is a verb of the dictionary, in base form or third person. */
export function workOf(word: string): Work | undefined {
  const base = workByVerb.get(word);
  if (base !== undefined) return base;
  return workByVerb.get(word.replace(/(?<=sh|ch|x|s)es$|s$/, ''));
}

/** True when the word can be a thing or part of a thing's name. */
export function canNameThing(word: string): boolean {
  return (
    word.length > 2 && /^\p{L}/u.test(word) && !plainWords.has(word) && workByVerb.get(word) === undefined
  );
}

/** True for a plural noun, judged by its form. */
export function isPlural(word: string): boolean {
  return word.length > 3 && /[^su]s$/.test(word) && !notPlural.has(word) && canNameThing(word);
}

/** The singular of a regular plural. */
export function singular(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:sh|ch|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
