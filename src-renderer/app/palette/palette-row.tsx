import type { MouseEvent } from 'react';
import { Glyph } from '../../components/glyph.tsx';
import { healthStates } from '../../components/health-states.ts';
import { KeyCaps } from '../../components/key-caps.tsx';
import { Spoken } from '../../components/spoken.tsx';
import { IconArrowRight, IconLock } from '../../core/icons/icons.ts';
import css from './palette-row.module.css';
import type { Result } from './results.ts';

type PaletteRowProps = {
  readonly id: string;
  readonly result: Result;
  readonly selected: boolean;
  /** It was chosen once and waits to be chosen again. */
  readonly confirming: boolean;
  readonly onSelect: () => void;
  readonly onRun: (event: MouseEvent) => void;
};

/** One result. What changes something shows a lock and asks a second time. */
export function PaletteRow({ id, result, selected, confirming, onSelect, onRun }: PaletteRowProps) {
  const { icon, pieces, state, place, opens } = result;
  const confirm = 'command' in opens ? opens.command.confirm : undefined;
  const Icon = confirm === undefined ? (icon ?? IconArrowRight) : IconLock;
  const keys = selected ? 'Enter' : result.keys;
  const detail = confirming ? confirm : result.detail;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the input, which owns this list by aria-activedescendant.
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the input.
    <div
      id={id}
      role="option"
      aria-selected={selected}
      className={css.row}
      onMouseMove={onSelect}
      onClick={onRun}
    >
      {state === undefined ? (
        <Icon size={16} stroke={2} aria-hidden />
      ) : (
        <span className={css.state}>
          <Glyph state={healthStates[state].state} />
          <Spoken>{`${healthStates[state].label}: `}</Spoken>
        </span>
      )}
      <span className={css.title}>
        {pieces.map((piece, index) => (piece.matched ? <b key={index}>{piece.text}</b> : piece.text))}
      </span>
      {place !== undefined && <span className={css.place}>{place}</span>}
      <span className={css.detail} title={detail}>
        {detail}
      </span>
      {keys !== undefined && <KeyCaps keys={keys} />}
    </div>
  );
}
