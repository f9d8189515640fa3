import { type ReactNode, useState } from 'react';
import { Icon } from './icons.tsx';
import type { PanelContent } from './panel-content.ts';
import { exactTime, shortTime } from './shown-time.ts';

/** Time "Copied" is shown, in milliseconds. */
const copiedMs = 1200;

/** The facts of the chat. */
export function DetailsPanel({ content }: { readonly content: PanelContent }): ReactNode {
  const { chat, messageCount, firstAt, lastAt, answeredBy, email } = content;
  return (
    <dl className="details">
      <dt>Chat</dt>
      <dd>{chat === undefined ? 'Gets its id with the first message' : <CopiedId id={chat.id} />}</dd>
      <dt>App</dt>
      <dd>{chat === undefined || chat.project === '' ? 'Not named yet' : chat.project}</dd>
      <dt>Answered by</dt>
      <dd>
        {answeredBy === '' ? 'Not read yet' : answeredBy}
        {answeredBy === 'built-in planner' ? (
          <span className="faint detail">No model is connected: INFERENCE_REMOTE_URL is not set.</span>
        ) : undefined}
      </dd>
      <dt>Your sign-in</dt>
      <dd>{email === '' ? 'Not read yet' : email}</dd>
      <dt>Messages</dt>
      <dd>{messageCount}</dd>
      <dt>First message</dt>
      <dd>{firstAt === undefined ? 'None yet' : <ExactTime at={firstAt} />}</dd>
      <dt>Last message</dt>
      <dd>{lastAt === undefined ? 'None yet' : <ExactTime at={lastAt} />}</dd>
    </dl>
  );
}

function ExactTime({ at }: { readonly at: Date }): ReactNode {
  return (
    <time dateTime={at.toISOString()} title={exactTime(at)}>
      {shortTime(at)}
    </time>
  );
}

function CopiedId({ id }: { readonly id: string }): ReactNode {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(id);
      setCopied(true);
      setTimeout(() => setCopied(false), copiedMs);
    } catch {
      // A frame may not write to the clipboard everywhere; the id stands there to be selected.
    }
  };
  return (
    <span className="copied-id">
      <code>{id}</code>
      <button
        type="button"
        className="square"
        aria-label={copied ? 'Copied' : 'Copy the chat id'}
        title="Copy"
        onClick={() => void copy()}
      >
        {copied ? <span className="faint">Copied</span> : <Icon name="copy" />}
      </button>
    </span>
  );
}
