import type { ReactNode } from 'react';
import { Glyph } from '../../components/glyph.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { IconBox, IconExternalLink, IconMessage } from '../../core/icons/icons.ts';
import { useHref } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import type { RailApp, StudioChat } from './rail-model.ts';
import css from './rail-rows.module.css';
import { rowAttribute } from './use-studio-commands.ts';

type Opening = { readonly open: boolean; readonly onOpen: (chat: string) => void };

/** A chat: its title, the app it is about, and when it last changed. */
export function ChatRow({ chat, open, onOpen }: { readonly chat: StudioChat } & Opening) {
  return (
    <Row chat={chat.id} open={open} onOpen={onOpen}>
      <IconMessage className={css.icon} size={14} stroke={2} aria-hidden />
      <span className={css.name}>{chat.title || 'Untitled chat'}</span>
      <span className={css.detail}>
        {chat.project || 'no app yet'}
        {chat.updatedAt !== undefined && (
          <>
            , <TimeAgo at={chat.updatedAt} />
          </>
        )}
      </span>
    </Row>
  );
}

/** An app: its name, its state when that was read, and why. */
export function AppRow({ app, open, onOpen }: { readonly app: RailApp } & Opening) {
  const content = (
    <>
      {app.state === undefined ? (
        <IconBox className={css.icon} size={14} stroke={2} aria-hidden />
      ) : (
        <Glyph state={app.state.state} />
      )}
      <span className={css.name}>{app.name}</span>
      {app.state !== undefined && (
        <span className={css.side} data-state={app.state.state}>
          {app.state.label}
        </span>
      )}
      <span className={css.detail} title={app.detail}>
        {app.detail || (app.updatedAt !== undefined && <TimeAgo at={app.updatedAt} />)}
      </span>
    </>
  );
  if (app.chat !== undefined) {
    return (
      <Row chat={app.chat} open={open} onOpen={onOpen}>
        {content}
      </Row>
    );
  }
  return (
    <li>
      <a
        className={css.row}
        href={app.repository}
        target="_blank"
        rel="noreferrer"
        {...{ [rowAttribute]: '' }}
      >
        {content}
        <span className={css.detail}>
          no studio app can have this name{' '}
          <IconExternalLink size={12} stroke={2} aria-label="opens the repository" />
        </span>
      </a>
    </li>
  );
}

function Row({
  chat,
  open,
  onOpen,
  children,
}: { readonly chat: string; readonly children: ReactNode } & Opening) {
  const href = useHref();
  return (
    <li>
      <a
        className={css.row}
        href={href({ tab: 'forgeStudio', chat })}
        aria-current={open ? 'page' : undefined}
        onClick={(event) => {
          if (openedByPlainClick(event)) onOpen(chat);
        }}
        {...{ [rowAttribute]: '' }}
      >
        {children}
      </a>
    </li>
  );
}
