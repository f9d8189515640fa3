import type { Ref } from 'react';
import { type Run, runKind, runState, workflowChoice } from '#shared/api/runs.ts';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import type { ListAddress } from '../../components/list/use-list-address.ts';
import { runStates, worstFirst } from '../../components/run-state.ts';
import { State } from '../../components/state.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import type { RunFilter } from './run-filter.ts';
import { kindLabels, runsLabel } from './run-labels.ts';
import css from './runs-page.module.css';
import { SinceChip } from './since-chip.tsx';
import type { Runs } from './use-runs.ts';

type RunsFilterBarProps = {
  readonly inputRef: Ref<HTMLInputElement>;
  readonly address: ListAddress<RunFilter>;
  readonly runs: Runs;
};

/** Everything that narrows the list, and how many runs it leaves. */
export function RunsFilterBar({ inputRef, address, runs }: RunsFilterBarProps) {
  const { filter, narrow } = address;
  return (
    <search className={css.bar} aria-label="Filter the runs">
      <TextFilter
        ref={inputRef}
        label="Filter runs"
        value={filter.q ?? ''}
        onChange={(q) => narrow({ q }, 'replace')}
      />
      <ChoiceChip
        name="Kind"
        everything="any"
        value={filter.kind}
        choices={runKind.options}
        shown={kindIn}
        format={kindIn}
        onChange={(kind) => narrow({ kind: runKind.options.find((known) => known === kind) })}
      />
      <ChoiceChip
        name="Workflows"
        everything="of agents"
        value={filter.workflows}
        choices={workflowChoice.options}
        shown={workflowsIn}
        format={workflowsIn}
        onChange={(value) => narrow({ workflows: workflowChoice.options.find((known) => known === value) })}
      />
      <ChoiceChip
        name="Repository"
        everything="any"
        value={filter.repo}
        choices={runs.query.data?.repos ?? []}
        onChange={(repo) => narrow({ repo })}
      />
      <ChoiceChip
        name="State"
        everything="any"
        value={filter.state}
        choices={worstFirst}
        shown={(state) => <State {...stateIn(state)} />}
        format={(state) => stateIn(state).label}
        onChange={(state) => narrow({ state: runState.options.find((known) => known === state) })}
      />
      <SinceChip since={filter.since} onChange={(since) => narrow({ since })} />
      <span className={css.count} role="status">
        {formatCount(runs, filter.state)}
      </span>
    </search>
  );
}

const kindIn = (kind: string): string => {
  const known = runKind.safeParse(kind);
  return known.success ? kindLabels[known.data] : kind;
};

const workflowsIn = (choice: string): string => (choice === 'other' ? 'others only' : 'all');

const stateIn = (state: string) => {
  const known = runState.safeParse(state);
  return runStates[known.success ? known.data : 'queued'];
};

/** Formats how many runs are in the list, of how many that the strip above counts. */
function formatCount({ items, query, outdated, older }: Runs, state: Run['state'] | undefined): string {
  if (query.data === undefined || query.data.source === 'unavailable' || outdated) return '';
  if (older === 'none') return runsLabel(items.length);
  const { counts } = query.data;
  const counted = state === undefined ? Object.values(counts) : [counts[state] ?? 0];
  const total = counted.reduce((sum, count) => sum + count, 0);
  // The list may be older than the counts.
  return total > items.length
    ? `${items.length.toLocaleString('en')} of ${runsLabel(total)} loaded; scroll for more`
    : `${runsLabel(items.length)} loaded; scroll for more`;
}
