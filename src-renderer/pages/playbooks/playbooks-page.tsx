import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Playbook, type Run, RunState } from '#shared/gen/platform/v1/playbook_pb.js';
import { counted } from '#shared/text.ts';
import type { ListPlan } from '../../components/list/list-address.ts';
import { PlainList, type TextListFilter, textFilter, withText } from '../../components/list/plain-list.tsx';
import { useList } from '../../components/list/use-list.ts';
import { useListAddress } from '../../components/list/use-list-address.ts';
import { Page } from '../../components/page/page.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { State } from '../../components/state.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useMayAdminister } from '../../core/access.ts';
import { IconListCheck } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { EditPlaybook } from './edit-playbook.tsx';
import { PlaybookDrawer } from './playbook-drawer.tsx';
import { playbooksQuery, runsQuery } from './playbook-queries.ts';
import css from './playbooks.module.css';
import { RunDrawer } from './run-drawer.tsx';
import { shownRun } from './run-labels.ts';

const everyMs = 10_000;

const plan: ListPlan<TextListFilter> = { tab: 'playbooks', filter: textFilter, openPart: 'record' };

type Row = { readonly playbook: Playbook; readonly runs: readonly Run[] };

/** How a run is named where the address names what is open. */
const runKey = 'run:';

const keyOf = ({ playbook }: Row): string => playbook.name;
const command = ({ playbook }: Row) => ({
  id: `playbook.${playbook.name}`,
  title: playbook.title,
  detail: playbook.name,
  icon: IconListCheck,
});

/** Returns how a playbook starts, in a few words. */
function startsBy({ armed, schedules, events }: Playbook): string {
  const by = [...(schedules.length > 0 ? ['schedule'] : []), ...(events.length > 0 ? ['event'] : [])];
  if (by.length === 0) return 'By hand';
  return armed ? `By ${by.join(' and ')}` : `By hand (${by.join(' and ')} off)`;
}

const columns: readonly TableColumn<Row>[] = [
  {
    id: 'title',
    title: 'Playbook',
    link: true,
    value: ({ playbook }) => playbook.title,
    hover: ({ playbook }) => playbook.description,
  },
  {
    id: 'last',
    title: 'Last run',
    width: 150,
    value: ({ runs: [last] }) => (last === undefined ? undefined : shownRun(last).label),
    cell: ({ runs: [last] }) => last !== undefined && <State {...shownRun(last)} />,
    hover: ({ runs: [last] }) => last?.sentence,
  },
  {
    id: 'started',
    title: 'Started',
    width: 120,
    from: 760,
    quiet: true,
    value: ({ runs: [last] }) =>
      last?.startedAt === undefined ? undefined : new Date(timestampMs(last.startedAt)).toISOString(),
    cell: ({ runs: [last] }) =>
      last?.startedAt !== undefined && <TimeAgo at={timestampMs(last.startedAt)} fromNow />,
  },
  { id: 'starts', title: 'Starts', width: 190, from: 700, value: ({ playbook }) => startsBy(playbook) },
  {
    id: 'steps',
    title: 'Steps',
    width: 80,
    from: 860,
    quiet: true,
    value: ({ playbook }) => playbook.steps.length,
  },
  {
    id: 'origin',
    title: 'Origin',
    width: 130,
    from: 960,
    quiet: true,
    value: ({ playbook: { shipped, changed } }) =>
      shipped ? (changed ? 'Shipped, changed' : 'Shipped') : 'Saved',
  },
];

/** Shows the playbooks with how their last runs ended, and a run as it goes on. */
export function PlaybooksPage() {
  const { every } = useReading();
  const playbooks = useQuery({ ...playbooksQuery, refetchInterval: every(everyMs) });
  const runs = useQuery({ ...runsQuery, refetchInterval: every(everyMs) });
  const mayEdit = useMayAdminister() === true;
  const [editing, setEditing] = useState<string>();
  const address = useListAddress(plan);
  const underWay =
    runs.data?.filter(({ state }) => state === RunState.RUNNING || state === RunState.WAITING).length ?? 0;
  return (
    <Page
      title="Playbooks"
      sub={
        underWay === 0
          ? counted(playbooks.data?.length ?? 0, 'playbook')
          : `${counted(underWay, 'run')} under way`
      }
      flush
      actions={mayEdit && <Button onClick={() => setEditing('')}>New playbook</Button>}
    >
      <PlainAnswer
        query={playbooks}
        what="the playbooks"
        meanwhile="Runs go on; only this page could not read them."
        rows={6}
        frame={css.room}
      >
        {(items) => <Playbooks items={items} runs={runs.data ?? []} address={address} onEdit={setEditing} />}
      </PlainAnswer>
      {editing !== undefined && (
        <EditPlaybook
          name={editing}
          onClose={() => setEditing(undefined)}
          onRun={(id) => {
            setEditing(undefined);
            address.show(`${runKey}${id}`);
          }}
        />
      )}
    </Page>
  );
}

type PlaybooksProps = {
  readonly items: readonly Playbook[];
  readonly runs: readonly Run[];
  readonly address: ReturnType<typeof useListAddress<TextListFilter>>;
  readonly onEdit: (name: string) => void;
};

function Playbooks({ items, runs, address, onEdit }: PlaybooksProps) {
  const rows = useMemo(
    () =>
      items.map(
        (playbook): Row => ({ playbook, runs: runs.filter((run) => run.playbook === playbook.name) }),
      ),
    [items, runs],
  );
  const shown = useMemo(() => withText(rows, address.filter, textsOf), [rows, address.filter]);
  const list = useList({ address, rows: shown, columns, keyOf, command });
  const { open } = address;
  return (
    <PlainList
      id="playbooks"
      label="Playbooks"
      one="playbook"
      many="playbooks"
      columns={columns}
      keyOf={keyOf}
      list={list}
      address={address}
      notices={null}
      drawer={
        open === undefined ? null : open.startsWith(runKey) ? (
          <RunDrawer
            key={open}
            id={open.slice(runKey.length)}
            address={address.addressOf(open)}
            playbookAddress={address.addressOf}
            onClose={list.close}
          />
        ) : (
          <PlaybookDrawer
            key={open}
            row={rows.find((row) => keyOf(row) === open)}
            address={address.addressOf(open)}
            runAddress={(id) => address.addressOf(`${runKey}${id}`)}
            onRun={(id) => address.show(`${runKey}${id}`)}
            onEdit={onEdit}
            onClose={list.close}
          />
        )
      }
    />
  );
}

const textsOf = ({ playbook }: Row): readonly string[] => [
  playbook.title,
  playbook.name,
  playbook.description,
  startsBy(playbook),
];
