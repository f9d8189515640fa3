import { type RefObject, useMemo } from 'react';
import type { AgentConfig } from '#shared/api/code-host.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconRobot } from '../../core/icons/icons.ts';
import { listCommands } from '../../core/list-commands.ts';
import type { ConfigRow } from './config-model.ts';

type ConfigCommands = {
  /** Memoised, like the functions. */
  readonly items: readonly AgentConfig[];
  readonly input: RefObject<HTMLInputElement | null>;
  readonly move: (step: 1 | -1) => void;
  readonly show: (row: ConfigRow) => void;
};

/** Commands and keys of the agent config page. */
export function useConfigCommands({ items, input, move, show }: ConfigCommands): void {
  const commands = useMemo<readonly Command[]>(
    () => [
      ...listCommands({
        filter: { title: 'Search rules and settings', focus: () => input.current?.focus() },
        move,
      }),
      ...items.flatMap(({ repo, agents }) =>
        agents.map<Command>(({ name, family, line }) => ({
          id: `agent.${repo}.${name}.${line}`,
          group: 'Records',
          title: name,
          detail: `${family ?? ''} agent of ${repo}`.trim(),
          icon: IconRobot,
          run: () => show({ repo, agent: name }),
        })),
      ),
    ],
    [items, input, move, show],
  );
  useCommands(commands);
}
