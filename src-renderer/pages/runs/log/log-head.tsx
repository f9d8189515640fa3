import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { Run } from '#shared/api/runs.ts';
import { Glyph } from '../../../components/glyph.tsx';
import { KeyCaps } from '../../../components/key-caps.tsx';
import { formatProgress } from '../../../components/log-viewer/log-labels.ts';
import type { LogProgress } from '../../../components/log-viewer/read-log.ts';
import { runStates } from '../../../components/run-state.ts';
import { State } from '../../../components/state.tsx';
import { IconArrowLeft, IconDownload } from '../../../core/icons/icons.ts';
import css from './log-head.module.css';

type LogHeadProps = {
  readonly repo: string;
  readonly runId: number;
  readonly run: Run | undefined;
  readonly progress: LogProgress;
  readonly onStop: () => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
};

/** Shows whose log is open, how much has been read, and the way back. */
export function LogHead({ repo, runId, run, progress, onStop, onSave, onClose }: LogHeadProps) {
  const coming = progress.phase === 'asking' || progress.phase === 'reading';
  return (
    <header className={css.head}>
      <Tooltip label="Back to the runs (Esc)">
        <ActionIcon
          className={css.back}
          variant="transparent"
          onClick={onClose}
          aria-label="Back to the runs"
        >
          <IconArrowLeft size={16} stroke={2} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <h1 className={css.title}>{run?.name ?? `Run ${runId}`}</h1>
      {run !== undefined && <State {...runStates[run.state]} look="pill" />}
      <span className={css.sub} title={run?.title}>
        {repo}
        {run?.title !== undefined && `, ${run.title}`}
      </span>
      <div className={css.actions}>
        {progress.phase !== 'refused' && (
          <span className={css.progress} role="status">
            {coming && <Glyph state="working" />}
            {formatProgress(progress)}
          </span>
        )}
        {coming ? (
          <Button onClick={onStop}>Cancel</Button>
        ) : (
          progress.lines > 0 && (
            <Button onClick={onSave} leftSection={<IconDownload size={14} stroke={2} aria-hidden />}>
              Download
            </Button>
          )
        )}
        <Button onClick={onClose} rightSection={<KeyCaps keys="Esc" />}>
          Close
        </Button>
      </div>
    </header>
  );
}
