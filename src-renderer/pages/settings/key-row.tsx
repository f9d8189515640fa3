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
  /** What the section says of all keys already. */
  readonly told: string | undefined;
  readonly onSet: () => void;
  readonly onGenerate: () => void;
  readonly onDelete: () => void;
  /** Further steps this key needs outside the console. */
  readonly children: ReactNode;
};

/** One key: its name and purpose, whether it is set and from where, and what can be done with it. */
export function KeyRow({ item, may, told, onSet, onGenerate, onDelete, children }: KeyRowProps) {
  const kept = item.source === 'keychain' || item.source === 'sealed' || item.withheld !== undefined;
  return (
    <li className={css.row}>
      <div className={css.line}>
        <div className={css.words}>
          <h3 className={css.name}>
            {item.label} <code className={css.variable}>{item.name}</code>
          </h3>
          <p className={css.sentence}>
            <WithCode>{item.sentence}</WithCode>
          </p>
          {item.withheld !== undefined && (
            <p className={css.sentence}>
              <WithCode>{item.withheld}</WithCode>
            </p>
          )}
          {item.why_not !== undefined && item.why_not !== told && (
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
                <Button size="xs" variant="subtle" onClick={onDelete} aria-label={`Delete ${item.label}`}>
                  Delete
                </Button>
              )}
              {item.generates && (
                <Button size="xs" onClick={onGenerate} aria-label={`Generate ${item.label}`}>
                  Generate
                </Button>
              )}
              <Button size="xs" onClick={onSet} aria-label={`${item.set ? 'Replace' : 'Set'} ${item.label}`}>
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
