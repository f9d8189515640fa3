import { type RefObject, useMemo } from 'react';
import type { LineageImage } from '#shared/api/delivery.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconGitCommit, IconRoute } from '../../core/icons/icons.ts';
import { listCommands } from '../../core/list-commands.ts';
import { imageName } from './lineage-labels.ts';

type LineageCommands = {
  /** Memoised, like the functions. */
  readonly images: readonly LineageImage[];
  readonly input: RefObject<HTMLInputElement | null>;
  readonly move: (step: 1 | -1) => void;
  readonly choose: (image: string) => void;
};

/** Commands and keys of the lineage page. */
export function useLineageCommands({ images, input, move, choose }: LineageCommands): void {
  const commands = useMemo<readonly Command[]>(
    () => [
      {
        id: 'lineage.ask',
        group: 'Actions',
        title: 'Did this commit ship?',
        keys: '/',
        icon: IconGitCommit,
        run: () => {
          input.current?.focus();
          input.current?.select();
        },
      },
      ...listCommands({ move, of: 'image' }),
      ...images.map<Command>(({ image, repo, where }) => ({
        id: `image.${image}`,
        group: 'Records',
        title: imageName(image),
        detail: `image of ${repo}, ${where}`,
        icon: IconRoute,
        run: () => choose(image),
      })),
    ],
    [images, input, move, choose],
  );
  useCommands(commands);
}
