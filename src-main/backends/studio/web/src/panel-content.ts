import type { ChatSummary } from '#shared/gen/studio/v1/studio_pb.js';
import { type AnswerOutline, outlineAnswer } from '../../answer-outline.ts';
import type { ChatView } from './use-chat.ts';

/** The side panel's content, read from the chat. */
export type PanelContent = {
  readonly loading: boolean;
  readonly chat: ChatSummary | undefined;
  /** The person's first message. */
  readonly brief: string | undefined;
  readonly laterMessages: number;
  readonly messageCount: number;
  readonly firstAt: Date | undefined;
  readonly lastAt: Date | undefined;
  readonly answeredBy: string;
  readonly email: string;
  /** Steps and components, each from the newest answer that has them; an answer cut off counts after whole ones. */
  readonly outline: Pick<AnswerOutline, 'steps' | 'components'>;
  readonly writing: boolean;
};

/** Reads the side panel's content from the chat. */
export function panelContent(view: ChatView): PanelContent {
  const said = view.messages.filter((message) => message.role === 'person');
  const answers = view.messages.filter((message) => message.role === 'studio').reverse();
  const outlines = [
    ...(view.running === undefined ? [] : [view.running.text]),
    ...answers.filter((answer) => !answer.interrupted).map((answer) => answer.text),
    ...answers.filter((answer) => answer.interrupted).map((answer) => answer.text),
  ].map(outlineAnswer);
  return {
    loading: view.loading,
    chat: view.chat,
    brief: said[0]?.text ?? view.running?.prompt,
    laterMessages: Math.max(0, said.length - 1),
    messageCount: view.messages.length,
    firstAt: view.messages[0]?.at,
    lastAt: view.messages.at(-1)?.at,
    answeredBy: view.answeredBy,
    email: view.email,
    outline: {
      steps: outlines.find(({ steps }) => steps.length > 0)?.steps ?? [],
      components: outlines.find(({ components }) => components.length > 0)?.components ?? [],
    },
    writing: view.running !== undefined,
  };
}
