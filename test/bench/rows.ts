import { loadavg } from 'node:os';

/** What a bench prints: a line for each figure with its budget. */
export type Rows = {
  row(name: string, value: string, budget: string, holds: boolean): void;
  /** Returns whether every figure so far was within its budget. */
  allHold(): boolean;
};

export const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
export const ms = (time: number): string => `${time.toFixed(time < 100 ? 1 : 0)} ms`;
/** Returns the machine's load of the last minute: figures beside a high one say little. */
export const load = (): string => (loadavg()[0] ?? 0).toFixed(1);

export function createRows(): Rows {
  let within = true;
  return {
    row(name, value, budget, holds) {
      within &&= holds;
      console.log(
        `${name.padEnd(46)} ${value.padStart(10)}   budget ${budget.padEnd(8)} ${holds ? '' : 'OVER'}   load ${load()}`,
      );
    },
    allHold: () => within,
  };
}

/** Returns the value below which `part` (0 to 1) of the values lie. */
export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}
