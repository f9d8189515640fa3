import { randomBytes } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  Code,
  ConnectError,
  createContextKey,
  type HandlerContext,
  type ServiceImpl,
} from '@connectrpc/connect';
import {
  type ChatRequest,
  type ChatResponseSchema,
  type ChatSummarySchema,
  type MessageSchema,
  Role,
  type StudioService,
} from '#shared/gen/studio/v1/studio_pb.js';
import { isChatId } from '#shared/studio/link.ts';
import type { BackendLog } from '../serving/index.ts';
import { outlineAnswer } from './answer-outline.ts';
import type { Answerer } from './answerer.ts';
import { chatTitle } from './chat-title.ts';
import { type Caller, refusal } from './identity.ts';
import type { RunningAnswers } from './running-answers.ts';
import { type ChatStore, maxChats, maxMessages, type StoredChat, type StoredMessage } from './store.ts';

/** Longest message of a person, in characters (proto/studio/v1/studio.proto, ChatRequest). */
const maxMessageCharacters = 32_000;
/** Longest answer, in UTF-16 units; what comes after is not waited for. */
const longestAnswer = 400_000;
/** Longest time one answer may take, in milliseconds. */
const longestAnswerMs = 10 * 60_000;

const newChatTitle = 'New chat';

/** Context key through which a method gets the caller its request acts for. */
export const callerKey = createContextKey<() => Promise<Caller | undefined>>(async () => undefined);

type Parts = {
  readonly store: ChatStore;
  readonly answerer: Answerer;
  readonly running: RunningAnswers;
  readonly now: () => number;
  readonly log: BackendLog;
};

/** `studio.v1.StudioService`: every method acts for the caller of the assertion, on that person's chats alone. */
export function chatService(parts: Parts): ServiceImpl<typeof StudioService> {
  const { store, answerer } = parts;
  return {
    async listChats(_request, context) {
      const { email } = await callerOf(context);
      const chats = await store.listChats(email);
      return { chats: chats.map(summary), email, answeredBy: answerer.name };
    },

    async listApps(_request, context) {
      const { email } = await callerOf(context);
      const apps = new Map<string, StoredChat>();
      // Most recently updated first: an app that several chats name is shown with the newest of them.
      for (const chat of await store.listChats(email)) {
        if (chat.project !== '' && !apps.has(chat.project)) apps.set(chat.project, chat);
      }
      return {
        apps: [...apps].map(([name, chat]) => ({
          name,
          chatId: chat.id,
          updatedAt: timestampFromMs(chat.updatedAt),
        })),
      };
    },

    async openChat({ id }, context) {
      const { email } = await callerOf(context);
      const chat = await openChat(parts, email, id);
      const messages = await store.listMessages(email, chat.id);
      return { chat: summary(chat), messages: messages.map(messageOf), answeredBy: answerer.name, email };
    },

    chat: (request, context) => chatStream(parts, request, context),
  };
}

async function openChat({ store, now }: Parts, owner: string, id: string): Promise<StoredChat> {
  if (id !== '' && !isChatId(id)) {
    throw new ConnectError(
      'The chat id has the wrong shape: it is c- and 16 hex characters, or repo- and an app name.',
      Code.InvalidArgument,
    );
  }
  const known = id === '' ? undefined : await store.findChat(owner, id);
  if (known !== undefined) return known;
  if (id.startsWith('c-')) throw unknownChat();
  const project = id.startsWith('repo-') ? id.slice('repo-'.length) : '';
  const added = await store.addChat(owner, {
    id: id === '' ? `c-${randomBytes(8).toString('hex')}` : id,
    title: project === '' ? newChatTitle : project,
    project,
    createdAt: now(),
    updatedAt: now(),
  });
  if (added !== undefined) return added;
  throw new ConnectError(
    `You have ${maxChats} chats, the most the studio keeps: go on in one of them instead of starting another.`,
    Code.ResourceExhausted,
  );
}

async function* chatStream(
  parts: Parts,
  request: ChatRequest,
  context: HandlerContext,
): AsyncGenerator<MessageInitShape<typeof ChatResponseSchema>> {
  const { email } = await callerOf(context);
  checkText(request.text);
  if (!isChatId(request.chatId)) throw unknownChat();
  const release = parts.running.begin(email, request.chatId);
  try {
    // Read with the chat's place taken: an answer that just ended has stored its title and project by now.
    const chat = await parts.store.findChat(email, request.chatId);
    if (chat === undefined) throw unknownChat();
    yield* answerStream(parts, { email, chat, text: request.text, release }, context.signal);
  } finally {
    release();
  }
}

type Asked = {
  readonly email: string;
  readonly chat: StoredChat;
  readonly text: string;
  /** Gives the chat's place back once the answer is stored. */
  readonly release: () => void;
};

