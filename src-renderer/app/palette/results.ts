import type { Command, CommandGroup } from '../../core/commands.tsx';
import { type Match, matchTitle } from './match.ts';

export type Result = { readonly command: Command; readonly match: Match };
export type ResultGroup = { readonly group: CommandGroup; readonly results: readonly Result[] };

/** Most results of one group while no kind is chosen. */
const mostPerGroup = 6;

/** What the query finds, by group, the group with the best hit first. `only` narrows to one kind and lifts the cap. */
export function findCommands(
  commands: readonly Command[],
  query: string,
  only: CommandGroup | undefined,
): readonly ResultGroup[] {
  const groups = new Map<CommandGroup, Result[]>();
  for (const command of commands) {
    if (command.inPalette === false || (only !== undefined && command.group !== only)) continue;
    const match = matchTitle(query, command.title, command.detail);
    if (match === undefined) continue;
    groups.set(command.group, [...(groups.get(command.group) ?? []), { command, match }]);
  }
  return [...groups]
    .map(([group, results]) => ({ group, results: results.sort((a, b) => a.match.score - b.match.score) }))
    .sort((a, b) => bestOf(a.results) - bestOf(b.results))
    .map(({ group, results }) => ({
      group,
      results: only === undefined ? results.slice(0, mostPerGroup) : results,
    }));
}

const bestOf = (results: readonly Result[]): number => results[0]?.match.score ?? Number.POSITIVE_INFINITY;
