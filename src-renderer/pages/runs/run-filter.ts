import { z } from 'zod';
import { repositoryName } from '#shared/api/reading.ts';
import { runKind, runState } from '#shared/api/runs.ts';
import type { PageAddress } from '#shared/page-address.ts';
import type { Address } from '../../core/page-address.ts';

/** What narrows the list, in the order of the filter bar. */
const runFilter = z.object({
  q: z.string().max(200).optional(),
  kind: runKind.optional(),
  repo: repositoryName.optional(),
  state: runState.optional(),
  since: z.iso.datetime({ offset: true }).optional(),
});
export type RunFilter = z.infer<typeof runFilter>;

const parts = runFilter.keyof().options;

export type FilterOfAddress = {
  readonly filter: RunFilter;
  /** Parts that say nothing this page understands, such as `state=good`. They narrow nothing, and the page says so. */
  readonly ignored: readonly string[];
};

/** The filter an address names. */
export function filterOf(address: Address): FilterOfAddress {
  const given = parts.flatMap((part) => {
    const value = address[part];
    return value === null || value === '' ? [] : [[part, value] as const];
  });
  const understood = given.filter(([part, value]) => runFilter.shape[part].safeParse(value).success);
  return {
    filter: runFilter.parse(Object.fromEntries(understood)),
    ignored: given.filter((entry) => !understood.includes(entry)).map(([part, value]) => `${part}=${value}`),
  };
}

/** What is open beside the list: one run, its log, and lines of it. */
export type Opened = { readonly run?: string; readonly log?: true; readonly record?: string };

/** The address of the list under a filter, with a run open or none. */
export function runsAddress(filter: RunFilter, { run, log, record }: Opened = {}): PageAddress {
  const narrowing = parts.flatMap((part) =>
    filter[part] === undefined ? [] : [[part, filter[part]] as const],
  );
  return {
    tab: 'runs',
    ...Object.fromEntries(narrowing),
    ...(run !== undefined && { run }),
    ...(log === true && { section: 'log' }),
    ...(record !== undefined && { record }),
  };
}

/** The filter with one part changed; undefined takes the part off. */
export function changed(
  filter: RunFilter,
  change: { [Part in keyof RunFilter]: RunFilter[Part] | undefined },
): RunFilter {
  const merged = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined);
  return runFilter.parse(Object.fromEntries(merged));
}
