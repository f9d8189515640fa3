import type { ChatSummary } from '#shared/gen/studio/v1/studio_pb.js';
import type { StudioChatMessage } from '#shared/studio/chat-message.ts';

/** Tells the console which chat is open, with its title and project (CON-176). */
export function announceChat({ id, title, project }: Pick<ChatSummary, 'id' | 'title' | 'project'>): void {
  if (window.parent === window) return;
  const message: StudioChatMessage = { type: 'studio.chat', id, title, project };
  window.parent.postMessage(JSON.stringify(message), location.origin);
}
