import { Button } from '@mantine/core';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { formatCount } from '../../components/format-quantity.ts';
import { Glyph } from '../../components/glyph.tsx';
import { formatLines, formatProgress, formatSize } from '../../components/log-viewer/log-labels.ts';
import type { LogProgress } from '../../components/log-viewer/read-log.ts';
import { IconDownload } from '../../core/icons/icons.ts';
import { durations, sinceLabel, tailLabel, tails } from './log-choices.ts';
import { LogToggle } from './log-toggle.tsx';
import css from './logs-page.module.css';
import { type MergedSource, mergedTitle } from './workload-log-source.ts';

/** Parts of the address that the bar changes. */
type Change = {
  readonly [Part in 'container' | 'previous' | 'since' | 'tail' | 'follow' | 'level' | 'without']?:
    | string
    | undefined;
};

type WorkloadLogBarProps = {
  readonly source: MergedSource;
  readonly mayFollow: boolean;
  readonly pods: readonly { readonly pod: string; readonly containers: readonly string[] }[];
  readonly level: 'error' | 'warning' | undefined;
  readonly progress: LogProgress;
  readonly onChange: (change: Change) => void;
  readonly onStop: () => void;
  readonly onSave: () => void;
};

/** Pods that have a chip; more are left out by address, or by narrowing the selector. */
const mostChips = 24;

const levelLabels = { error: 'errors', warning: 'warnings and errors' } as const;

/** Shows whose logs are merged, which pods and parts of them, and how much has been read. */
export function WorkloadLogBar(props: WorkloadLogBarProps) {
  const { source, mayFollow, pods, level, progress, onChange, onStop, onSave } = props;
  const { phase, lines, bytes } = progress;
  const coming = phase === 'asking' || phase === 'reading';
  const following = source.follow && phase === 'reading';
  const title = mergedTitle(source.of);
  const containers = [...new Set(pods.flatMap((pod) => pod.containers))];
  const out = new Set(source.without);
  const toggled = (pod: string) => {
    const next = out.has(pod) ? source.without.filter((each) => each !== pod) : [...source.without, pod];
    onChange({ without: next.length === 0 ? undefined : next.join(',') });
  };
  // One that is gone can still be taken back.
  const gone = source.without.filter((pod) => !pods.some((each) => each.pod === pod));
  const names = [...pods.map(({ pod }) => pod), ...gone];
  return (
    <header className={css.head}>
      <h2 className={css.pod} title={title}>
        {title}
      </h2>
      <CopyIcon text={() => title} label="Copy whose logs these are" />
      <span className={css.chips}>
        <ChoiceChip
          name="Container"
          everything="all"
          value={source.container}
          choices={containers}
          onChange={(container) => onChange({ container })}
        />
        <LogToggle
          on={source.previous}
          onToggle={() => onChange({ previous: source.previous ? undefined : 'true' })}
        >
          Previous containers
        </LogToggle>
        <ChoiceChip
          name="Level"
          everything="all"
          value={level}
          choices={['error', 'warning']}
          shown={(choice) => levelLabels[choice === 'error' ? 'error' : 'warning']}
          format={(choice) => levelLabels[choice === 'error' ? 'error' : 'warning']}
          onChange={(next) => onChange({ level: next })}
        />
        <ChoiceChip
          name="Since"
          everything="the begin"
          value={source.since}
          choices={durations}
          shown={sinceLabel}
          format={sinceLabel}
          onChange={(since) => onChange({ since })}
        />
        <ChoiceChip
          name="Tail of each"
          everything="all"
          value={source.tail}
          choices={tails}
          shown={tailLabel}
          format={tailLabel}
          onChange={(tail) => onChange({ tail })}
        />
        {mayFollow && !source.previous && (
          <LogToggle
            on={source.follow}
            onToggle={() => onChange({ follow: source.follow ? 'false' : undefined })}
          >
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
      <fieldset className={css.pods}>
        <legend>{formatCount(pods.length, 'pod')}</legend>
        {names.slice(0, mostChips).map((pod) => (
          <LogToggle
            key={pod}
            on={!out.has(pod)}
            title={out.has(pod) ? `Show ${pod}` : `Leave out ${pod}`}
            onToggle={() => toggled(pod)}
          >
            {shortName(pod, source.of.name)}
          </LogToggle>
        ))}
        {names.length > mostChips && <span>and {names.length - mostChips} more</span>}
      </fieldset>
    </header>
  );
}

/** A pod's name without that of its workload, which all of them begin with. */
const shortName = (pod: string, workload: string | undefined): string =>
  workload !== undefined && pod.startsWith(`${workload}-`) && pod.length > workload.length + 1
    ? pod.slice(workload.length + 1)
    : pod;
