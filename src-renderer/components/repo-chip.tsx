import { Button, TextInput } from '@mantine/core';
import { repositoryName } from '#shared/api/reading.ts';
import { Choice, FilterChip } from './filter-chip.tsx';
import css from './repo-chip.module.css';

type RepoChipProps = {
  readonly value: string | undefined;
  /** Repositories that were read unasked; any other can be written out, and is read then. */
  readonly known: readonly string[];
  readonly onChange: (repo: string | undefined) => void;
};

/** Chooses one repository, from those that were read or by its name. */
export function RepoChip({ value, known, onChange }: RepoChipProps) {
  return (
    <FilterChip name="Repository" everything="all" value={value} onClear={() => onChange(undefined)}>
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const written = new FormData(event.currentTarget).get('repo');
            const name = repositoryName.safeParse(typeof written === 'string' ? written.trim() : '');
            if (!name.success) return;
            onChange(name.data);
            close();
          }}
        >
          <div className={css.written}>
            <TextInput
              name="repo"
              aria-label="Name of a repository"
              placeholder="Name of a repository"
              defaultValue={value}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
            />
            <Button type="submit">Read</Button>
          </div>
          <div className={css.choices}>
            {known.map((repo) => (
              <Choice
                key={repo}
                chosen={repo === value}
                onChoose={() => {
                  onChange(repo);
                  close();
                }}
              >
                {repo}
              </Choice>
            ))}
          </div>
        </form>
      )}
    </FilterChip>
  );
}
