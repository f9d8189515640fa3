import { type Severity, severity } from '../api/symptoms.ts';
import type { Checked, Evidence, Finding, NotChecked } from '../api/troubleshoot.ts';

/** The source of a report: the diagnosis of a target, or the explanation of a text. */
export type WrittenReport = {
  /** Subject of the diagnosis, such as a target's name. */
  readonly of: string;
  /** Time of the reading, ISO 8601; absent for a text. */
  readonly readAt?: string | undefined;
  readonly findings: readonly Finding[];
  readonly checked: readonly Checked[];
  readonly notChecked: readonly NotChecked[];
  /** Symptoms that were looked for. */
  readonly symptoms: number;
};

/** A severity in a word. */
export const severityLabels: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  warning: 'Warning',
  info: 'Info',
};

/**
 * A report as Markdown (CommonMark). What comes from a cluster, a bundle or a text is escaped, in a code span or in a fence
 * that is longer than any in it: nothing of it becomes HTML, a picture or a link of another name where the report is read.
 */
export function reportMarkdown(report: WrittenReport): string {
  const { of, readAt, findings, checked, notChecked, symptoms } = report;
  const read = readAt === undefined ? '' : ` Read at ${escaped(readAt)}.`;
  return `${[
    `# Diagnosis of ${escaped(of)}`,
    `${countsOf(findings)}${read} ${symptoms} symptoms were looked for.`,
    ...severity.options.flatMap((each) =>
      findings.filter((finding) => finding.severity === each).map(findingMarkdown),
    ),
    '## Could not check',
    notChecked.length === 0
      ? 'Everything was checked.'
      : notChecked
          .map(({ what, reason, symptoms: ids }) => {
            const hang = ids.length === 0 ? '' : ` (${ids.map(codeSpan).join(', ')})`;
            return `- **${escaped(what)}**: ${escaped(reason)}${hang}`;
          })
          .join('\n'),
    '## Checked',
    checked.length === 0
      ? 'Nothing was checked.'
      : checked.map(({ what, count }) => `- ${escaped(what)}: ${count}`).join('\n'),
  ].join('\n\n')}\n`;
}

const countsOf = (findings: readonly Finding[]): string =>
  findings.length === 0
    ? 'Nothing was found.'
    : `Found: ${severity.options
        .map((each) => `${findings.filter((finding) => finding.severity === each).length} ${each}`)
        .join(', ')}.`;

/** One finding as Markdown, under a heading of the second level. */
export function findingMarkdown(finding: Finding): string {
  const { title, cause, fix, objects, evidence, evidence_count, since, symptom } = finding;
  const { competes_with, explains } = finding;
  const on = objects
    .map(({ kind, name, namespace }) =>
      codeSpan(`${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`),
    )
    .join(', ');
  const facts = [on === '' ? '' : `On ${on}.`, since === undefined ? '' : `Since ${escaped(since)}.`];
  const names =
    evidence_count > evidence.length
      ? `${evidence.length} of ${evidence_count} places`
      : `${evidence.length}`;
  return [
    `## ${severityLabels[finding.severity]}: ${withSpans(title)}`,
    ...[facts.filter((fact) => fact !== '').join(' ')].filter((line) => line !== ''),
    '### Cause',
    withSpans(cause),
    '### Fix',
    ...fix.map(({ text, command }, index) => {
      const step = `${index + 1}. ${withSpans(text)}`;
      return command === undefined ? step : `${step}\n\n${indented(fenced(command, 'sh'))}`;
    }),
    `### Evidence (${names})`,
    ...evidence.map(evidenceMarkdown),
    '### How to confirm it is fixed',
    withSpans(finding.ruled_out_by),
    ...related('It may be instead', competes_with),
    ...related('It explains', explains),
    `Rule ${codeSpan(symptom)}. ${withSpans(formatReference(finding))}`,
  ].join('\n\n');
}

/** Returns where the facts of a finding are written: the name of a document, or a requirement's number with its sentence. */
export const formatReference = ({ reference, reference_text }: Finding): string =>
  reference_text === undefined ? reference : `${reference}: ${reference_text}`;

const related = (heading: string, ids: readonly string[]): string[] =>
  ids.length === 0 ? [] : [`${heading}: ${ids.map(codeSpan).join(', ')}.`];

function evidenceMarkdown({ ref, line, text, before = [], after = [] }: Evidence): string {
  const where = line === undefined ? ref : `${ref}:${line}`;
  return `${codeSpan(where)}\n\n${fenced([...before, text, ...after].join('\n'), 'text')}`;
}

/** The longest run of backticks in a text. */
const longestTicks = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));

/** A code block whose fence is longer than any run of backticks in it (CommonMark, Fenced code blocks). */
function fenced(text: string, language: 'sh' | 'text'): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Under the text of a step of a list. */
const indented = (block: string): string =>
  block
    .split('\n')
    .map((line) => `   ${line}`)
    .join('\n');

/** A code span of any text, on one line (CommonMark, Code spans). */
function codeSpan(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  const inner = text.replace(/\s+/g, ' ');
  return /^`|`$/.test(inner) ? `${ticks} ${inner} ${ticks}` : `${ticks}${inner}${ticks}`;
}

/** Returns a sentence in which text between backticks stays code and everything else is plain text. */
const withSpans = (sentence: string): string =>
  sentence
    .split(/(`[^`]+`)/)
    .map((piece, index) => (index % 2 === 1 ? codeSpan(piece.slice(1, -1)) : escaped(piece)))
    .join('');

/** Returns plain text on one line, escaped so that it contains no Markdown or HTML. */
const escaped = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!&]/g, (character) => `\\${character}`);
