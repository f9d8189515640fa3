import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { placeIn } from '#shared/page-address.ts';
import { pageTitles } from '#shared/page-titles.ts';
import { announce } from '../../core/announce.ts';
import { sentenceOf } from '../../core/failure.ts';
import { IconBookmark, IconNote } from '../../core/icons/icons.ts';
import { viewAddress } from '../../core/kept-address.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { useSession } from '../../core/session.tsx';
import type { TabName } from '../../core/tabs.ts';
import {
  useChangeItem,
  useCreateItems,
  useWorkspaceItems,
  type WorkspaceItem,
} from '../../core/workspace-queries.ts';
import { SkeletonRows } from '../skeleton.tsx';
import { shownArrangement } from '../table/shown-arrangements.ts';
import { Tag } from '../tag.tsx';
import { longestTitle } from './pin-icon.tsx';
import css from './workspace.module.css';

type ViewsMenuProps = { readonly tab: TabName; readonly onClose: () => void };

/** The saved views and the notes of a page, and the way to save what the page shows. */
export function ViewsMenu({ tab, onClose }: ViewsMenuProps) {
  const { me } = useSession();
  const items = useWorkspaceItems();
  const [address, go] = usePageAddress();
  if (me.email === undefined)
    return <p className={css.none}>Views belong to people. Sign in to save what this page shows.</p>;
  const ofPage = items.data?.filter((item) => placeIn(item.address).tab === tab && item.address !== '') ?? [];
  const views = ofPage.filter(({ kind }) => kind === 'view');
  const notes = ofPage.filter(({ kind }) => kind === 'note');
  const shown = Object.fromEntries(
    Object.entries(address).flatMap(([part, value]) => (value === null ? [] : [[part, value]])),
  );
  const now = () => viewAddress({ ...shown, ...shownArrangement() });
  return (
    <>
      <h2 className={css.heading}>Views of {pageTitles[tab]}</h2>
      {items.error !== null && (
        <p className={css.failed} role="alert">
          Not read: {sentenceOf(items.error)}
        </p>
      )}
      {items.isPending && <SkeletonRows rows={3} />}
      {items.data !== undefined && views.length === 0 && (
        <p className={css.none}>None saved. A view keeps filters, order and columns of this page.</p>
      )}
      <ul className={css.list}>
        {views.map((view) => (
          <ViewLink
            key={view.id}
            view={view}
            own={view.owner === me.email}
            current={view.address === now()}
            onOpen={onClose}
          />
        ))}
      </ul>
      <SaveView own={views.filter(({ owner }) => owner === me.email)} address={now} onSaved={onClose} />
      {notes.length > 0 && (
        <>
          <h2 className={css.heading}>Notes</h2>
          <ul className={css.list}>
            {notes.map((note) => (
              <li key={note.id} className={css.note}>
                <b>{note.title}</b>
                <span className={css.text}>{note.text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <UnstyledButton
        className={css.choice}
        onClick={() => {
          onClose();
          go({ tab: 'workspace' });
        }}
      >
        <IconNote size={14} stroke={2} aria-hidden />
        Open the workspace: all views, pins and notes
      </UnstyledButton>
    </>
  );
}

type ViewLinkProps = {
  readonly view: WorkspaceItem;
  readonly own: boolean;
  readonly current: boolean;
  readonly onOpen: () => void;
};

function ViewLink({ view, own, current, onOpen }: ViewLinkProps) {
  const [, go] = usePageAddress();
  const href = useHref();
  const place = placeIn(view.address);
  return (
    <li>
      <a
        className={css.choice}
        href={href(place)}
        aria-current={current ? 'true' : undefined}
        onClick={(event) => {
          if (!openedByPlainClick(event)) return;
          onOpen();
          go(place);
        }}
      >
        <IconBookmark size={14} stroke={2} aria-hidden />
        <span className={css.name}>{view.title}</span>
        {view.shared && <Tag>{own ? 'shared' : `by ${view.owner}`}</Tag>}
      </a>
    </li>
  );
}

type SaveViewProps = {
  /** The person's views of this page. */
  readonly own: readonly WorkspaceItem[];
  readonly address: () => string;
  readonly onSaved: () => void;
};

/** Saves what the page shows; under the name of an own view, in its place. */
function SaveView({ own, address, onSaved }: SaveViewProps) {
  const [title, setTitle] = useState('');
  const [shared, setShared] = useState(false);
  const create = useCreateItems();
  const change = useChangeItem();
  const named = title.trim();
  const before = own.find((view) => view.title === named);
  const error = create.error ?? change.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (named === '') return;
    const onSuccess = () => {
      announce('View saved');
      onSaved();
    };
    if (before === undefined)
      create.mutate([{ kind: 'view', title: named, address: address(), text: '', shared }], { onSuccess });
    else
      change.mutate(
        { id: before.id, revision: before.revision, change: { address: address(), shared } },
        { onSuccess },
      );
  };
  return (
    <form className={css.save} onSubmit={submit}>
      <TextInput
        label="Save what is shown as"
        value={title}
        maxLength={longestTitle}
        onChange={(event) => setTitle(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      <label className={css.check}>
        <input
          type="checkbox"
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        Share with everyone who signs in
      </label>
      {error !== null && (
        <p className={css.failed} role="alert">
          Not saved: {sentenceOf(error)}
        </p>
      )}
      <Button
        type="submit"
        variant="filled"
        disabled={named === ''}
        loading={create.isPending || change.isPending}
      >
        {before === undefined ? 'Save view' : `Replace ${named}`}
      </Button>
    </form>
  );
}
