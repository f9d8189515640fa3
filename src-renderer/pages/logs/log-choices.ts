import { formatLines } from '../../components/log-viewer/log-labels.ts';

/** Durations that a log is read back, and numbers of its newest lines. */
export const durations = ['5m', '15m', '1h', '6h', '1d'] as const;
export const tails = ['100', '1000', '10000'] as const;

const units: Readonly<Record<string, string>> = { s: 's', m: 'min', h: 'h', d: 'd' };

/** A duration in words; a time as the address has it. */
export const sinceLabel = (since: string): string =>
  since.replace(/^(\d+)([smhd])$/, (_, count: string, unit: string) => `last ${count} ${units[unit]}`);

export const tailLabel = (tail: string): string => formatLines(Number(tail));
