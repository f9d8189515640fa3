import type { NotChecked } from '#shared/api/troubleshoot.ts';

/** What was not checked, as a sentence. */
export const notCheckedLabel = ({ what, reason }: Pick<NotChecked, 'what' | 'reason'>): string =>
  `${what}: ${reason}`;
