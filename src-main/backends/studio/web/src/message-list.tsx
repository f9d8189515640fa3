import { type ReactNode, useEffect, useRef } from 'react';
import { AnswerText } from './answer-text.tsx';
import { Icon, WarningGlyph, WorkingGlyph } from './icons.tsx';
import { personName } from './person-name.ts';
import { exactTime, shortTime } from './shown-time.ts';
import type { Running, ShownMessage } from './use-chat.ts';

type Props = {
  readonly messages: readonly ShownMessage[];
  readonly running: Running | undefined;
  readonly email: string;
  readonly answeredBy: string;
  /** Puts text in the composer; sending stays with the person. */
  readonly onPrefill: (text: string) => void;
  readonly onReload: () => void;
};

/** Distance from its end, in pixels, within which the list follows new text. */
const followWithin = 80;

/** The conversation, oldest first. It follows a growing answer unless the person scrolled up to read. */
export function MessageList({ messages, running, email, answeredBy, onPrefill, onReload }: Props): ReactNode {
  const scroller = useRef<HTMLElement>(null);
  const follows = useRef(true);
  // The list is scrolled whenever its content changes
  useEffect(() => {
    const list = scroller.current;
    if (list !== null && follows.current) list.scrollTop = list.scrollHeight;
  }, [messages, running]);

  const onScroll = () => {
    const list = scroller.current;
    if (list !== null)
      follows.current = list.scrollHeight - list.scrollTop - list.clientHeight < followWithin;
  };
  const last = messages.at(-1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="messages" aria-label="Messages" ref={scroller} onScroll={onScroll} tabIndex={0}>
      {/* Busy until the answer is whole: a screen reader then reads it once instead of word by word. */}
      <div className="column" role="log" aria-live="polite" aria-busy={running !== undefined}>
        {messages.map((message, at) => (
          <MessageView key={message.id} message={message} email={email}>
            {message.role === 'studio' && message.interrupted ? (
              <EndedEarly reason={message.reason} prompt={promptBefore(messages, at)} onPrefill={onPrefill} />
            ) : undefined}
          </MessageView>
        ))}
        {running?.prompt === undefined ? undefined : (
          <MessageView
            message={{
              id: 'sending',
              role: 'person',
              text: running.prompt,
              at: running.since,
              interrupted: false,
            }}
            email={email}
          />
        )}
        {running === undefined ? undefined : (
          <MessageView
            message={{
              id: 'growing',
              role: 'studio',
              text: running.text,
              at: running.since,
              interrupted: false,
            }}
            email={email}
            growing
          >
            <p className="note working">
              <WorkingGlyph />
              {running.text === '' ? 'Reading your message' : 'Answering'}
              <span className="faint">{answeredBy}</span>
            </p>
          </MessageView>
        )}
        {running === undefined && last?.role === 'person' ? (
          <div className="note indented">
            <WarningGlyph />
            <span>No answer is stored yet. It may still be written in another window.</span>
            <button type="button" className="plain" onClick={onReload}>
              Read again
            </button>
            <button type="button" className="plain" onClick={() => onPrefill(last.text)}>
              Put the message back
            </button>
          </div>
        ) : undefined}
      </div>
    </section>
  );
}

type MessageProps = {
  readonly message: ShownMessage;
  readonly email: string;
  readonly growing?: boolean;
  readonly children?: ReactNode;
};

function MessageView({ message, email, growing = false, children }: MessageProps): ReactNode {
  const { name, initials } = personName(email);
  const isPerson = message.role === 'person';
  return (
    <article className="message" aria-label={`${isPerson ? name : 'Studio'}, ${shortTime(message.at)}`}>
      <span className={isPerson ? 'avatar' : 'avatar of-studio'} aria-hidden="true">
        {isPerson ? initials : <Icon name="studio" />}
      </span>
      <div className="message-body">
        <h2 className="message-head">
          <span title={isPerson ? email : undefined}>{isPerson ? name : 'Studio'}</span>
          <time dateTime={message.at.toISOString()} title={exactTime(message.at)}>
            {shortTime(message.at)}
          </time>
        </h2>
        {isPerson ? (
          <p className="said">{message.text}</p>
        ) : (
          <AnswerText text={message.text} growing={growing} />
        )}
        {children}
      </div>
    </article>
  );
}

type EndedEarlyProps = {
  readonly reason: string | undefined;
  readonly prompt: string | undefined;
  readonly onPrefill: (text: string) => void;
};

function EndedEarly({ reason, prompt, onPrefill }: EndedEarlyProps): ReactNode {
  return (
    <div className="note degraded">
      <WarningGlyph />
      <span>
        <strong>Ended early.</strong> {reason ?? 'The answer was cut off; what had arrived is kept.'}
      </span>
      {prompt === undefined ? undefined : (
        <button type="button" className="plain" onClick={() => onPrefill(prompt)}>
          Put the message back
        </button>
      )}
    </div>
  );
}

function promptBefore(messages: readonly ShownMessage[], at: number): string | undefined {
  return messages.slice(0, at).findLast((message) => message.role === 'person')?.text;
}
