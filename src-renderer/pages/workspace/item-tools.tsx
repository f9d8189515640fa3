import { ActionIcon, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { IconPencil, IconTrash } from '../../core/icons/icons.ts';
import { useDeleteItem, type WorkspaceItem } from '../../core/workspace-queries.ts';
import { EditItem } from './item-form.tsx';
import css from './workspace-page.module.css';

/** Changes or deletes an item of the person. */
export function ItemTools({ item }: { readonly item: WorkspaceItem }) {
  const [asked, setAsked] = useState<'edit' | 'delete'>();
  const remove = useDeleteItem();
  const close = () => setAsked(undefined);
  return (
    <span className={css.tools}>
      <Tooltip label="Edit">
        <ActionIcon
          variant="transparent"
          size={24}
          onClick={() => setAsked('edit')}
          aria-label={`Edit ${item.title}`}
        >
          <IconPencil size={14} stroke={2} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete">
        <ActionIcon
          variant="transparent"
          size={24}
          onClick={() => setAsked('delete')}
          aria-label={`Delete ${item.title}`}
        >
          <IconTrash size={14} stroke={2} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {asked === 'edit' && <EditItem item={item} onClose={close} />}
      {asked === 'delete' && (
        <ConfirmDialog
          title={`Delete the ${item.kind} ${item.title}?`}
          verb={`Delete ${item.kind}`}
          onConfirm={() => remove.mutate(item.id, { onSuccess: close })}
          onClose={close}
          working={remove.isPending}
          error={remove.error}
          failed="It was not deleted."
        >
          <p>
            {item.shared ? 'It is gone for everyone it is shared with. ' : ''}
            {item.kind === 'note' ? 'Its text is lost.' : 'What it leads to stays as it is.'}
          </p>
        </ConfirmDialog>
      )}
    </span>
  );
}
