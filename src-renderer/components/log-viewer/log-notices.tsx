import { Button } from '@mantine/core';
import { Banner } from '../banner.tsx';
import { Glyph } from '../glyph.tsx';
import { formatLines } from './log-labels.ts';
import css from './log-notices.module.css';
import type { LogText } from './log-text.ts';
import { endNote, type LogProgress } from './read-log.ts';

type LogNoticesProps = {
  readonly log: LogText;
  readonly progress: LogProgress;
  readonly onAgain: () => void;
};

/** Explains why the log shown is incomplete. */
export function LogNotices({ log, progress, onAgain }: LogNoticesProps) {
  const { phase, lines, error } = progress;
  const again = (
    <Button size="xs" onClick={onAgain}>
      Refresh log
    </Button>
  );
  const note = phase === 'done' ? endNote(log) : undefined;
  return (
    <>
      {phase === 'stopped' && (
        <div className={css.notice}>
          <Banner look="unread" icon={<Glyph state="unknown" />} title="Stopped." action={again}>
            The first {formatLines(lines)} are shown. The rest was not read.
          </Banner>
        </div>
      )}
      {phase === 'broken' && (
        <div className={css.notice}>
          <Banner
            look="unread"
            urgent
            icon={<Glyph state="unknown" />}
            title="The log was cut off."
            action={again}
          >
            The first {formatLines(lines)} are shown. {error?.message}
          </Banner>
        </div>
      )}
      {note !== undefined && (
        <div className={css.notice}>
          <Banner look="unread" icon={<Glyph state="unknown" />} title="The end of this log.">
            {note}
          </Banner>
        </div>
      )}
      {log.full && (
        <div className={css.notice}>
          <Banner look="unread" icon={<Glyph state="unknown" />} title="Incomplete log.">
            It has more lines than can be shown; these are the first {formatLines(lines)}.
          </Banner>
        </div>
      )}
    </>
  );
}
