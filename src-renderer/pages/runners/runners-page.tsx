import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Runner } from '#shared/gen/datasource/v1/runners_pb.js';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import type { ListPlan } from '../../components/list/list-address.ts';
import { PlainList, type TextListFilter, textFilter, withText } from '../../components/list/plain-list.tsx';
import { useList } from '../../components/list/use-list.ts';
import { useListAddress } from '../../components/list/use-list-address.ts';
import { Page } from '../../components/page/page.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { State } from '../../components/state.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { WhoMayConnect } from '../../components/who-may-connect.tsx';
import { useMayConnect } from '../../core/access.ts';
import { sentenceOf } from '../../core/failure.ts';
import { IconRouter } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { RunnerDrawer } from './runner-drawer.tsx';
import { EnrolRunner } from './runner-form.tsx';
import { labelsText, runnerStates } from './runner-labels.ts';
import { listenersQuery, runnersQuery } from './runner-queries.ts';
import css from './runners.module.css';

/** A runner that was enrolled is expected to connect soon. */
const everyMs = 10_000;

const plan: ListPlan<TextListFilter> = { tab: 'runners', filter: textFilter, openPart: 'record' };

type Row = { readonly runner: Runner; readonly listeners: number };

const keyOf = ({ runner }: Row): string => runner.id;
const command = ({ runner: { id, name, address } }: Row) => ({
  id: `runner.${id}`,
  title: name,
  detail: address,
  icon: IconRouter,
});

const columns: readonly TableColumn<Row>[] = [
  {
    id: 'name',
    title: 'Name',
    link: true,
    value: ({ runner }) => runner.name,
    hover: ({ runner }) => runner.name,
  },
  {
    id: 'state',
    title: 'State',
    width: 120,
    value: ({ runner }) => runnerStates[runner.state].label,
    rank: ({ runner }) => runnerStates[runner.state].rank,
    cell: ({ runner }) => (
      <State state={runnerStates[runner.state].state} label={runnerStates[runner.state].label} />
    ),
  },
  {
    id: 'seen',
    title: 'Last seen',
    width: 120,
    from: 420,
    quiet: true,
    value: ({ runner: { lastSeenAt } }) => (lastSeenAt === undefined ? undefined : timestampMs(lastSeenAt)),
    cell: ({ runner: { lastSeenAt } }) =>
      lastSeenAt === undefined ? 'Never' : <TimeAgo at={timestampMs(lastSeenAt)} fromNow />,
  },
  {
    id: 'listeners',
    title: 'Listeners',
    width: 90,
    from: 520,
    numbers: true,
    value: ({ listeners }) => listeners,
  },
  {
    id: 'labels',
    title: 'Labels',
    from: 640,
    value: ({ runner }) => labelsText(runner.labels),
    hover: ({ runner }) => labelsText(runner.labels),
  },
  { id: 'address', title: 'Address', from: 860, quiet: true, value: ({ runner }) => runner.address },
];

/** Shows the runners that reach data where the console cannot, and the ways to enrol, change and revoke them. */
export function RunnersPage() {
  const { every } = useReading();
  const runners = useQuery({ ...runnersQuery, refetchInterval: every(everyMs) });
  const may = useMayConnect() === true;
  const address = useListAddress(plan);
  const [enrolling, setEnrolling] = useState(false);
  const all = runners.data;
  const enrol = may && (
    <Button variant="filled" onClick={() => setEnrolling(true)}>
      Enrol runner
    </Button>
  );
  return (
    <Page
      title="Runners"
      sub={all === undefined ? '' : counted(all.length, 'runner')}
      flush
      actions={all !== undefined && all.length > 0 && enrol}
    >
      <PlainAnswer
        query={runners}
        what="the runners"
        meanwhile="Those that are connected go on working; only this page could not read them."
        rows={8}
        frame={css.room}
      >
        {(items) =>
          items.length === 0 ? <NoRunners enrol={enrol} /> : <Runners items={items} address={address} />
        }
      </PlainAnswer>
      {enrolling && <EnrolRunner onClose={() => setEnrolling(false)} />}
    </Page>
  );
}

function NoRunners({ enrol }: { readonly enrol: ReactNode }) {
  return (
    <div className={css.room}>
      <FailurePanel
        state="idle"
        label="Empty"
        title="No runners yet"
        actions={enrol === false ? undefined : enrol}
      >
        <p>
          A runner reaches data where the console cannot, such as inside the network of a tenant. It opens
          ports that lead to connections, and holds no credential.
        </p>
        {enrol === false && <WhoMayConnect what="runners" />}
      </FailurePanel>
    </div>
  );
}

type RunnersProps = {
  readonly items: readonly Runner[];
  readonly address: ReturnType<typeof useListAddress<TextListFilter>>;
};

function Runners({ items, address }: RunnersProps) {
  const { every } = useReading();
  const listeners = useQuery({ ...listenersQuery, refetchInterval: every(everyMs) });
  const of = (id: string) => (listeners.data ?? []).filter(({ runnerId }) => runnerId === id);
  const rows = useMemo(
    () =>
      items.map(
        (runner): Row => ({
          runner,
          listeners: (listeners.data ?? []).filter(({ runnerId }) => runnerId === runner.id).length,
        }),
      ),
    [items, listeners.data],
  );
  const shown = useMemo(() => withText(rows, address.filter, textsOf), [rows, address.filter]);
  const list = useList({ address, rows: shown, columns, keyOf, command });
  const { open } = address;
  return (
    <PlainList
      id="runners"
      label="Runners"
      one="runner"
      many="runners"
      columns={columns}
      keyOf={keyOf}
      list={list}
      address={address}
      notices={
        <>
          <WhoMayConnect what="runners" />
          {listeners.error !== null && (
            <div>
              <Banner look="unread" icon={<Glyph state="unknown" />} title="The listeners were not read.">
                {sentenceOf(listeners.error)}
              </Banner>
            </div>
          )}
        </>
      }
      drawer={
        open !== undefined && (
          <RunnerDrawer
            runner={items.find(({ id }) => id === open)}
            listeners={of(open)}
            address={address.addressOf(open)}
            onClose={list.close}
          />
        )
      }
    />
  );
}

const textsOf = ({ runner }: Row): readonly string[] => [
  runner.name,
  runner.address,
  labelsText(runner.labels),
  runnerStates[runner.state].label,
];
