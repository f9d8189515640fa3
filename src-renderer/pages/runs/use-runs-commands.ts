import { type RefObject, useMemo } from 'react';
import type { Run } from '#shared/api/runs.ts';
import { IconPlayerPlay } from '../../components/icons/icons.ts';
import { runStates } from '../../components/run-state.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import { listCommands } from '../../core/list-commands.ts';

type RunsCommands = {
  readonly runs: readonly Run[];
  readonly input: RefObject<HTMLInputElement | null>;
  /** False while a log covers the list: its keys are its own then. */
  readonly active: boolean;
  /** Memoised, like `show` and `log`. */
  readonly move: (step: 1 | -1) => void;
  readonly show: (id: string) => void;
  /** Opens the log of the open run; undefined when there is none to open. */
  readonly log: (() => void) | undefined;
};

/** Runs the palette knows: the newest, which are the ones asked about. */
const mostRuns = 200;

const none: readonly Command[] = [];

/** What the runs page offers by name and key. */
export function useRunsCommands({ runs, input, active, move, show, log }: RunsCommands): void {
  const commands = useMemo<readonly Command[]>(
    () => [
      ...listCommands({ filter: { focus: () => input.current?.focus() }, move }),
      ...(log === undefined
        ? []
        : [
            {
              id: 'run.log',
              group: 'Actions',
              title: 'Open the log of this run',
              keys: 'l',
              run: log,
            } as const,
          ]),
      ...runs.slice(0, mostRuns).map<Command>(({ id, name, title, repo, state }) => ({
        id: `run.${id}`,
        group: 'Records',
        title: title === undefined ? name : `${name}: ${title}`,
        detail: ['run', repo, runStates[state].label].filter((term) => term !== undefined).join(', '),
        icon: IconPlayerPlay,
        run: () => show(id),
      })),
    ],
    [runs, input, move, show, log],
  );
  useCommands(active ? commands : none);
}
