import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RequirementDocument } from '#shared/api/requirements.ts';

/** The files of docs/requirements that hold requirements, in the order in which they are shown. */
const files = ['console.md', 'backends.md', 'routes.md'];

let kept: readonly RequirementDocument[] | undefined;
let byNumber: ReadonlyMap<string, string> | undefined;

/** Returns the requirements that come with the program; they are read once. Throws when a file is missing. */
export function readRequirements(): readonly RequirementDocument[] {
  kept ??= files.map((file) => parseRequirements(readFileSync(join(folderOfRequirements(), file), 'utf8')));
  return kept;
}

/** Returns what a document says: `# Title`, `## Group`, and lines `- **BCK-042** Text`. Throws for a line before the first group. */
export function parseRequirements(markdown: string): RequirementDocument {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? '';
  const groups: RequirementDocument['groups'] = [];
  for (const line of markdown.split('\n')) {
    const group = /^## (.+)$/.exec(line)?.[1];
    if (group !== undefined) groups.push({ title: group, requirements: [] });
    const [, number, text] = /^- \*\*([A-Z]{3}-\d{3})\*\* (.+)$/.exec(line) ?? [];
    if (number === undefined || text === undefined) continue;
    const last = groups.at(-1);
    if (last === undefined) throw new Error(`${number} stands before the first group of ${title}.`);
    last.requirements.push({ number, text });
  }
  return { title, groups };
}

/** Returns the sentences of the requirements that a reference such as `BCK-025, BCK-026` names; undefined when it names none. */
export function requirementText(reference: string): string | undefined {
  byNumber ??= new Map(
    readRequirements()
      .flatMap(({ groups }) => groups.flatMap(({ requirements }) => requirements))
      .map(({ number, text }) => [number, text]),
  );
  const sentences = reference.split(', ').flatMap((number) => byNumber?.get(number) ?? []);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Above this file in the source tree, in the build and in the packaged program alike. */
function folderOfRequirements(): string {
  for (let above = import.meta.dirname; ; above = dirname(above)) {
    const folder = join(above, 'docs', 'requirements');
    if (existsSync(folder)) return folder;
    if (dirname(above) === above)
      throw new Error('The requirements that come with the console are missing: install it again.');
  }
}
