import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { KeyItem } from '#shared/api/settings.ts';
import { State } from '../../components/state.tsx';
import { WithCode } from '../../components/with-code.tsx';
import css from './key-row.module.css';
import { keyState } from './settings-labels.ts';

type KeyRowProps = {
  readonly item: KeyItem;
  /** Whether the person may change keys. */
  readonly may: boolean;
  readonly onSet: () => void;
  readonly onGenerate: () => void;
  readonly onForget: () => void;
  /** Further steps this key needs outside the console. */
  readonly children: ReactNode;
};

/** One key: its name and purpose, whether it is set and from where, and what can be done with it. */
export function KeyRow({ item, may, onSet, onGenerate, onForget, children }: KeyRowProps) {
  const kept = item.source === 'keychain' || item.source === 'sealed' || item.withheld !== undefined;
  return (
    <li className={css.row}>
      <div className={css.line}>
        <div className={css.words}>
          <h3 className={css.name}>
            <code>{item.name}</code>
          </h3>
          <p className={css.sentence}>
            <WithCode>{item.sentence}</WithCode>
          </p>
          {item.withheld !== undefined && (
            <p className={css.sentence}>
              <WithCode>{item.withheld}</WithCode>
            </p>
          )}
          {item.why_not !== undefined && (
            <p className={css.sentence}>
              <WithCode>{item.why_not}</WithCode>
            </p>
          )}
        </div>
        <div className={css.side}>
          <State {...keyState(item)} />
          {may && item.settable && (
            <div className={css.actions}>
              {kept && (
                <Button size="xs" variant="subtle" onClick={onForget} aria-label={`Forget ${item.name}`}>
                  Forget
                </Button>
              )}
              {item.generates && (
                <Button size="xs" onClick={onGenerate} aria-label={`Generate ${item.name}`}>
                  Generate
                </Button>
              )}
              <Button size="xs" onClick={onSet} aria-label={`${item.set ? 'Replace' : 'Set'} ${item.name}`}>
                {item.set ? 'Replace' : 'Set'}
              </Button>
            </div>
          )}
        </div>
      </div>
      {children}
    </li>
  );
}
