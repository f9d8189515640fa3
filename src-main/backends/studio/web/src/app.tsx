import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { StudioPanel } from '#shared/studio/link.ts';
import { type StudioAddress, viewQuery } from './address.ts';
import { FailedChat, LoadingChat } from './chat-state.tsx';
import { Composer } from './composer.tsx';
import { EmptyChat } from './empty-chat.tsx';
import { FailingGlyph, Icon } from './icons.tsx';
import { MessageList } from './message-list.tsx';
import { panelContent } from './panel-content.ts';
import { SidePanel } from './side-panel.tsx';
import { useChat } from './use-chat.ts';

/** The studio's page: one chat, its composer, and the panel beside it. */
export function App({ address }: { readonly address: StudioAddress }): ReactNode {
  const [chatId, setChatId] = useState(address.chat);
  const [panel, setPanel] = useState(address.panel);
  const [panelOpen, setPanelOpen] = useState(address.panel !== undefined);
  const [text, setText] = useState(address.cmd ?? '');
  const [note, setNote] = useState(
    address.cmd === undefined ? undefined : 'A link filled this in. Read it before you send it.',
  );
  const field = useRef<HTMLTextAreaElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const view = useChat(address.chat, setChatId);
  const { chat, messages, running, refused } = view;

  useEffect(() => {
    history.replaceState(history.state, '', viewQuery({ chat: chatId, panel }));
  }, [chatId, panel]);
  useEffect(() => {
    document.title = chat === undefined ? 'New chat, Studio' : `${chat.title}, Studio`;
  }, [chat]);

  const prefill = (message: string) => {
    setText(message);
    setNote('Filled in for you. Change it as you like, then send it.');
    field.current?.focus();
  };
  const send = async () => {
    const message = text;
    setText('');
    setNote(undefined);
    // What the studio did not store goes back in the box, unless something new was written there meanwhile.
    if (!(await view.send(message))) setText((now) => (now === '' ? message : now));
  };
  const showPanel = (next: StudioPanel) => {
    setPanel(next);
    setPanelOpen(true);
  };
  const closePanel = () => {
    setPanelOpen(false);
    toggle.current?.focus();
  };

  const isEmpty = messages.length === 0 && running === undefined;
  return (
    <main className="studio">
      <h1 className="spoken-only">{chat?.title ?? 'New chat'}</h1>
      <div className="chat">
        <div className="narrow-bar">
          <span>{chat?.title ?? 'New chat'}</span>
          <button
            type="button"
            ref={toggle}
            className="outlined"
            aria-expanded={panelOpen}
            aria-controls="studio-panel"
            onClick={() => setPanelOpen(!panelOpen)}
          >
            <Icon name="panel" /> About this chat
          </button>
        </div>
        {view.failure !== undefined ? (
          <FailedChat failure={view.failure} onRetry={view.reload} />
        ) : view.loading && isEmpty ? (
          <LoadingChat />
        ) : isEmpty ? (
          <EmptyChat app={chat?.project ?? ''} answeredBy={view.answeredBy} onPrefill={prefill} />
        ) : (
          <MessageList
            messages={messages}
            running={running}
            email={view.email}
            answeredBy={view.answeredBy}
            onPrefill={prefill}
            onReload={view.reload}
          />
        )}
        {refused === undefined ? undefined : (
          <p className="refused column" role="alert">
            <FailingGlyph />
            <span>
              <strong>{refused.title}.</strong> {refused.detail} Your message is back in the box.
            </span>
          </p>
        )}
        {view.failure !== undefined ? undefined : (
          <Composer
            text={text}
            onText={setText}
            onSend={() => void send()}
            onStop={view.stop}
            answering={running !== undefined}
            isNew={messages.length === 0 && chat === undefined}
            note={note}
            field={field}
          />
        )}
      </div>
      <SidePanel
        panel={panel ?? 'draft'}
        onPanel={showPanel}
        content={panelContent(view)}
        open={panelOpen}
        onClose={closePanel}
      />
    </main>
  );
}
