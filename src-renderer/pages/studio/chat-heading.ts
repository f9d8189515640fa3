import type { StudioChatMessage } from '#shared/studio/chat-message.ts';
import type { StudioChat } from './rail-model.ts';

/** The page's title and the project beside it. */
export type ChatHeading = { readonly title: string; readonly project: string };

/** Returns the page heading: the title reported by the frame for this chat, else the one in the list, else its id. */
export function chatHeading(
  current: string | undefined,
  said: StudioChatMessage | undefined,
  chats: readonly StudioChat[],
): ChatHeading {
  if (current === undefined) return { title: 'Studio', project: '' };
  if (current === 'new') return { title: 'New chat', project: '' };
  const listed = chats.find(({ id }) => id === current);
  const spoken = said?.id === current ? said : undefined;
  const app = current.startsWith('repo-') ? current.slice('repo-'.length) : '';
  return {
    title:
      spoken?.title || listed?.title || app || ((spoken ?? listed) ? 'Untitled chat' : `Chat ${current}`),
    project: spoken?.project || listed?.project || app,
  };
}
