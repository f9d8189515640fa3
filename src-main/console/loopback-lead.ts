import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../base/loopback.ts';

type Options = {
  /** False for a console that is reached under other names, or shown in a window. */
  readonly leads: boolean;
  /** The origin of sign-in links, once the console listens. */
  readonly origin: () => string | undefined;
  readonly isSignedIn: (request: IncomingMessage) => Promise<boolean>;
};

/**
 * Returns where a page that is opened at a loopback address should be opened instead: at the host of the sign-in link,
 * where the session would be. Whoever is signed in at the address stays there, and so does everything but a page.
 */
export function createLoopbackLead({
  leads,
  origin,
  isSignedIn,
}: Options): (request: IncomingMessage) => Promise<string | undefined> {
  return async (request) => {
    const own = origin();
    const { host = '', 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = request.headers;
    if (!leads || own === undefined || mode !== 'navigate' || dest !== 'document') return undefined;
    const name = host.toLowerCase().replace(/:\d+$/, '');
    if (!isLoopbackHost(name) || new URL(own).host === host.toLowerCase()) return undefined;
    return (await isSignedIn(request)) ? undefined : `${own}${request.url ?? '/'}`;
  };
}
