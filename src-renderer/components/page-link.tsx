import { Button } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import type { PageAddress } from '#shared/page-address.ts';
import { useHref, usePageAddress } from '../core/page-address.ts';
import { openedByPlainClick } from '../core/plain-click.ts';

type PageLinkProps = {
  readonly to: PageAddress;
  /** A link in text, or a button: `filled` for the one next step of a view. */
  readonly look?: 'text' | 'outlined' | 'filled';
  readonly children: ReactNode;
};

/** A link to another place of the console that stays on this page: nothing is loaded anew. */
export function PageLink({ to, look = 'text', children }: PageLinkProps) {
  const [, go] = usePageAddress();
  const href = useHref();
  const link = {
    href: href(to),
    onClick: (event: MouseEvent) => {
      // A link in a row must not open the row as well.
      event.stopPropagation();
      if (openedByPlainClick(event)) go(to);
    },
  };
  if (look === 'text') return <a {...link}>{children}</a>;
  return (
    <Button component="a" {...link} {...(look === 'filled' && { variant: 'filled' })}>
      {children}
    </Button>
  );
}
