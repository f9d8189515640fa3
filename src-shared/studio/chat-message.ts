import { isChatId } from './link.ts';

/** Longest title or project taken from the message, in characters after trimming. */
export const maxDisplayText = 200;

/** The studio's `studio.chat` message: ids and display text, never a command (CON-176, CON-177). */
export type StudioChatMessage = {
  readonly type: 'studio.chat';
  readonly id: string;
  readonly title: string;
  readonly project: string;
};

type MessageLike = { readonly origin: string; readonly source: unknown; readonly data: unknown };

/**
 * Reads the message the studio frame posted, or undefined. Accepted only when the origin is the console's own, the
 * source is the studio iframe's own window, the data is a JSON string, its type is `studio.chat` and its id has the
 * chat id shape. Title and project are trimmed and capped.
 */
export function readStudioChatMessage(
  event: MessageLike,
  own: { readonly origin: string; readonly frame: unknown },
): StudioChatMessage | undefined {
  if (event.origin !== own.origin) return undefined;
  if (own.frame === null || own.frame === undefined || event.source !== own.frame) return undefined;
  if (typeof event.data !== 'string') return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(event.data);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const fields: { type?: unknown; id?: unknown; title?: unknown; project?: unknown } = parsed;
  if (fields.type !== 'studio.chat' || !isChatId(fields.id)) return undefined;
  return {
    type: 'studio.chat',
    id: fields.id,
    title: displayText(fields.title),
    project: displayText(fields.project),
  };
}

function displayText(value: unknown): string {
  if (typeof value !== 'string') return '';
  return Array.from(value.trim()).slice(0, maxDisplayText).join('').trimEnd();
}
