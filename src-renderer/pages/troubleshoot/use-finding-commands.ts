import { type RefObject, useCallback, useMemo } from 'react';
import { type Command, useCommands } from '../../core/commands.tsx';
import {
  IconActivity,
  IconClipboardText,
  IconCopy,
  IconPlayerStop,
  IconReload,
} from '../../core/icons/icons.ts';
import { movedIndex } from '../../core/keys.ts';
import { listCommands } from '../../core/list-commands.ts';
import { rowLink } from './finding-rail.tsx';
import { copyStep } from './fix-steps.tsx';
import { severities } from './severity-labels.ts';
import type { Diagnosis } from './use-diagnosis.ts';
import type { FindingList } from './use-finding-list.ts';

/** Findings the palette knows: the gravest. */
const mostInPalette = 200;

type FindingCommands = {
  readonly list: FindingList;
  readonly diagnosis: Diagnosis;
  /** Undefined while there is nothing to diagnose. */
  readonly name: string | undefined;
  readonly view: RefObject<HTMLElement | null>;
  readonly evidence: RefObject<HTMLElement | null>;
  readonly onPaste: () => void;
};

/** Commands and keys of the findings. */
export function useFindingCommands(parts: FindingCommands): void {
  const { list, diagnosis, name, view, evidence, onPaste } = parts;
  const { rows, open, show, input } = list;
  const { running, start, stop } = diagnosis;
  const move = useCallback(
    (step: 1 | -1) => {
      const at = rows.findIndex(({ key }) => key === open?.key);
      const next = rows[movedIndex(at, step, rows.length)];
      if (next === undefined) return;
      rowLink(view.current, next.key)?.focus({ preventScroll: true });
      show(next.key, 'replace');
    },
    [rows, open, show, view],
  );
  const fix = open?.finding.fix;
  const commands = useMemo<readonly Command[]>(() => {
    const steps = (fix ?? []).flatMap(({ command }, index) => (command === undefined ? [] : [index + 1]));
    const copy = (step: number, keys: string): Command => ({
      id: `finding.copy.${keys}`,
      group: 'Actions',
      title: keys === 'c' ? 'Copy the first command of the fix' : `Copy the command of step ${step}`,
      keys,
      icon: IconCopy,
      run: () => copyStep(view.current, step),
    });
    const [first] = steps;
    return [
      ...listCommands({
        filter: { title: 'Filter the findings', focus: () => input.current?.focus() },
        move,
        of: 'finding',
      }),
      ...(first === undefined ? [] : [copy(first, 'c')]),
      ...steps.filter((step) => step <= 9).map((step) => copy(step, String(step))),
      ...(fix === undefined
        ? []
        : [
            {
              id: 'finding.evidence',
              group: 'Moving' as const,
              title: 'Jump to the evidence',
              keys: 'e',
              inPalette: false as const,
              run: () => {
                evidence.current?.scrollIntoView({ block: 'start' });
                evidence.current?.focus({ preventScroll: true });
              },
            },
          ]),
    ];
  }, [fix, move, input, view, evidence]);
  useCommands(commands);
  useCommands(
    useMemo<readonly Command[]>(
      () => [
        ...(name === undefined
          ? []
          : [
              {
                id: 'diagnosis',
                group: 'Actions' as const,
                title: running ? `Cancel the diagnosis of ${name}` : `Diagnose ${name} again`,
                icon: running ? IconPlayerStop : IconReload,
                run: running ? stop : start,
              },
            ]),
        {
          id: 'diagnosis.text',
          group: 'Actions',
          title: 'Explain a pasted text',
          icon: IconClipboardText,
          run: onPaste,
        },
      ],
      [name, running, start, stop, onPaste],
    ),
  );
  useCommands(
    useMemo<readonly Command[]>(
      () =>
        rows.slice(0, mostInPalette).map((row) => ({
          id: `finding.${row.key}`,
          group: 'Records',
          title: row.finding.title.replaceAll('`', ''),
          detail: `finding, ${severities[row.finding.severity].label.toLowerCase()}`,
          icon: IconActivity,
          run: () => show(row.key),
        })),
      [rows, show],
    ),
  );
}
