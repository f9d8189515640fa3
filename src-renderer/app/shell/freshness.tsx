import { ActionIcon, Tooltip } from '@mantine/core';
import { exactTime } from '../../components/format-time.ts';
import { IconPlayerPauseFilled, IconPlayerPlay, IconReload } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { useNow } from '../../core/use-now.ts';
import { usePlatform } from '../../core/use-platform.ts';
import css from './freshness.module.css';
import { freshnessLabel } from './freshness-labels.ts';

/** How fresh the page is, with the ways to stop it and to read again. */
export function Freshness() {
  const { paused, togglePause, readAgain } = useReading();
  const platform = usePlatform();
  const now = useNow(1000);
  const message = freshnessLabel({ readAt: platform.dataUpdatedAt, now, paused, failed: platform.isError });
  const PauseIcon = paused ? IconPlayerPlay : IconPlayerPauseFilled;
  const pauseLabel = paused ? 'Go on reading' : 'Pause reading';
  return (
    <>
      <span
        className={css.words}
        data-stopped={platform.isError || paused}
        title={platform.dataUpdatedAt === 0 ? undefined : exactTime(platform.dataUpdatedAt)}
      >
        {message}
      </span>
      <Tooltip label={`${pauseLabel} (p)`}>
        <ActionIcon
          className={css.action}
          variant="transparent"
          onClick={togglePause}
          aria-label={pauseLabel}
          aria-pressed={paused}
        >
          <PauseIcon size={16} stroke={2} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Refresh (r)">
        <ActionIcon className={css.action} variant="transparent" onClick={readAgain} aria-label="Refresh">
          <IconReload size={16} stroke={2} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
