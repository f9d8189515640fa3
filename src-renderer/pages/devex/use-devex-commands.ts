import { useMemo } from 'react';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconCalendar, IconChartBar, IconTable } from '../../core/icons/icons.ts';
import type { Go } from '../../core/page-address.ts';
import { type DevexView, devexAddress } from './devex-address.ts';
import { windows } from './devex-queries.ts';

/** Commands of the DevEx page. */
export function useDevexCommands({ days, repo, view, go }: DevexView & { readonly go: Go }): void {
  const commands = useMemo<readonly Command[]>(
    () => [
      ...windows
        .filter((window) => window !== days)
        .map<Command>((window) => ({
          id: `devex.${window}`,
          group: 'Actions',
          title: `DevEx of the last ${window} days`,
          icon: IconCalendar,
          run: () => go(devexAddress({ days: window, repo, view })),
        })),
      {
        id: 'devex.view',
        group: 'Actions',
        title: view === 'table' ? 'DevEx as charts' : 'DevEx as a table',
        icon: view === 'table' ? IconChartBar : IconTable,
        run: () => go(devexAddress({ days, repo, view: view === 'table' ? 'charts' : 'table' })),
      },
    ],
    [days, repo, view, go],
  );
  useCommands(commands);
}
