import { type RefObject, useMemo } from 'react';
import type { AuditItem } from '#shared/api/audit.ts';
import { IconHistory } from '../../components/icons/icons.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import { listCommands } from '../../core/list-commands.ts';

type AuditCommands = {
  readonly records: readonly AuditItem[];
  readonly input: RefObject<HTMLInputElement | null>;
  /** Memoised, like `show`. */
  readonly move: (step: 1 | -1) => void;
  readonly show: (seq: number) => void;
};

/** Records the palette knows: the newest, which are the ones asked about. */
const mostRecords = 200;

/** What the audit page offers by name and key. */
export function useAuditCommands({ records, input, move, show }: AuditCommands): void {
  const commands = useMemo<readonly Command[]>(
    () => [
      ...listCommands({ filter: { focus: () => input.current?.focus() }, move }),
      ...records.slice(0, mostRecords).map<Command>(({ seq, summary, actor, action }) => ({
        id: `record.${seq}`,
        group: 'Records',
        title: summary,
        detail: `record ${seq}, ${action}, ${actor}`,
        icon: IconHistory,
        run: () => show(seq),
      })),
    ],
    [records, input, move, show],
  );
  useCommands(commands);
}
