import type { NotChecked } from '#shared/api/troubleshoot.ts';

/** Formats a skipped check as a sentence. */
export const notCheckedLabel = ({ what, reason }: Pick<NotChecked, 'what' | 'reason'>): string =>
  `${what}: ${reason}`;
