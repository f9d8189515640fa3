import { z } from 'zod';
import { repositoryName } from '#shared/api/reading.ts';
import { runKind, runState, workflowChoice } from '#shared/api/runs.ts';
import { createAddressFilter } from '../../components/list/address-filter.ts';
import type { ListPlan } from '../../components/list/list-address.ts';

/** Filter of the list, in the order of the filter bar. */
const runFilter = z.object({
  q: z.string().max(200).optional(),
  kind: runKind.optional(),
  workflows: workflowChoice.optional(),
  repo: repositoryName.optional(),
  state: runState.optional(),
  since: z.iso.datetime({ offset: true }).optional(),
});
export type RunFilter = z.infer<typeof runFilter>;

/** How the list of runs is kept in the address. */
export const runsPlan: ListPlan<RunFilter> = {
  tab: 'runs',
  filter: createAddressFilter(runFilter),
  openPart: 'run',
};
