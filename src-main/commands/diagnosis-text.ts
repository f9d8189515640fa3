import type { Evidence, Finding, Report, TextReport } from '#shared/api/troubleshoot.ts';
import { severityWorstFirst } from '#shared/health/worst-first.ts';
import { formatReference } from '#shared/troubleshoot/report-markdown.ts';

/** A report as plain text for a terminal, without colour: what is gravest first. */
export function reportText(report: Report | TextReport, name: string): string {
  const { findings, checked, not_checked } = report;
  const lines = [
    headline(report, name),
    '',
    ...findings.flatMap((finding, index) => [...findingLines(finding, index + 1), '']),
    `Looked for ${report.symptoms} symptoms in ${checked
      .filter(({ count }) => count > 0)
      .map(({ what, count }) => `${count} ${what}`)
      .join(', ')}.`,
    ...(not_checked.length === 0 ? [] : ['', 'Not checked:']),
    ...not_checked.map(
      ({ what, reason, symptoms }) =>
        `- ${what}: ${reason}${symptoms.length === 0 ? '' : ` (${symptoms.length} symptoms hang on it)`}`,
    ),
  ];
  return `${lines.map(plain).join('\n')}\n`;
}

function headline(report: Report | TextReport, name: string): string {
  const { findings } = report;
  const counts = severityWorstFirst.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const found = counts.length === 0 ? 'nothing was found' : counts.join(', ');
  const at = 'read_at' in report ? `, as of ${report.read_at}` : '';
  return `${name}: ${found}${at}.`;
}

function findingLines(finding: Finding, number: number): string[] {
  const { objects, evidence, evidence_count, fix } = finding;
  const names = objects.map(({ kind, name, namespace }) =>
    namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`,
  );
  return [
    `${number}. ${finding.severity.toUpperCase()}: ${finding.title}`,
    ...(names.length === 0 ? [] : [`   On: ${names.join(', ')}`]),
    ...(finding.since === undefined ? [] : [`   Since: ${finding.since}`]),
    `   Cause: ${finding.cause}`,
    ...(finding.competes_with.length === 0
      ? []
      : [`   May be instead: ${finding.competes_with.map((id) => id.split(':')[0]).join(', ')}`]),
    ...(finding.explains.length === 0 ? [] : [`   Explains: ${finding.explains.join(', ')}`]),
    `   Evidence${evidence_count > evidence.length ? ` (${evidence.length} of ${evidence_count})` : ''}:`,
    ...evidence.flatMap((piece) => evidenceLines(piece)),
    '   What to do:',
    ...fix.flatMap(({ text, command }, index) => [
      `     ${index + 1}. ${text}`,
      ...(command === undefined
        ? []
        : command
            .trim()
            .split('\n')
            .map((line) => `        $ ${line}`)),
    ]),
    `   It is not this if: ${finding.ruled_out_by}`,
    `   Reference: ${formatReference(finding)}`,
  ];
}

function evidenceLines({ kind, object, container, ref, line, text, times }: Evidence): string[] {
  const of =
    object === undefined
      ? ''
      : ` of ${object.kind} ${object.namespace === undefined ? '' : `${object.namespace}/`}${object.name}`;
  const where = `${kind}${of}${container === undefined ? '' : `, container ${container}`}, ${ref}${line === undefined ? '' : `:${line}`}`;
  return [
    `     - ${where}${times === undefined ? '' : ` (${times} times)`}`,
    ...text.split('\n').map((part) => `       ${part}`),
  ];
}

/** Escapes control characters in a program's log line, so that it cannot move the terminal's cursor. */
function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  return line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}
