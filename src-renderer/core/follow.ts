import { openBrowserConnection } from './events/browser-connection.ts';
import { createFollow, type Follow } from './events/create-follow.ts';

/** `createFollow` on the page's own `fetch`. */
export const follow: Follow = createFollow(ownFetch, () => openBrowserConnection(ownFetch), pause);

function ownFetch(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
}
