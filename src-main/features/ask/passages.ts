import { createHash } from 'node:crypto';
import type { Symptom } from '#shared/api/symptoms.ts';
import { pageHref } from '#shared/page-address.ts';
import { readRequirements } from '../requirements/index.ts';
import type { AskPassageRow } from './store.ts';

/** The passages of what comes with the console: the catalogue of symptoms and the requirements. */
export function shippedPassages(catalogue: readonly Symptom[]): {
  readonly digest: string;
  readonly passages: readonly AskPassageRow[];
} {
  const symptoms = catalogue.map(({ id, title, cause, fix, area, look_for }) => ({
    id: `symptom:${id}`,
    title: withoutBlanks(title),
    body: [
      withoutBlanks(cause),
      ...fix.map(({ text }) => withoutBlanks(text)),
      // What a person has before them when they ask: the words of the log, and the names of the symptom.
      ...look_for.flatMap((clause) => ('log' in clause ? [clause.log.literal] : [])),
      id.replaceAll('-', ' '),
      area.replaceAll('_', ' '),
    ].join(' '),
    address: pageHref({ tab: 'troubleshoot', panel: 'catalogue', record: id }),
  }));
  const requirements = readRequirements().flatMap(({ groups }) =>
    groups.flatMap((group) =>
      group.requirements.map(({ number, text }) => ({
        id: `requirement:${number}`,
        title: `${number} ${group.title}`,
        body: text,
        address: pageHref({ tab: 'troubleshoot', panel: 'requirements', record: number }),
      })),
    ),
  );
  const passages = [...symptoms, ...requirements];
  return { digest: createHash('sha256').update(JSON.stringify(passages)).digest('hex'), passages };
}

/** A text of the catalogue for any object: `Pods of {workload}` is `Pods of the workload`. */
function withoutBlanks(text: string): string {
  return text.replace(
    /\b(?:the |The )?\{(\w+)\}|\{(\w+)\}/g,
    (_all, a?: string, b?: string) => `the ${(a ?? b ?? '').replaceAll('_', ' ')}`,
  );
}
