import type { CDPSession, Page } from 'playwright-core';

/** A page's request that a test answers in place of the console. */
export type InterceptedRequest = {
  request(): { url(): string; method(): string; postData(): string | null };
  fulfill(answer: FulfilledAnswer): Promise<void>;
};

export type FulfilledAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: string;
  /** Sent as JSON in place of `body`. */
  readonly json?: unknown;
};

/** A path with its query, an expression over the whole URL, or a predicate. */
export type RequestMatch = string | RegExp | ((url: URL) => boolean);

type Handler = { readonly match: RequestMatch; handle(request: InterceptedRequest): unknown };

const handlersOf = new WeakMap<Page, Handler[]>();

/**
 * Answers the page's requests below `/api/`, and `/chat`, that match; of several matches the newest handles the request. Playwright's
 * `page.route` would turn the HTTP cache off and take every script through this process: a page then loads in twice
 * the time.
 */
export async function intercept(
  page: Page,
  match: RequestMatch,
  handle: (request: InterceptedRequest) => unknown,
): Promise<void> {
  const known = handlersOf.get(page);
  if (known !== undefined) {
    known.unshift({ match, handle });
    return;
  }
  const handlers = [{ match, handle }];
  handlersOf.set(page, handlers);
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const url = new URL(request.url);
    const handler = handlers.find((one) => matches(one.match, url));
    if (handler === undefined) void send(page, session.send('Fetch.continueRequest', { requestId }));
    // A rejection goes unhandled on purpose: it fails the run.
    else void handler.handle(interceptedRequest(page, session, requestId, request));
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }, { urlPattern: '*/chat' }] });
}

/** Removes the handlers that were given with this match. */
export function stopIntercepting(page: Page, match: RequestMatch): void {
  const handlers = handlersOf.get(page) ?? [];
  for (let index = handlers.length - 1; index >= 0; index--)
    if (handlers[index]?.match === match) handlers.splice(index, 1);
}

function matches(match: RequestMatch, url: URL): boolean {
  if (typeof match === 'string') return `${url.pathname}${url.search}` === match;
  return match instanceof RegExp ? match.test(url.href) : match(url);
}

function interceptedRequest(
  page: Page,
  session: CDPSession,
  requestId: string,
  { url, method, postData }: { url: string; method: string; postData?: string },
): InterceptedRequest {
  return {
    request: () => ({ url: () => url, method: () => method, postData: () => postData ?? null }),
    fulfill({ status = 200, headers = {}, contentType, body = '', json }) {
      const type = json === undefined ? contentType : 'application/json';
      const responseHeaders = Object.entries({
        ...headers,
        ...(type === undefined ? {} : { 'content-type': type }),
      }).map(([name, value]) => ({ name, value }));
      const text = json === undefined ? body : JSON.stringify(json);
      return send(
        page,
        session.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: status,
          responseHeaders,
          body: Buffer.from(text).toString('base64'),
        }),
      );
    },
  };
}

/** Waits for a command. It fails when its request was cancelled, or its page closed, in the meantime: nobody waits then. */
async function send(page: Page, command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    const cancelled = /Invalid InterceptionId|Invalid state for continueInterceptedRequest/.test(
      String(error),
    );
    if (!cancelled && !page.isClosed()) throw error;
  }
}
