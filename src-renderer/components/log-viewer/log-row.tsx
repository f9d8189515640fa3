import { UnstyledButton } from '@mantine/core';
import { type MouseEvent, memo } from 'react';
import { IconChevronDown, IconChevronRight } from '../../core/icons/icons.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import type { StateName } from '../../core/state-name.ts';
import { Glyph } from '../glyph.tsx';
import { Spoken } from '../spoken.tsx';
import { type LineMatch, type ShownPiece, shownLine } from './line-pieces.ts';
import { formatLines, formatNumber } from './log-labels.ts';
import type { LineKind } from './log-line.ts';
import css from './log-row.module.css';

type LogRowProps = {
  /** Counted from 0. */
  readonly line: number;
  readonly raw: string;
  readonly kind: LineKind;
  readonly times: boolean;
  /** Says the level of each line in words. */
  readonly levels: boolean;
  readonly picked: boolean;
  readonly matches: readonly LineMatch[];
  /** The group this line begins: how many lines are in it, and whether they are hidden. */
  readonly groupLines: number | undefined;
  readonly folded: boolean;
  readonly address: string;
  readonly onPick: (line: number, extend: boolean) => void;
  readonly onFold: (line: number) => void;
};

const signs: Readonly<Partial<Record<LineKind, { readonly state: StateName; readonly label: string }>>> = {
  error: { state: 'failing', label: 'Error' },
  warning: { state: 'degraded', label: 'Warning' },
  notice: { state: 'idle', label: 'Notice' },
};

const levelWords: Readonly<Partial<Record<LineKind, string>>> = {
  error: 'error',
  warning: 'warning',
  debug: 'debug',
};

/** One line of a log. Its text is only ever text: nothing in it becomes an element, a link or a style. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { line, raw, kind, times, levels, picked, matches, groupLines, folded, address, onPick, onFold } =
    props;
  const shown = shownLine(raw, times, matches);
  const sign = signs[kind];
  const number = line + 1;
  const pick = (event: MouseEvent) => {
    if (event.shiftKey) event.preventDefault();
    else if (!openedByPlainClick(event)) return;
    onPick(line, event.shiftKey);
  };
  return (
    <li className={css.row} data-kind={kind} data-picked={picked}>
      <span className={css.gutter}>
        <a
          className={css.number}
          href={address}
          data-line={number}
          tabIndex={-1}
          aria-label={`Line ${number}`}
          aria-current={picked ? 'true' : undefined}
          onClick={pick}
        >
          {number}
        </a>
        <span className={css.sign} data-hit={shown.markHit}>
          {sign !== undefined && <Glyph state={sign.state} />}
          {groupLines !== undefined && (
            <UnstyledButton
              className={css.fold}
              onClick={() => onFold(line)}
              aria-expanded={!folded}
              aria-label={`Group at line ${number}`}
            >
              {folded ? (
                <IconChevronRight size={14} stroke={2} aria-hidden />
              ) : (
                <IconChevronDown size={14} stroke={2} aria-hidden />
              )}
            </UnstyledButton>
          )}
        </span>
      </span>
      {times && (
        <span className={css.time} data-hit={shown.stampHit} title={shown.stamp}>
          {shown.stamp?.slice(11, 23)}
        </span>
      )}
      {levels && <span className={css.level}>{levelWords[kind]}</span>}
      <span className={css.text}>
        {sign !== undefined && !levels && <Spoken>{`${sign.label}: `}</Spoken>}
        {shown.before > 0 && (
          <i className={css.left}>{`${formatNumber(shown.before)} characters before this `}</i>
        )}
        {shown.pieces.map((piece, index) => (
          <Piece key={index} piece={piece} />
        ))}
        {shown.after > 0 && <i className={css.left}>{` ${formatNumber(shown.after)} characters more`}</i>}
        {folded && <i className={css.left}>{`  ${formatLines(groupLines ?? 0)} folded`}</i>}
      </span>
    </li>
  );
});

function Piece({ piece: { text, style, hit } }: { readonly piece: ShownPiece }) {
  const plain = Object.keys(style).length === 0;
  if (plain && hit === undefined) return text;
  const Element = hit === undefined ? 'span' : 'mark';
  return (
    <Element
      className={css.piece}
      data-colour={style.colour}
      data-ground={style.ground}
      data-bold={style.bold}
      data-dim={style.dim}
      data-italic={style.italic}
      data-underline={style.underline}
      data-struck={style.struck}
      data-hit={hit}
    >
      {text}
    </Element>
  );
}
