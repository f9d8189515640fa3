import { Button } from '@mantine/core';
import { formatBytes } from '../../components/format-quantity.ts';
import { Glyph } from '../../components/glyph.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import css from './bundle-dialog.module.css';
import { FirstFindings } from './first-findings.tsx';
import type { Opening } from './use-bundle-opening.ts';

type BundleWorkProps = {
  readonly opening: Exclude<Opening, { readonly phase: 'failed' }>;
  readonly onCancel: () => void;
  /** Puts the dialog away; the work goes on. */
  readonly onHide: () => void;
};

/** How far the opening of a bundle is: its steps, real units, and the way to end it. */
export function BundleWork({ opening, onCancel, onHide }: BundleWorkProps) {
  const sending = opening.phase === 'sending';
  const progress = sending ? undefined : opening.progress;
  const [done, total] = sending
    ? [opening.sent, opening.bytes ?? 0]
    : [progress?.bytes_read ?? 0, progress?.bytes ?? 0];
  const size = total === 0 ? formatBytes(done) : `${formatBytes(done)} of ${formatBytes(total)}`;
  return (
    <div className={css.work}>
      <ol className={css.steps}>
        <li data-now={sending}>
          <Glyph state={sending ? 'working' : 'healthy'} />
          <span>{sending ? 'Uploading' : 'Uploaded'}</span>
          {sending && <span>{size}</span>}
        </li>
        <li data-now={!sending}>
          <Glyph state={sending ? 'idle' : 'working'} />
          <span>{progress?.step ?? 'Reading what is in it'}</span>
          {!sending && progress !== undefined && <span>{size}</span>}
        </li>
      </ol>
      <div className={css.bar}>
        <ProgressBar label="Opening the bundle" done={done} total={total} />
      </div>
      <p className={css.hint} role="status">
        {progress === undefined
          ? 'Nothing was read of it yet.'
          : `${progress.files.toLocaleString('en')} files and ${progress.objects.toLocaleString('en')} objects so far.`}
      </p>
      {!sending && <FirstFindings bundle={opening.id} />}
      <div className={css.actions}>
        <Button onClick={onHide}>Continue in background</Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}
