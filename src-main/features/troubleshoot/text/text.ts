import type { Symptom } from '#shared/api/symptoms.ts';
import type { Checked, Evidence, Finding, NotChecked, TextReport } from '#shared/api/troubleshoot.ts';
import { createLogScanner, type LineHit, type LogScanner } from '../../../log-scan/index.ts';
import {
  createTextReader,
  eventName,
  type TextFacts,
  textCluster,
} from '../../../sources/cluster/text/index.ts';
import { diagnose } from '../diagnose.ts';
import type { Reading } from '../evidence/reading.ts';
import { findingsOf } from '../findings/findings.ts';
import { type LogRules, logRules } from '../logs/log-rules.ts';
import { type Rules, rulesOf } from '../rules.ts';
import { hitsInLines, textRef } from './text-logs.ts';

/** A text as a whole, or as it is read. */
export type Text = string | AsyncIterable<string>;

/** Characters that are handed to the scanner at once. */
const batch = 64 * 1024;

/**
 * Explains a text: what it shows of objects is diagnosed as a cluster is, its other lines are looked through for known
 * messages. Of what it does not show nothing is said but that it was not read.
 */
export async function diagnoseText(text: Text, catalogue: readonly Symptom[]): Promise<TextReport> {
  const begun = performance.now();
  const { rules, ofLogs, scanner } = rulesKept(catalogue);
  const scan = scanner.begin();
  const hits: LineHit[] = [];
  let waiting = '';
  let fed = 0;
  const reader = createTextReader(({ text: line, number }) => {
    // Lines of objects are left out as empty ones, so that numbers stay.
    waiting += `${'\n'.repeat(number - 1 - fed)}${line}\n`;
    fed = number;
    if (waiting.length < batch) return;
    hits.push(...scan.feed(Buffer.from(waiting, 'utf8')));
    waiting = '';
  });
  await eachLine(text, reader.feed);
  const facts = reader.end();
  hits.push(...scan.feed(Buffer.from(waiting, 'utf8')), ...scan.end());
  const hitsIn = (reading: Reading | undefined) =>
    hitsInLines(reading, { rules, logRules: ofLogs }, { hits, counts: scan.counts }, facts);
  const report: Pick<TextReport, 'findings' | 'checked' | 'not_checked'> =
    facts.objects.length === 0
      ? { findings: findingsOf(hitsIn(undefined)), checked: [], not_checked: [] }
      : await diagnose(
          { id: undefined, cluster: textCluster(facts, Date.now) },
          {
            catalogue,
            now: Date.now,
            signal: new AbortController().signal,
            onProgress: () => undefined,
            logs: (reading) => ({ hits: hitsIn(reading), count: 0, gaps: [] }),
          },
        );
  return {
    findings: report.findings.map((finding) => withLines(finding, facts)),
    checked: [
      ...report.checked.filter(({ what, count }) => count > 0 && what !== 'Logs'),
      { what: 'Lines of the text', count: facts.lines },
    ],
    not_checked: notChecked(report, facts, catalogue),
    symptoms: catalogue.length,
    took_ms: performance.now() - begun,
  };
}

type Prepared = {
  readonly rules: Rules;
  readonly ofLogs: LogRules;
  readonly scanner: LogScanner;
};
const prepared = new WeakMap<readonly Symptom[], Prepared>();

/** Makes the rules of a catalogue once: short texts come one after the other. */
function rulesKept(catalogue: readonly Symptom[]): Prepared {
  const known = prepared.get(catalogue);
  if (known !== undefined) return known;
  const rules = rulesOf(catalogue);
  const ofLogs = logRules(rules);
  const made = { rules, ofLogs, scanner: createLogScanner(ofLogs.textLiterals) };
  prepared.set(catalogue, made);
  return made;
}

async function eachLine(text: Text, take: (line: string) => void): Promise<void> {
  let rest = '';
  const cut = (part: string): void => {
    const all = rest + part;
    let from = 0;
    for (let at = all.indexOf('\n'); at >= 0; at = all.indexOf('\n', from)) {
      take(all.slice(from, at));
      from = at + 1;
    }
    rest = all.slice(from);
  };
  if (typeof text === 'string') cut(text);
  else for await (const part of text) cut(part);
  if (rest !== '') take(rest);
}

/** Events of a text are rows of it: evidence names the line. */
function withLines(finding: Finding, { objects }: TextFacts): Finding {
  if (objects.length === 0) return finding;
  return {
    ...finding,
    evidence: finding.evidence.map((piece): Evidence => {
      const line = Number(/^Event line (\d+)$/.exec(piece.ref)?.[1]);
      return piece.kind === 'event' && piece.ref === `Event ${eventName(line)}`
        ? { ...piece, kind: 'text', ref: textRef, line }
        : piece;
    }),
  };
}

function notChecked(
  {
    checked,
    not_checked,
  }: { readonly checked: readonly Checked[]; readonly not_checked: readonly NotChecked[] },
  { gaps, objects }: TextFacts,
  catalogue: readonly Symptom[],
): NotChecked[] {
  const shown = new Set(checked.flatMap(({ what, count }) => (count > 0 ? [what] : [])));
  const absent = not_checked.filter(({ what }) => !shown.has(what));
  const unseen = new Set(
    catalogue.flatMap(({ id, look_for }) =>
      look_for.some((clause) => 'log' in clause || 'class' in clause || 'event' in clause) ? [] : [id],
    ),
  );
  const symptoms = new Set(
    objects.length === 0 ? unseen : absent.flatMap(({ symptoms }) => symptoms).filter((id) => unseen.has(id)),
  );
  const kinds = absent.map(({ what }) => what);
  return [
    {
      what: 'Anything but the text',
      reason:
        objects.length === 0
          ? 'No objects were recognised in it: its lines were looked through for known messages only.'
          : `Not read, because the text does not show it: ${[...new Set(kinds)].join(', ')}.`,
      symptoms: [...symptoms],
    },
    ...not_checked
      .filter(({ what }) => shown.has(what))
      .map(({ what, reason }) => ({ what, reason, symptoms: [] })),
    ...gaps.map((reason) => ({ what: 'Parts of the text', reason, symptoms: [] })),
  ];
}
