import type { Symptom } from '#shared/api/symptoms.ts';
import type { TextReport } from '#shared/api/troubleshoot.ts';
import { createLogScanner } from '../../log-scan/index.ts';
import { findingsOf } from './findings/findings.ts';
import { hitsInText, logRules } from './logs/log-rules.ts';
import { rulesOf } from './rules.ts';
import { hitsInEvents } from './text-events.ts';

/**
 * Explains a pasted text by the catalogue's rules for logs and events; its origin is unknown, so clauses of
 * every part of the platform count.
 */
export function diagnoseText(text: string, catalogue: readonly Symptom[]): TextReport {
  const begun = performance.now();
  const all = rulesOf(catalogue);
  const rules = logRules(all);
  const lines = text.split('\n');
  const scan = createLogScanner(rules.literals).begin();
  const bytes = Buffer.from(text, 'utf8');
  const hits = [...scan.feed(bytes), ...scan.end()];
  const found = hitsInText(
    rules,
    { hits, counts: scan.counts },
    { kind: 'text', part: 'any', failing: undefined, origin: { ref: 'pasted text' }, lines: true },
  );
  const others = catalogue.filter(
    ({ look_for }) => !look_for.some((clause) => 'log' in clause || 'event' in clause),
  );
  return {
    findings: findingsOf([...found, ...hitsInEvents(all, lines)]),
    checked: [{ what: 'Lines of the text', count: lines.length }],
    not_checked: [
      {
        what: 'Anything but the text',
        reason: 'A text alone does not show the state of objects, settings and health endpoints.',
        symptoms: others.map(({ id }) => id),
      },
    ],
    symptoms: catalogue.length,
    took_ms: performance.now() - begun,
  };
}
