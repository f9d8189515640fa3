import type { ReactNode } from 'react';
import css from './banner.module.css';

type BannerProps = {
  /** `note` for what is so, `failing` for what went wrong, `unread` (dashed) only for what was not read. */
  readonly look: 'note' | 'failing' | 'unread';
  readonly icon: ReactNode;
  /** Headline, in bold. */
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Said at once by a screen reader when it appears. */
  readonly urgent?: boolean;
};

/** One line above the content: what happened, to what, and one way on. */
export function Banner({ look, icon, title, children, action, urgent = false }: BannerProps) {
  return (
    <div className={css.banner} data-look={look} role={urgent ? 'alert' : 'note'}>
      <span className={css.icon}>{icon}</span>
      <p className={css.words}>
        <b>{title}</b> {children}
      </p>
      {action}
    </div>
  );
}
