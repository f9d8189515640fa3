import type { Symptom } from '#shared/api/symptoms.ts';
import type { TextReport } from '#shared/api/troubleshoot.ts';
import { createLogScanner } from '../../log-scan/index.ts';
import { findingsOf } from './findings.ts';
import { hitsInText, logRules } from './log-rules.ts';
import { rulesOf } from './rules.ts';

/** Explains a pasted text by the log clauses of the catalogue; nobody says whose it is, so those of every part count. */
export function diagnoseText(text: string, catalogue: readonly Symptom[]): TextReport {
  const begun = performance.now();
  const rules = logRules(rulesOf(catalogue));
  const scan = createLogScanner(rules.literals).begin();
  const bytes = Buffer.from(text, 'utf8');
  const hits = [...scan.feed(bytes), ...scan.end()];
  const found = hitsInText(
    rules,
    { hits, counts: scan.counts },
    { kind: 'text', part: 'any', failing: undefined, place: { ref: 'pasted text' }, lines: true },
  );
  const others = catalogue.filter(({ look_for }) => !look_for.some((clause) => 'log' in clause));
  return {
    findings: findingsOf(found),
    checked: [{ what: 'Lines of the text', count: text.split('\n').length }],
    not_checked: [
      {
        what: 'Anything but the text',
        reason: 'A text alone does not show the state of objects, events, settings and health endpoints.',
        symptoms: others.map(({ id }) => id),
      },
    ],
    symptoms: catalogue.length,
    took_ms: performance.now() - begun,
  };
}
