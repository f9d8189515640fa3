import { EnvHttpProxyAgent, type RequestInit, type Response, fetch as undiciFetch } from 'undici';

/** Requests to systems outside. */
export type Outgoing = {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Cuts off what is under way. */
  close(): void;
};

/** Milliseconds to connect. */
const connectMs = 5_000;

/**
 * Requests through the proxy that the environment names (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), never for this machine itself.
 * An answer larger than `largest` bytes breaks off; without it there is no bound, and who reads it keeps one.
 */
export function createOutgoing({ largest }: { largest?: number } = {}): Outgoing {
  const direct = [process.env.no_proxy ?? process.env.NO_PROXY, 'localhost', '127.0.0.1', '[::1]'];
  const dispatcher = new EnvHttpProxyAgent({
    noProxy: direct.filter((part) => part !== undefined && part !== '').join(','),
    connect: { timeout: connectMs },
    ...(largest === undefined ? {} : { maxResponseSize: largest }),
  });
  return {
    fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }),
    close: () => void dispatcher.destroy(),
  };
}
