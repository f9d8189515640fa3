import { type Ref, useRef } from 'react';
import type { Severity, Symptom } from '#shared/api/symptoms.ts';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { useOneStop } from '../../components/list/use-one-stop.ts';
import { Spoken } from '../../components/spoken.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { openedByPlainClick } from '../../core/plain-click.ts';
import type { AreaGroup } from './catalogue-list.ts';
import css from './finding-rail.module.css';
import { gravestFirst, severities } from './severity-labels.ts';
import { areaTitles, withPlaceholders } from './symptom-labels.ts';

type CatalogueRailProps = {
  readonly input: Ref<HTMLInputElement>;
  readonly groups: readonly AreaGroup[];
  /** Number of symptoms in the whole catalogue. */
  readonly count: number;
  readonly q: string;
  readonly severity: Severity | undefined;
  readonly openId: string | undefined;
  readonly addressOf: (id: string) => string;
  readonly onOpen: (id: string) => void;
  readonly onNarrow: (change: {
    readonly q?: string | undefined;
    readonly severity?: Severity | undefined;
  }) => void;
};

/** The symptoms by area, and what narrows them. */
export function CatalogueRail(props: CatalogueRailProps) {
  const { input, groups, count, q, severity, openId, addressOf, onOpen, onNarrow } = props;
  const list = useRef<HTMLDivElement>(null);
  useOneStop(list);
  return (
    <nav className={css.rail} aria-label="Symptoms">
      <search className={css.filter} aria-label="Search the catalogue">
        <TextFilter
          ref={input}
          label={`Search ${count} symptoms`}
          value={q}
          onChange={(text) => onNarrow({ q: text === '' ? undefined : text })}
        />
        <div className={css.chips}>
          <ChoiceChip
            name="Severity"
            everything="any"
            value={severity}
            choices={gravestFirst}
            shown={(choice) => wordOf(choice)}
            format={wordOf}
            onChange={(choice) => onNarrow({ severity: gravestFirst.find((known) => known === choice) })}
          />
        </div>
      </search>
      <div ref={list} className={css.groups}>
        {groups.map(({ area, symptoms }) => (
          <section key={area} aria-label={areaTitles[area]}>
            <h2 className={css.heading}>
              {areaTitles[area]} <span>{symptoms.length}</span>
            </h2>
            <ul>
              {symptoms.map((symptom) => (
                <Row
                  key={symptom.id}
                  symptom={symptom}
                  open={symptom.id === openId}
                  address={addressOf(symptom.id)}
                  onOpen={onOpen}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

/** The link of a row, for moving among them by key. */
export const symptomLink = (within: ParentNode | null, id: string): HTMLElement | null | undefined =>
  within?.querySelector<HTMLElement>(`a[data-symptom="${CSS.escape(id)}"]`);

const wordOf = (choice: string): string =>
  gravestFirst.flatMap((known) => (known === choice ? [severities[known].label] : []))[0] ?? choice;

type RowProps = {
  readonly symptom: Symptom;
  readonly open: boolean;
  readonly address: string;
  readonly onOpen: (id: string) => void;
};

function Row({ symptom: { id, severity, title }, open, address, onOpen }: RowProps) {
  const { state, label } = severities[severity];
  const name = withPlaceholders(title).replaceAll('`', '');
  return (
    <li className={css.item}>
      <a
        className={css.row}
        href={address}
        data-symptom={id}
        aria-current={open ? 'true' : undefined}
        onClick={(event) => {
          if (openedByPlainClick(event)) onOpen(id);
        }}
      >
        <Glyph state={state} />
        <Spoken>{`${label}: `}</Spoken>
        <span className={css.name} title={name}>
          {name}
        </span>
        <span className={css.sub}>
          <span>{id}</span>
        </span>
      </a>
    </li>
  );
}
