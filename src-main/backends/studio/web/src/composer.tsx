import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect } from 'react';

/** Longest message in characters (proto/studio/v1/studio.proto, ChatRequest). */
const longest = 32_000;

type Props = {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly answering: boolean;
  readonly isNew: boolean;
  /** Source of the text, when not the keyboard. */
  readonly note: string | undefined;
  readonly field: RefObject<HTMLTextAreaElement | null>;
};

/** The box a message is written in. Enter sends, Shift Enter starts a new line; a disabled Send says why. */
export function Composer({ text, onText, onSend, onStop, answering, isNew, note, field }: Props): ReactNode {
  const characters = text.length > longest ? Array.from(text).length : text.length;
  const reason = sendReason(text, characters, answering);

  // The box grows with its text, up to a third of the page
  useLayoutEffect(() => {
    const area = field.current;
    if (area === null) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, Math.round(window.innerHeight / 3))}px`;
  }, [text, field]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes a word, Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (reason === undefined) onSend();
  };
  const label = isNew ? 'Say what to build' : 'Say what should change';
  return (
    <form
      className="composer column"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined) onSend();
      }}
    >
      <div className="composer-box">
        <textarea
          ref={field}
          rows={1}
          value={text}
          placeholder={label}
          aria-label={label}
          aria-describedby="composer-hint"
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="composer-row">
          <span id="composer-hint" className={characters > longest ? 'hint failing' : 'hint'} role="status">
            {hintOf(characters, answering, note)}
          </span>
          {answering ? (
            <button type="button" className="outlined" onClick={onStop}>
              Stop
            </button>
          ) : (
            <button type="submit" className="filled" aria-disabled={reason !== undefined} title={reason}>
              Send <kbd>Enter</kbd>
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

function sendReason(text: string, characters: number, answering: boolean): string | undefined {
  if (answering) return 'The studio is still answering: wait for the end or stop it.';
  if (text.trim() === '') return 'Write a message first.';
  if (characters > longest)
    return `The message has ${characters.toLocaleString('en')} characters; the most is 32,000.`;
  return undefined;
}

function hintOf(characters: number, answering: boolean, note: string | undefined): string {
  if (answering) return 'The studio is answering';
  if (characters > longest * 0.9) return `${characters.toLocaleString('en')} of 32,000 characters`;
  return note ?? 'Shift Enter for a new line';
}
