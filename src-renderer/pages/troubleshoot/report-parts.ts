import type { Report } from '#shared/api/troubleshoot.ts';

/** A kind of evidence that was read. */
export type Checked = Report['checked'][number];
/** A kind of evidence that was not, or not all of it. */
export type NotChecked = Report['not_checked'][number];

/** What was not checked, as a sentence. */
export const notCheckedWords = ({ what, reason }: Pick<NotChecked, 'what' | 'reason'>): string =>
  `${what}: ${reason}`;
