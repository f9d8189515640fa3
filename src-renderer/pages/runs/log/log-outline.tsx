import { UnstyledButton } from '@mantine/core';
import { counted } from '#shared/text.ts';
import { Glyph } from '../../../components/glyph.tsx';
import { formatLines, formatNumber } from '../../../components/log-viewer/log-labels.ts';
import { partsOf, plainText } from '../../../components/log-viewer/log-line.ts';
import type { LogText } from '../../../components/log-viewer/log-text.ts';
import type { NumberList } from '../../../components/log-viewer/number-list.ts';
import css from './log-outline.module.css';

type LogOutlineProps = {
  readonly log: LogText;
  /** Lines there are now. */
  readonly lines: number;
  /** Index of the job in view; -1 before the first. */
  readonly here: number;
  readonly onShow: (line: number) => void;
};

/** Marked lines listed of one kind; `e` and the search reach the others. */
const mostListed = 60;

/** Shows an outline of the log: error lines and the start of each job. */
export function LogOutline({ log, lines, here, onShow }: LogOutlineProps) {
  const { parts, errors, warnings } = log;
  return (
    <nav className={css.outline} aria-label="In this log">
      <MarkedLines title="Errors" state="failing" log={log} marked={errors} onShow={onShow} />
      {parts.length > 0 && (
        <section>
          <h2 className={css.heading}>
            Jobs <span>{formatNumber(parts.length)}</span>
          </h2>
          <ul>
            {parts.map(({ name, head }, index) => {
              const end = parts[index + 1]?.head ?? lines;
              const failed = errors.lastUpTo(end - 1) - errors.lastUpTo(head);
              return (
                <li key={head}>
                  <UnstyledButton
                    className={css.entry}
                    onClick={() => onShow(head)}
                    aria-current={index === here ? 'true' : undefined}
                  >
                    <span className={css.name}>{name}</span>
                    <span className={css.sub}>
                      {formatLines(end - head - 1)}
                      {failed > 0 && <em>{`, ${counted(failed, 'error')}`}</em>}
                    </span>
                  </UnstyledButton>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      <MarkedLines title="Warnings" state="degraded" log={log} marked={warnings} onShow={onShow} />
      {parts.length === 0 && errors.length === 0 && warnings.length === 0 && (
        <p className={css.none}>No jobs, errors or warnings in these lines.</p>
      )}
    </nav>
  );
}

type MarkedLinesProps = {
  readonly title: string;
  readonly state: 'failing' | 'degraded';
  readonly log: LogText;
  readonly marked: NumberList;
  readonly onShow: (line: number) => void;
};

function MarkedLines({ title, state, log, marked, onShow }: MarkedLinesProps) {
  if (marked.length === 0) return null;
  const listed = Array.from({ length: Math.min(marked.length, mostListed) }, (_, index) => marked.at(index));
  return (
    <section>
      <h2 className={css.heading}>
        {title} <span>{formatNumber(marked.length)}</span>
      </h2>
      <ul>
        {listed.map((line) => (
          <li key={line}>
            <UnstyledButton className={css.marked} onClick={() => onShow(line)} title={messageOf(log, line)}>
              <Glyph state={state} />
              <span className={css.message}>{messageOf(log, line) || 'no message'}</span>
              <span className={css.line}>{formatNumber(line + 1)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {marked.length > mostListed && <p className={css.none}>The first {mostListed} are listed.</p>}
    </section>
  );
}

/** Characters of a message the outline has room for, and the hover. */
const longest = 300;

function messageOf(log: LogText, line: number): string {
  const raw = log.line(line);
  const { message, mark } = partsOf(raw, 0, raw.length);
  return plainText(raw.slice(message + mark, message + mark + longest));
}
