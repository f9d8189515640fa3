import type { ReactNode } from 'react';
import { IconExternalLink } from '../core/icons/icons.ts';
import css from './out-link.module.css';

type OutLinkProps = {
  readonly href: string;
  readonly children: ReactNode;
};

/** A link out of the console, such as to a run on the code host. It opens beside this page. */
export function OutLink({ href, children }: OutLinkProps) {
  return (
    <a className={css.link} href={href} target="_blank" rel="noreferrer">
      {children}
      <IconExternalLink size={12} stroke={2} aria-hidden />
    </a>
  );
}
