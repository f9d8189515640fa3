import type { RequirementDocument } from '#shared/api/requirements.ts';

/** Returns the requirements whose number or text has every word, in any case, without documents and groups that are then empty. */
export function narrowRequirements(
  documents: readonly RequirementDocument[],
  query: string,
): readonly RequirementDocument[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return documents;
  return documents
    .map(({ title, groups }) => ({
      title,
      groups: groups
        .map((group) => ({
          title: group.title,
          requirements: group.requirements.filter(({ number, text }) => {
            const searched = `${number} ${text}`.toLowerCase();
            return words.every((word) => searched.includes(word));
          }),
        }))
        .filter(({ requirements }) => requirements.length > 0),
    }))
    .filter(({ groups }) => groups.length > 0);
}
