import { type ReactNode, useEffect, useState } from 'react';
import type { Failure } from './failure.ts';
import { FailingGlyph } from './icons.tsx';

/** Time after which a wait is shown as text, in milliseconds. */
const wordsAfterMs = 1000;

/** The shape of a conversation while it is read. */
export function LoadingChat(): ReactNode {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), wordsAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <section className="messages" aria-label="Messages" aria-busy="true">
      <div className="column">
        {[70, 92, 54].map((width) => (
          <div key={width} className="message" aria-hidden="true">
            <span className="avatar bone" />
            <div className="message-body">
              <span className="bone line short" />
              <span className={`bone line w${width}`} />
              <span className="bone line w40" />
            </div>
          </div>
        ))}
        <p className="note indented" role="status">
          {slow ? 'Reading the chat from the studio' : ''}
        </p>
      </div>
    </section>
  );
}

type FailedProps = { readonly failure: Failure; readonly onRetry: () => void };

/** A chat that could not be opened: what happened and what to do. */
export function FailedChat({ failure, onRetry }: FailedProps): ReactNode {
  return (
    <section className="messages" aria-label="Messages">
      <div className="column failed" role="alert">
        <h2>
          <FailingGlyph /> {failure.title}
        </h2>
        <p>{failure.detail}</p>
        {failure.canRetry ? (
          <button type="button" className="outlined" onClick={onRetry}>
            Retry
          </button>
        ) : (
          <a className="outlined" href="?chat=new">
            Start a new chat
          </a>
        )}
      </div>
    </section>
  );
}
