import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconLink, IconX } from '../../core/icons/icons.ts';
import { CopyIcon } from '../copy-icon.tsx';
import { PinIcon } from '../workspace/pins.tsx';
import css from './drawer-head.module.css';

type DrawerHeadProps = {
  /** What kind of thing it is, such as `delivery`. */
  readonly what: string;
  /** Undefined until it is read. */
  readonly title: string | undefined;
  /** Its state and tags, before the tools. */
  readonly children: ReactNode;
  /** Its address in the console, without origin. */
  readonly address: string;
  readonly onClose: () => void;
};

/** The head of a drawer: what state the thing is in, its link, the way out, and its name. */
export function DrawerHead({ what, title, children, address, onClose }: DrawerHeadProps) {
  return (
    <header className={css.head}>
      <div className={css.line}>
        {children}
        <span className={css.tools}>
          {title !== undefined && <PinIcon what={what} title={title} address={address} />}
          <CopyIcon
            text={() => `${location.origin}${address}`}
            label={`Copy the link to this ${what}`}
            icon={IconLink}
          />
          <Tooltip label="Close (Esc)">
            <ActionIcon
              className={css.close}
              variant="transparent"
              onClick={onClose}
              aria-label={`Close the ${what}`}
            >
              <IconX size={14} stroke={2} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </span>
      </div>
      {title !== undefined && <h2 className={css.title}>{title}</h2>}
    </header>
  );
}
