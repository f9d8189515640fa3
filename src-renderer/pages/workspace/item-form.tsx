import { Button, InputBase, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { useChangeItem, useCreateItems, type WorkspaceItem } from '../../core/workspace-queries.ts';
import css from './workspace-page.module.css';

type Content = Pick<WorkspaceItem, 'title' | 'text' | 'shared'>;

/** Writes a new note. */
export function AddNote({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateItems();
  return (
    <Dialog title="Add a note" width={480} onClose={onClose}>
      <ItemForm
        kind="note"
        content={{ title: '', text: '', shared: false }}
        verb="Add note"
        working={create.isPending}
        error={create.error}
        onSubmit={(content) =>
          create.mutate([{ kind: 'note', address: '', ...content }], { onSuccess: onClose })
        }
        onClose={onClose}
      />
    </Dialog>
  );
}

type EditItemProps = { readonly item: WorkspaceItem; readonly onClose: () => void };

/** Changes the name and the text of an item, and who sees it. */
export function EditItem({ item, onClose }: EditItemProps) {
  const change = useChangeItem();
  return (
    <Dialog title={`Edit the ${item.kind}`} width={480} onClose={onClose}>
      <ItemForm
        kind={item.kind}
        content={item}
        verb="Save"
        working={change.isPending}
        error={change.error}
        onSubmit={({ text, ...rest }) =>
          change.mutate(
            { id: item.id, revision: item.revision, change: item.kind === 'note' ? { text, ...rest } : rest },
            { onSuccess: onClose },
          )
        }
        onClose={onClose}
      />
    </Dialog>
  );
}

type ItemFormProps = {
  readonly kind: WorkspaceItem['kind'];
  readonly content: Content;
  readonly verb: string;
  readonly working: boolean;
  readonly error: Error | null;
  readonly onSubmit: (content: Content) => void;
  readonly onClose: () => void;
};

function ItemForm({ kind, content, verb, working, error, onSubmit, onClose }: ItemFormProps) {
  const [title, setTitle] = useState(content.title);
  const [text, setText] = useState(content.text);
  const [shared, setShared] = useState(content.shared);
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (title.trim() !== '') onSubmit({ title: title.trim(), text, shared });
  };
  return (
    <form className={css.form} onSubmit={submit} noValidate>
      <TextInput
        label={kind === 'note' ? 'Title' : 'Name'}
        value={title}
        maxLength={200}
        onChange={(event) => setTitle(event.currentTarget.value)}
        error={tried && title.trim() === '' && `A ${kind} needs a ${kind === 'note' ? 'title' : 'name'}.`}
        autoComplete="off"
        required
        data-autofocus
      />
      {kind === 'note' && (
        <InputBase
          component="textarea"
          multiline
          label="Text"
          rows={8}
          maxLength={8000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          classNames={{ input: css.area ?? '' }}
        />
      )}
      <label className={css.check}>
        <input
          type="checkbox"
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        Share with everyone who signs in
      </label>
      {error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title={`The ${kind} was not saved.`}>
          {sentenceOf(error)}
        </Banner>
      )}
      <div className={css.foot}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" loading={working}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
