import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type ChatSummary,
  type Message,
  type OpenChatResponse,
  Role,
} from '#shared/gen/studio/v1/studio_pb.js';
import { announceChat } from './announce-chat.ts';
import { studio } from './client.ts';
import { type Failure, failureOf } from './failure.ts';

/** A message as the page shows it. */
export type ShownMessage = {
  readonly id: string;
  readonly role: 'person' | 'studio';
  readonly text: string;
  readonly at: Date;
  readonly interrupted: boolean;
  /** The reason the answer ended early, when this page saw it end. */
  readonly reason?: string;
};

/** The answer being written now. `prompt` is the person's message until the studio has stored it. */
export type Running = { readonly prompt: string | undefined; readonly text: string; readonly since: Date };

export type ChatView = {
  readonly loading: boolean;
  /** Set when the chat could not be opened; there is nothing else to show then. */
  readonly failure: Failure | undefined;
  /** Undefined for a new chat without messages. */
  readonly chat: ChatSummary | undefined;
  readonly messages: readonly ShownMessage[];
  readonly running: Running | undefined;
  /** A message was not taken; the text is still with the person. */
  readonly refused: Failure | undefined;
  readonly email: string;
  readonly answeredBy: string;
  /** Sends one message. Resolves to false when the studio did not store it. */
  send(text: string): Promise<boolean>;
  stop(): void;
  reload(): void;
};

/** The open chat: reads it, sends to it, and keeps the console told of its title and project. */
export function useChat(initialId: string | undefined, onChatId: (id: string) => void): ChatView {
  const [id, setId] = useState(initialId);
  const [loading, setLoading] = useState(true);
  const [failure, setFailure] = useState<Failure>();
  const [refused, setRefused] = useState<Failure>();
  const [chat, setChat] = useState<ChatSummary>();
  const [messages, setMessages] = useState<readonly ShownMessage[]>([]);
  const [running, setRunning] = useState<Running>();
  const [who, setWho] = useState({ email: '', answeredBy: '' });
  const [attempt, setAttempt] = useState(0);
  const answering = useRef<AbortController>(undefined);

  const show = useCallback((opened: OpenChatResponse) => {
    setChat(opened.chat);
    setMessages(opened.messages.map(shown));
    setWho({ email: opened.email, answeredBy: opened.answeredBy });
  }, []);

  // A first send gives the chat its id and needs no second read
  useEffect(() => {
    const reading = new AbortController();
    const read = async () => {
      setLoading(true);
      setFailure(undefined);
      try {
        if (id === undefined) setWho(await studio.listChats({}, { signal: reading.signal }));
        else show(await studio.openChat({ id }, { signal: reading.signal }));
      } catch (error) {
        if (!reading.signal.aborted) setFailure(failureOf(error));
      }
      if (!reading.signal.aborted) setLoading(false);
    };
    void read();
    return () => reading.abort();
  }, [attempt, show]);

  useEffect(() => {
    if (chat !== undefined) announceChat(chat);
  }, [chat?.id, chat?.title, chat?.project, chat]);

  // Leaving the page ends the answer, as the studio keeps it to that point.
  useEffect(() => () => answering.current?.abort(), []);

  const send = async (text: string): Promise<boolean> => {
    if (answering.current !== undefined) return false;
    const abort = new AbortController();
    answering.current = abort;
    const since = new Date();
    let accepted = false;
    let answer = '';
    setRefused(undefined);
    setRunning({ prompt: text, text: '', since });
    try {
      let chatId = id;
      if (chatId === undefined) {
        const opened = await studio.openChat({}, { signal: abort.signal });
        chatId = opened.chat?.id ?? '';
        setId(chatId);
        onChatId(chatId);
      }
      for await (const { event } of studio.chat({ chatId, text }, { signal: abort.signal })) {
        if (event.case === 'accepted') {
          accepted = true;
          const { chat: named, message } = event.value;
          if (named !== undefined) setChat(named);
          if (message !== undefined) setMessages((before) => [...before, shown(message)]);
          setRunning({ prompt: undefined, text: '', since });
        } else if (event.case === 'text') {
          answer += event.value;
          setRunning({ prompt: undefined, text: answer, since });
        } else if (event.case === 'done') {
          const done = shown(event.value);
          setMessages((before) => [...before, done]);
          setRunning(undefined);
        }
      }
      // The answer may have named the app: the stored chat says so.
      show(await studio.openChat({ id: chatId }, { signal: abort.signal }));
    } catch (error) {
      const why = failureOf(error);
      const stopped = ConnectError.from(error).code === Code.Canceled;
      if (!accepted && !stopped) setRefused(why);
      if (accepted) {
        const partial: ShownMessage = {
          id: `early-${since.getTime()}`,
          role: 'studio',
          text: answer,
          at: since,
          interrupted: true,
          reason: why.detail,
        };
        setMessages((before) => (before.at(-1)?.role === 'studio' ? before : [...before, partial]));
      }
    } finally {
      answering.current = undefined;
      setRunning(undefined);
    }
    return accepted;
  };

  return {
    loading,
    failure,
    chat,
    messages,
    running,
    refused,
    email: who.email,
    answeredBy: who.answeredBy,
    send,
    stop: () => answering.current?.abort(),
    reload: () => setAttempt((before) => before + 1),
  };
}

function shown(message: Message): ShownMessage {
  return {
    id: message.id,
    role: message.role === Role.PERSON ? 'person' : 'studio',
    text: message.text,
    at: message.at === undefined ? new Date() : timestampDate(message.at),
    interrupted: message.interrupted,
  };
}
