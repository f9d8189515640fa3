import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import css from './layer.module.css';
import { useFocusReturn } from './use-focus-return.ts';

type LayerProps = {
  readonly name: string;
  readonly width: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A layer above the page: it keeps the focus, closes with Esc or a click beside it, and gives the focus back. */
export function Layer({ name, width, onClose, children }: LayerProps) {
  useFocusReturn();
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={width}
      yOffset={96}
      radius={12}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay className={css.scrim} transitionProps={{ duration: 0 }} />
      <Modal.Content classNames={{ content: css.layer ?? '' }} aria-label={name}>
        {children}
      </Modal.Content>
    </Modal.Root>
  );
}
