import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { placeIn } from '#shared/page-address.ts';
import { counted } from '#shared/text.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useSession } from '../../core/session.tsx';
import { useWorkspaceItems, type WorkspaceItem } from '../../core/workspace-queries.ts';
import { AddNote } from './item-form.tsx';
import { ItemTools } from './item-tools.tsx';
import { Notes } from './notes.tsx';
import { pageOf } from './page-of.ts';
import css from './workspace-page.module.css';

type Row = WorkspaceItem & { readonly own: boolean };

const columns: readonly TableColumn<Row>[] = [
  {
    id: 'name',
    title: 'Name',
    value: ({ title }) => title,
    hover: ({ title }) => title,
    cell: ({ title, address }) => <PageLink to={placeIn(address)}>{title}</PageLink>,
  },
  { id: 'page', title: 'Page', width: 160, value: pageOf },
  {
    id: 'seen',
    title: 'Seen by',
    width: 230,
    from: 620,
    quiet: true,
    value: ({ shared, own, owner }) => {
      if (!own) return `Everyone, shared by ${owner}`;
      return shared ? 'Everyone' : 'You';
    },
    hover: ({ owner }) => owner,
  },
  {
    id: 'changed',
    title: 'Changed',
    width: 110,
    from: 760,
    quiet: true,
    value: ({ changedAt }) => changedAt,
    cell: ({ changedAt }) => <TimeAgo at={changedAt} fromNow />,
  },
  { id: 'tools', title: 'Actions', width: 96, cell: (item) => item.own && <ItemTools item={item} /> },
];

/** Shows what the signed-in person put aside: saved views, pins and notes, and those that others share. */
export function WorkspacePage() {
  const { me } = useSession();
  const items = useWorkspaceItems();
  const [adding, setAdding] = useState(false);
  const rows = (items.data ?? []).map((item) => ({ ...item, own: item.owner === me.email }));
  const of = (kind: WorkspaceItem['kind']) => rows.filter((item) => item.kind === kind);
  const signedIn = me.email !== undefined;
  return (
    <Page
      title="Workspace"
      sub="Your saved views, pins and notes, and those shared with you"
      actions={
        signedIn && (
          <Button variant="filled" onClick={() => setAdding(true)}>
            Add note
          </Button>
        )
      }
    >
      {signedIn ? (
        <PlainAnswer
          query={items}
          what="the views, pins and notes"
          meanwhile="They are still kept; only this page could not read them."
          rows={8}
        >
          {() => (
            <div className={css.board}>
              <Kept title="Views" noun="view" rows={of('view')}>
                Filter and arrange any list, then press <b>Views</b> in its head and save it under a name.
              </Kept>
              <Kept title="Pins" noun="pin" rows={of('pin')}>
                Open a row of any list and press the pin, or select rows and press <b>Pin</b>.
              </Kept>
              <Notes notes={of('note')} />
            </div>
          )}
        </PlainAnswer>
      ) : (
        <FailurePanel state="idle" label="Signed out" title="Nobody is signed in">
          <p>Views, pins and notes belong to people. Sign in to keep them.</p>
        </FailurePanel>
      )}
      {adding && <AddNote onClose={() => setAdding(false)} />}
    </Page>
  );
}

type KeptProps = {
  readonly title: string;
  readonly noun: string;
  readonly rows: readonly Row[];
  /** How to make the first one. */
  readonly children: ReactNode;
};

function Kept({ title, noun, rows, children }: KeptProps) {
  return (
    <Panel title={title} sub={counted(rows.length, noun)}>
      {rows.length === 0 ? (
        <p className={css.none}>
          <Tag>None yet</Tag> {children}
        </p>
      ) : (
        <PanelTable
          id={`workspace${title}`}
          label={title}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
    </Panel>
  );
}
