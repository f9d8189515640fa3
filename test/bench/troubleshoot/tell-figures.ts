import { type Figures, figuresOf, type Result } from './verdicts.ts';

/** Prints the figures of a half: of each category, and of all. */
export function tellFigures(name: string, results: readonly Result[]): void {
  const heads = [
    'incidents',
    'right',
    'symptom',
    'nothing',
    'wrong',
    'asserted wrong',
    'precision',
    'recall',
  ];
  console.log(`\n${line(name, [...heads, 'healthy', 'false alarms'])}`);
  for (const category of [...new Set(results.map((each) => each.category))].sort())
    console.log(lineOf(category, figuresOf(results.filter((each) => each.category === category))));
  const all = figuresOf(results);
  console.log(lineOf('all', all));
  if (all.notJudged > 0)
    console.log(
      `${all.notJudged} incidents have assertions that nobody has judged: the figures are not final.`,
    );
}

function lineOf(name: string, of: Figures): string {
  return line(name, [
    ...[of.incidents, of.right, of.symptomOnly, of.nothing, of.wrongOnly, of.wrongAssertions].map(String),
    of.incidents === 0 ? '' : of.precision.toFixed(2),
    of.incidents === 0 ? '' : of.recall.toFixed(2),
    String(of.healthy),
    String(of.falseAlarms),
  ]);
}

const line = (name: string, columns: readonly string[]): string =>
  name.padEnd(18) + columns.map((column) => column.padStart(15)).join('');
