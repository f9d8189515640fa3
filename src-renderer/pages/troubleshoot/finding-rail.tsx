import { type ReactNode, useEffect, useRef } from 'react';
import { formatDuration } from '../../components/format-time.ts';
import { Glyph } from '../../components/glyph.tsx';
import { useOneStop } from '../../components/list/use-one-stop.ts';
import { Spoken } from '../../components/spoken.tsx';
import { Tag } from '../../components/tag.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { useAsOf } from '../../core/as-of.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import type { StateName } from '../../core/state-name.ts';
import { useNow } from '../../core/use-now.ts';
import css from './finding-rail.module.css';
import { type FindingGroup, type FindingRow, groupsOf, namespacesOf } from './finding-rows.ts';
import { severities } from './severity-labels.ts';
import type { FindingList } from './use-finding-list.ts';

type FindingRailProps = {
  readonly list: FindingList;
  /** Controls for comparing with another run, above the rows. */
  readonly children: ReactNode;
};

/** The findings by severity, and what narrows them. */
export function FindingRail({ list, children }: FindingRailProps) {
  const { all, rows, open, filter, input, narrow } = list;
  const clock = useNow(10_000);
  // Ages in a bundle are as of when that was taken.
  const now = useAsOf() ?? clock;
  const scroller = useRef<HTMLDivElement>(null);
  useOneStop(scroller);
  const openKey = open?.key;
  useEffect(() => {
    if (openKey === undefined) return;
    rowLink(scroller.current, openKey)?.scrollIntoView({ block: 'nearest' });
  }, [openKey]);
  return (
    <nav className={css.rail} aria-label="Findings">
      <search className={css.filter} aria-label="Filter the findings">
        <TextFilter
          ref={input}
          value={filter.q ?? ''}
          label={all.length === 1 ? 'Filter 1 finding' : `Filter ${all.length} findings`}
          onChange={(q) => narrow({ q }, 'replace')}
        />
        {children}
      </search>
      <div ref={scroller} className={css.groups}>
        {groupsOf(rows).map((group) => (
          <Group key={group.head} group={group} list={list} now={now} />
        ))}
        {rows.length === 0 && (
          <p className={css.none} role="status">
            No finding matches. All {all.length} were searched.
          </p>
        )}
      </div>
    </nav>
  );
}

/** The link of a row, for moving among them by key. */
export const rowLink = (scroller: ParentNode | null, key: string): HTMLElement | null | undefined =>
  scroller?.querySelector<HTMLElement>(`a[data-finding="${CSS.escape(key)}"]`);

const pastHead = { label: 'Not found again', state: 'idle' } as const;

type GroupProps = {
  readonly group: FindingGroup;
  readonly list: FindingList;
  /** Epoch milliseconds. */
  readonly now: number;
};

function Group({ group: { head, rows }, list, now }: GroupProps) {
  const { label, state } = head === 'not_found_again' ? pastHead : severities[head];
  return (
    <section aria-label={label}>
      <h2 className={css.heading} data-state={state}>
        {label} <span>{rows.length}</span>
      </h2>
      <ul>
        {rows.map((row) => (
          <Row key={row.key} row={row} list={list} now={now} />
        ))}
      </ul>
    </section>
  );
}

type RowProps = {
  readonly row: FindingRow;
  readonly list: FindingList;
  readonly now: number;
};

function Row({ row, list, now }: RowProps) {
  const { key, finding, mark } = row;
  const { state, label } = signOf(row);
  const title = finding.title.replaceAll('`', '');
  return (
    <li className={css.item}>
      <a
        className={css.row}
        href={list.addressOf(key)}
        data-finding={key}
        aria-current={key === list.open?.key ? 'true' : undefined}
        onClick={(event) => {
          if (openedByPlainClick(event)) list.show(key);
        }}
      >
        <Glyph state={state} />
        <Spoken>{`${label}: `}</Spoken>
        <span className={css.name} title={title}>
          {title}
        </span>
        <span className={css.sub}>
          <span>{subLabel(row, now)}</span>
          {mark === 'new' && <Tag strong>new</Tag>}
        </span>
      </a>
    </li>
  );
}

/** Returns where the finding is and for how long, or that it comes from a text. */
function subLabel({ finding, from, mark }: FindingRow, now: number): string {
  if (from === 'text') return 'from the text';
  const [namespace, ...others] = namespacesOf(finding);
  const where =
    namespace === undefined
      ? (finding.objects[0]?.name ?? 'the cluster')
      : others.length === 0
        ? namespace
        : `${namespace} and ${others.length} more`;
  if (mark === 'gone') return `${where}, gone`;
  if (mark === 'unchecked') return `${where}, not checked now`;
  if (finding.since === undefined) return where;
  return `${where}, ${formatDuration(Math.max(0, now - Date.parse(finding.since)))}`;
}

function signOf({ finding, mark }: FindingRow): { readonly state: StateName; readonly label: string } {
  if (mark === 'gone') return { state: 'healthy', label: 'Gone' };
  if (mark === 'unchecked') return { state: 'unknown', label: 'Not checked now' };
  return severities[finding.severity];
}
