import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Views } from '../workspace/views.tsx';
import css from './page.module.css';
import { PageBanner } from './page-banner.tsx';
import { SandboxMark } from './sandbox-mark.tsx';

type PageProps = {
  readonly title: string;
  /** A few words beside the title, such as the project. */
  readonly sub?: string;
  /** The header's right group; coverage first. */
  readonly actions?: ReactNode;
  /** Content between header and body that concerns the whole page, such as a verdict. */
  readonly above?: ReactNode;
  /** A page that fills its room edge to edge under a hairline, such as the studio. */
  readonly flush?: boolean;
  readonly children: ReactNode;
};

/** A page's header, the one banner under it, and its content. */
export function Page({ title, sub, actions, above, flush = false, children }: PageProps) {
  useDocumentTitle(`${title} - Operator Console`);
  return (
    <div className={css.page} data-flush={flush}>
      <div className={css.header}>
        <h1 className={css.title} title={title}>
          {title}
        </h1>
        <SandboxMark />
        {sub !== undefined && sub !== '' && <span className={css.sub}>{sub}</span>}
        <div className={css.actions}>
          {actions}
          <Views />
        </div>
      </div>
      <PageBanner />
      {above !== undefined && <div className={css.above}>{above}</div>}
      <div className={css.body}>{children}</div>
    </div>
  );
}
