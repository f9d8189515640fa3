import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../core/failure.ts';
import { Banner } from '../banner.tsx';
import { Glyph } from '../glyph.tsx';
import css from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';

type ConfirmDialogProps = {
  /** The question. */
  readonly title: string;
  /** What will happen, and what will not. */
  readonly children: ReactNode;
  /** The verb with its object. */
  readonly verb: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly working: boolean;
  /** Why it did not happen. */
  readonly error: Error | null;
  /** What did not happen, such as `The key was not forgotten.` */
  readonly failed: string;
};

/** Asks before something that cannot be taken back. Cancel has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog title={props.title} width={440} onClose={props.onClose}>
      <div className={css.words}>{props.children}</div>
      {props.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title={props.failed}>
          {sentenceOf(props.error)}
        </Banner>
      )}
      <div className={css.actions}>
        <Button onClick={props.onClose} data-autofocus>
          Cancel
        </Button>
        <Button variant="filled" onClick={props.onConfirm} loading={props.working}>
          {props.verb}
        </Button>
      </div>
    </Dialog>
  );
}
