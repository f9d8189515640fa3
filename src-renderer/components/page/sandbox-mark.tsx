import { Tooltip } from '@mantine/core';
import { IconFlask } from '../../core/icons/icons.ts';
import { usePlatform } from '../../core/use-platform.ts';
import { Spoken } from '../spoken.tsx';
import css from './sandbox-mark.module.css';

const meaning = 'Everything here runs on this machine, and what you change stays on it.';

/** Marks every page of the sandbox, within its header. */
export function SandboxMark() {
  const platform = usePlatform();
  if (platform.data?.sandbox !== true) return null;
  return (
    <Tooltip label={meaning} multiline maw={280}>
      <span className={css.mark}>
        <IconFlask size={12} stroke={2} aria-hidden />
        Sandbox platform
        <Spoken>{`. ${meaning}`}</Spoken>
      </span>
    </Tooltip>
  );
}
