import { type RefObject, useEffect, useEffectEvent } from 'react';
import { readStudioChatMessage, type StudioChatMessage } from '#shared/studio/chat-message.ts';

/** Hears the studio frame say which chat it shows. Anything that is not exactly that is ignored (CON-176). */
export function useStudioMessage(
  frame: RefObject<HTMLIFrameElement | null>,
  onMessage: (message: StudioChatMessage) => void,
): void {
  const heard = useEffectEvent(onMessage);
  useEffect(() => {
    const onEvent = (event: MessageEvent) => {
      const own = { origin: location.origin, frame: frame.current?.contentWindow };
      const message = readStudioChatMessage(event, own);
      if (message !== undefined) heard(message);
    };
    window.addEventListener('message', onEvent);
    return () => window.removeEventListener('message', onEvent);
  }, [frame]);
}
