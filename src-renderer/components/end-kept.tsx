import css from './end-kept.module.css';
import { Spoken } from './spoken.tsx';

type EndKeptProps = {
  readonly text: string;
  /** Characters at the end that always stay. */
  readonly end: number;
};

/** A name that is cut before its end where there is no room: names of nodes and clusters differ by their ends. */
export function EndKept({ text, end }: EndKeptProps) {
  const cut = Math.max(0, text.length - end);
  return (
    <>
      <span className={css.text} aria-hidden>
        <span>{text.slice(0, cut)}</span>
        {text.slice(cut)}
      </span>
      <Spoken>{text}</Spoken>
    </>
  );
}
