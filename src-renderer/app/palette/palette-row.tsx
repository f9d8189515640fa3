import { KeyCaps } from '../../components/key-caps.tsx';
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
  readonly onRun: () => void;
};

/** One result. What changes something shows a lock and asks a second time. */
export function PaletteRow({ id, result, selected, confirming, onSelect, onRun }: PaletteRowProps) {
  const { command, match } = result;
  const Icon = command.confirm === undefined ? (command.icon ?? IconArrowRight) : IconLock;
  const keys = selected ? 'Enter' : command.keys;
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
      <Icon size={16} stroke={2} aria-hidden />
      <span className={css.title}>
        {match.pieces.map((piece, index) => (piece.matched ? <b key={index}>{piece.text}</b> : piece.text))}
      </span>
      <span className={css.detail}>{confirming ? command.confirm : command.detail}</span>
      {keys !== undefined && <KeyCaps keys={keys} />}
    </div>
  );
}
