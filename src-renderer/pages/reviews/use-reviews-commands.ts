import { type RefObject, useMemo } from 'react';
import { capitalised } from '#shared/text.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconListCheck } from '../../core/icons/icons.ts';
import { listCommands } from '../../core/list-commands.ts';
import { changeOf } from './review-labels.ts';
import type { ReviewRow } from './review-list.ts';

type ReviewsCommands = {
  /** Memoised, like the functions. */
  readonly rows: readonly ReviewRow[];
  readonly input: RefObject<HTMLInputElement | null>;
  readonly move: (step: 1 | -1) => void;
  readonly show: (runId: number) => void;
};

/** Commands and keys of the reviews page. */
export function useReviewsCommands({ rows, input, move, show }: ReviewsCommands): void {
  const commands = useMemo<readonly Command[]>(
    () => [
      ...listCommands({ filter: { focus: () => input.current?.focus() }, move, of: 'review' }),
      ...rows.map<Command>(({ review, found }) => ({
        id: `review.${review.run_id}`,
        group: 'Records',
        title: `${capitalised(review.type)} review of ${review.repo} ${changeOf(review)}`,
        detail: found,
        icon: IconListCheck,
        run: () => show(review.run_id),
      })),
    ],
    [rows, input, move, show],
  );
  useCommands(commands);
}