async function* answerStream(
  { store, answerer, now, log }: Parts,
  { email, chat, text, release }: Asked,
  callerSignal: AbortSignal,
): AsyncGenerator<MessageInitShape<typeof ChatResponseSchema>> {
  const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(longestAnswerMs)]);
  let answer = '';
  let kept: Promise<StoredMessage> | undefined;
  const keepAnswer = (interrupted: boolean) => {
    kept ??= storeAnswer(store, email, chat, { text: answer, at: now(), interrupted }).finally(release);
    return kept;
  };
  // A caller who left may never pull the next piece, so the partial answer is stored when they leave, not when asked.
  const onAbort = () => {
    keepAnswer(true).catch((error: unknown) =>
      log.error({ err: error, chat: chat.id }, 'a partial answer was not stored'),
    );
  };
  let accepted = false;
  try {
    const history = await store.listMessages(email, chat.id);
    if (history.length + 2 > maxMessages) {
      throw new ConnectError(
        `This chat has ${maxMessages} messages, the most a chat keeps: start a new chat for what comes next.`,
        Code.ResourceExhausted,
      );
    }
    const message = await store.addMessage(email, chat.id, {
      role: 'person',
      text,
      at: now(),
      interrupted: false,
    });
    accepted = true;
    if (history.length === 0) chat.title = chatTitle(text);
    chat.updatedAt = now();
    await store.updateChat(email, chat);
    signal.addEventListener('abort', onAbort, { once: true });
    signal.throwIfAborted();
    yield { event: { case: 'accepted', value: { message: messageOf(message), chat: summary(chat) } } };

    const turns = [...history, message].filter((turn) => turn.text !== '');
    for await (const piece of answerer.answer({ app: chat.project, turns }, signal)) {
      signal.throwIfAborted();
      if (answer.length + piece.length > longestAnswer) throw tooLong();
      answer += piece;
      yield { event: { case: 'text', value: piece } };
    }
    signal.throwIfAborted();
    yield { event: { case: 'done', value: messageOf(await keepAnswer(false)) } };
  } catch (error) {
    if (error instanceof ConnectError || signal.aborted) throw endOf(signal, error);
    log.error({ err: error, chat: chat.id }, 'an answer failed');
    throw new ConnectError(
      'The studio failed while answering; the fault is logged. Try again.',
      Code.Internal,
    );
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (accepted) await keepAnswer(true);
  }
}

async function storeAnswer(
  store: ChatStore,
  owner: string,
  chat: StoredChat,
  answer: { text: string; at: number; interrupted: boolean },
): Promise<StoredMessage> {
  const message = await store.addMessage(owner, chat.id, { role: 'studio', ...answer });
  // A `repo-` chat is about its app for good; another chat is about the app its last answer names.
  if (!chat.id.startsWith('repo-')) chat.project = outlineAnswer(answer.text).app ?? chat.project;
  chat.updatedAt = answer.at;
  await store.updateChat(owner, chat);
  return message;
}

function endOf(signal: AbortSignal, error: unknown): ConnectError {
  const reason: unknown = signal.aborted ? signal.reason : error;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new ConnectError('The answer took longer than 10 minutes and was ended.', Code.DeadlineExceeded);
  }
  return ConnectError.from(reason, Code.Canceled);
}

async function callerOf(context: HandlerContext): Promise<Caller> {
  const caller = await context.values.get(callerKey)();
  if (caller === undefined) throw new ConnectError(refusal, Code.Unauthenticated);
  return caller;
}

function checkText(text: string): void {
  if (text.trim() === '')
    throw new ConnectError('The message is empty: write what to build or change.', Code.InvalidArgument);
  const characters = text.length > maxMessageCharacters ? Array.from(text).length : text.length;
  if (characters > maxMessageCharacters) {
    throw new ConnectError(
      `The message has ${characters} characters and the most is ${maxMessageCharacters}: shorten it or send it in parts.`,
      Code.InvalidArgument,
    );
  }
}

/** The same words for a chat that is not there and for another person's: the answer must not tell them apart. */
function unknownChat(): ConnectError {
  return new ConnectError(
    'You have no chat with this id: open one of your chats, or start a new one.',
    Code.NotFound,
  );
}

function tooLong(): ConnectError {
  return new ConnectError(
    'The answer grew longer than the studio keeps and was cut there.',
    Code.ResourceExhausted,
  );
}

function summary(chat: StoredChat): MessageInitShape<typeof ChatSummarySchema> {
  return {
    id: chat.id,
    title: chat.title,
    project: chat.project,
    updatedAt: timestampFromMs(chat.updatedAt),
  };
}

function messageOf({
  id,
  role,
  text,
  at,
  interrupted,
}: StoredMessage): MessageInitShape<typeof MessageSchema> {
  return {
    id,
    role: role === 'person' ? Role.PERSON : Role.STUDIO,
    text,
    at: timestampFromMs(at),
    interrupted,
  };
}
