import type { ReactNode } from 'react';
import css from './setting.module.css';

type SettingProps = {
  readonly title: string;
  /** One-sentence description. */
  readonly about: ReactNode;
  readonly children: ReactNode;
};

/** One choice: its name and meaning at the left, the control at the right. */
export function Setting({ title, about, children }: SettingProps) {
  return (
    <div className={css.setting}>
      <div>
        <h3 className={css.title}>{title}</h3>
        <p className={css.about}>{about}</p>
      </div>
      <div className={css.control}>{children}</div>
    </div>
  );
}
