import { Popover, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { platformLabel } from '../../components/platform-labels.ts';
import { Spoken } from '../../components/spoken.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { usePlatform } from '../../core/use-platform.ts';
import css from './platform-indicator.module.css';

/** The platform's studio and whether it answers; opens the facts behind it. */
export function PlatformIndicator() {
  const platform = usePlatform();
  const [opened, setOpened] = useState(false);
  const { dot, name, label } = platformLabel(platform.data, platform.isError);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={360} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={css.target} onClick={() => setOpened(!opened)} aria-haspopup="dialog">
          <span className={css.dot} data-state={dot} />
          <Spoken>Platform:</Spoken>
          <Spoken>{name}</Spoken>
          <span className={css.words} data-state={dot}>
            {label}
          </span>
          {dot === 'healthy' && <span className={css.short}>studio</span>}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Platform">
        <div className={css.facts} tabIndex={-1} data-autofocus>
          {platform.error !== null && <p>{sentenceOf(platform.error)}</p>}
          {platform.data !== undefined && (
            <>
              <dl>
                <dt>Platform</dt>
                <dd>{name}</dd>
                <dt>Studio</dt>
                <dd>
                  <code>{platform.data.studio.upstream}</code>
                </dd>
                <dt>Answer</dt>
                <dd>{label}</dd>
                <dt>Read</dt>
                <dd>
                  <TimeAgo at={Date.parse(platform.data.read_at)} />
                </dd>
                <dt>Console</dt>
                <dd>{platform.data.version}</dd>
              </dl>
              {platform.data.studio.detail !== undefined && <p>{platform.data.studio.detail}</p>}
              {platform.data.unmeasured.map((reason) => (
                <p key={reason}>Not read: {reason}</p>
              ))}
            </>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
