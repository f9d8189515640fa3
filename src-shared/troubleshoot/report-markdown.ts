import type { Evidence, Finding, Report, TextReport } from '../api/troubleshoot.ts';

/** A report as Markdown, to be pasted into an issue: what was seen stands in code, and nothing of it is markup. */
export function reportMarkdown(report: Report | TextReport, name: string): string {
  const { findings, checked, not_checked } = report;
  const parts = [
    `# Diagnosis of ${escaped(name)}`,
    [
      findings.length === 0
        ? 'Nothing was found.'
        : `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}, the gravest first.`,
      `${report.symptoms} symptoms were looked for${'read_at' in report ? `, as of ${report.read_at}` : ''}.`,
    ].join(' '),
    ...findings.map(findingPart),
    ['## Checked', '', ...checked.map(({ what, count }) => `- ${escaped(what)}: ${count}`)].join('\n'),
    ...(not_checked.length === 0
      ? []
      : [
          [
            '## Not checked',
            '',
            ...not_checked.map(({ what, reason, symptoms }) => {
              const hang = symptoms.length === 0 ? '' : ` ${symptoms.length} symptoms hang on it.`;
              return `- ${escaped(what)}: ${escaped(reason)}${hang}`;
            }),
          ].join('\n'),
        ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function findingPart(finding: Finding): string {
  const { objects, fix, evidence, evidence_count, competes_with, explains } = finding;
  const places = objects.map(({ kind, name, namespace }) =>
    code(namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`),
  );
  const more = evidence_count > evidence.length ? ` (${evidence.length} of ${evidence_count})` : '';
  return [
    `## ${finding.severity}: ${escaped(finding.title)}`,
    '',
    ...(places.length === 0 ? [] : [`On ${places.join(', ')}.`, '']),
    escaped(finding.cause),
    '',
    ...(competes_with.length === 0 ? [] : [`It may be instead: ${competes_with.map(code).join(', ')}.`, '']),
    ...(explains.length === 0 ? [] : [`It explains: ${explains.map(code).join(', ')}.`, '']),
    `### Evidence${more}`,
    '',
    ...evidence.flatMap(evidenceLines),
    '### What to do',
    '',
    ...fix.flatMap(({ text, command }, index) => [
      `${index + 1}. ${escaped(text)}`,
      ...(command === undefined ? [] : ['', ...block(command.trim()).map((line) => `   ${line}`), '']),
    ]),
    '',
    `It is not this if: ${escaped(finding.ruled_out_by)}`,
    '',
    `Reference: ${escaped(finding.reference)}`,
  ].join('\n');
}

function evidenceLines({ kind, object, container, ref, line, text, times }: Evidence): string[] {
  const of =
    object === undefined
      ? ''
      : ` of ${object.kind} ${object.namespace === undefined ? '' : `${object.namespace}/`}${object.name}`;
  const where = `${kind}${of}${container === undefined ? '' : `, container ${container}`}, ${ref}${line === undefined ? '' : `:${line}`}`;
  return [`${escaped(where)}${times === undefined ? '' : `, ${times} times`}`, '', ...block(text), ''];
}

/** A fence that is longer than any run of backticks in it. */
function block(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, ...text.split('\n'), fence];
}

function code(text: string): string {
  const tick = text.includes('`') ? '``' : '`';
  return `${tick}${tick.length > 1 ? ` ${text} ` : text}${tick}`;
}

/** Text as text: characters that Markdown or HTML would read otherwise are escaped, and lines joined. */
function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}
