import { Button } from '@mantine/core';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { healthStates } from '../../components/health-states.ts';
import { formatLines, formatProgress, formatSize } from '../../components/log-viewer/log-labels.ts';
import type { LogProgress } from '../../components/log-viewer/read-log.ts';
import { State } from '../../components/state.tsx';
import { IconDownload } from '../../core/icons/icons.ts';
import { durations, sinceLabel, tailLabel, tails } from './log-choices.ts';
import { LogToggle } from './log-toggle.tsx';
import css from './logs-page.module.css';
import type { PodLogProps } from './pod-log.tsx';

type PodLogBarProps = PodLogProps & {
  readonly progress: LogProgress;
  readonly onStop: () => void;
  readonly onSave: () => void;
};

/** Shows whose log is open, which part of it, and how much has been read. */
export function PodLogBar(props: PodLogBarProps) {
  const { source, pod, mayFollow, progress, onContainer, onPrevious, onFollow, onStop, onSave } = props;
  const { phase, lines, bytes } = progress;
  const coming = phase === 'asking' || phase === 'reading';
  const following = source.follow && phase === 'reading';
  return (
    <header className={css.head}>
      <h2 className={css.pod} title={source.pod}>
        {source.pod}
      </h2>
      <CopyIcon text={() => source.pod} label="Copy the name of the pod" />
      {pod !== undefined && <State state={healthStates[pod.state].state} label={pod.status} look="pill" />}
      <span className={css.chips}>
        <ChoiceChip
          name="Container"
          everything="all"
          value={source.container}
          choices={pod?.containers.map(({ name }) => name) ?? []}
          onChange={onContainer}
        />
        <LogToggle on={source.previous} onToggle={() => onPrevious(!source.previous)}>
          Previous container
        </LogToggle>
        <ChoiceChip
          name="Since"
          everything="the begin"
          value={source.since}
          choices={durations}
          shown={sinceLabel}
          format={sinceLabel}
          onChange={props.onSince}
        />
        <ChoiceChip
          name="Tail"
          everything="all"
          value={source.tail}
          choices={tails}
          shown={tailLabel}
          format={tailLabel}
          onChange={props.onTail}
        />
        {mayFollow && !source.previous && (
          <LogToggle on={source.follow} onToggle={() => onFollow(!source.follow)}>
            Follow
          </LogToggle>
        )}
      </span>
      <span className={css.progress} role="status">
        {coming && <Glyph state="working" />}
        {following
          ? `Following, ${formatLines(lines)}, ${formatSize(bytes)}`
          : phase === 'refused'
            ? ''
            : formatProgress(progress)}
      </span>
      {coming && <Button onClick={onStop}>Stop</Button>}
      {lines > 0 && (
        <Button onClick={onSave} leftSection={<IconDownload size={14} stroke={2} aria-hidden />}>
          Download
        </Button>
      )}
    </header>
  );
}
