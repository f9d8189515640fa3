import { Button, TextInput } from '@mantine/core';
import type { Ref } from 'react';
import { type AuditFilter, type AuditItem, auditOutcome } from '#shared/api/audit.ts';
import { Choice, FilterChip } from '../../components/filter-chip.tsx';
import type { ListAddress } from '../../components/list/use-list-address.ts';
import { State } from '../../components/state.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { outcomes, recordsLabel } from './audit-labels.ts';
import css from './filter-bar.module.css';
import { PeriodChip } from './period-chip.tsx';
import type { Records } from './use-records.ts';

type FilterBarProps = {
  readonly inputRef: Ref<HTMLInputElement>;
  readonly address: ListAddress<AuditFilter>;
  readonly records: Records;
};

/** Everything that narrows the list, and how many records it leaves. */
export function FilterBar({ inputRef, address, records }: FilterBarProps) {
  const { filter, narrow } = address;
  return (
    <search className={css.bar} aria-label="Filter the records">
      <TextFilter
        ref={inputRef}
        label="Filter records"
        value={filter.q ?? ''}
        onChange={(q) => narrow({ q }, 'replace')}
      />
      <NameChip
        name="Actor"
        everything="anyone"
        value={filter.actor}
        known={namesIn(records.items, 'actor')}
        onChange={(actor) => narrow({ actor })}
      />
      <NameChip
        name="Action"
        everything="any"
        value={filter.action}
        known={namesIn(records.items, 'action')}
        onChange={(action) => narrow({ action })}
      />
      <FilterChip
        name="Outcome"
        everything="any"
        value={filter.outcome === undefined ? undefined : outcomes[filter.outcome].label}
        onClear={() => narrow({ outcome: undefined })}
      >
        {(close) =>
          auditOutcome.options.map((outcome) => (
            <Choice
              key={outcome}
              chosen={filter.outcome === outcome}
              onChoose={() => {
                narrow({ outcome });
                close();
              }}
            >
              <State {...outcomes[outcome]} />
            </Choice>
          ))
        }
      </FilterChip>
      <PeriodChip since={filter.since} until={filter.until} onChange={narrow} />
      <span className={css.count} role="status">
        {formatCount(records)}
      </span>
    </search>
  );
}

function formatCount({ items, pending, outdated, older }: Records): string {
  if (pending || outdated) return '';
  const shown = recordsLabel(items.length);
  return older === 'none' ? shown : `${shown} loaded; scroll for more`;
}

type NameChipProps = {
  readonly name: string;
  readonly everything: string;
  readonly value: string | undefined;
  /** Names seen in the rows that were read. */
  readonly known: readonly string[];
  readonly onChange: (value: string | undefined) => void;
};

/** A chip for one name, chosen from those seen or written out. */
function NameChip({ name, everything, value, known, onChange }: NameChipProps) {
  return (
    <FilterChip name={name} everything={everything} value={value} onClear={() => onChange(undefined)}>
      {(close) => (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            const written = new FormData(event.currentTarget).get('name');
            if (typeof written === 'string' && written.trim() !== '') onChange(written.trim());
            close();
          }}
        >
          <div className={css.written}>
            <TextInput
              name="name"
              aria-label={`${name}, in full`}
              placeholder={`${name}, in full`}
              defaultValue={value}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
            />
            <Button type="submit">Apply</Button>
          </div>
          {known.length > 0 && <p className={css.hint}>In the records loaded so far</p>}
          {known.map((candidate) => (
            <Choice
              key={candidate}
              chosen={candidate === value}
              onChoose={() => {
                onChange(candidate);
                close();
              }}
            >
              {candidate}
            </Choice>
          ))}
        </form>
      )}
    </FilterChip>
  );
}

/** Choices offered at most: a list to choose from, not to search. */
const mostNames = 8;

/** The most frequent names of a column, in alphabetical order. */
function namesIn(items: readonly AuditItem[], column: 'actor' | 'action'): readonly string[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item[column], (counts.get(item[column]) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostNames)
    .map(([name]) => name)
    .sort();
}
