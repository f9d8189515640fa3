import { CloseButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { FailureBoundary } from '../failure-boundary.tsx';
import css from './dialog.module.css';
import { Layer } from './layer.tsx';

type DialogProps = {
  readonly title: string;
  readonly width: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A layer with its title and a button to close it. */
export function Dialog({ title, width, onClose, children }: DialogProps) {
  return (
    <Layer name={title} width={width} onClose={onClose}>
      <div className={css.dialog}>
        <div className={css.head}>
          <h2 className={css.title}>{title}</h2>
          <CloseButton onClick={onClose} aria-label="Close" size="sm" />
        </div>
        <FailureBoundary part="This dialog">{children}</FailureBoundary>
      </div>
    </Layer>
  );
}
