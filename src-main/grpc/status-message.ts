import type { UniversalHandlerFn } from '@connectrpc/connect/protocol';

/**
 * A `grpc-message`: UTF-8, percent-encoded outside printable ASCII and `%` only (gRPC over HTTP/2, "Responses"). Spaces at both ends are
 * encoded as well, because HTTP would trim them.
 */
export function statusMessage(text: string): string {
  return text.toWellFormed().replace(/[^\x20-\x7e]+|%|^ +| +$/gu, (part) => encodeURIComponent(part));
}

/**
 * Returns a handler whose errors have their text as gRPC says. Connect encodes every `:` and `,` as well, and a client such as grpc-js,
 * which decodes with `decodeURI`, shows those as `%3A` and `%2C`.
 */
export function tellingStatus(handler: UniversalHandlerFn): UniversalHandlerFn {
  return async (request) => {
    const answer = await handler(request);
    const { trailer, body } = answer;
    if (trailer === undefined) return answer;
    if (body !== undefined) return { ...answer, body: thenRewritten(body, trailer) };
    rewriteMessage(trailer);
    return answer;
  };
}

/** Trailers are filled while the body is read. */
async function* thenRewritten(body: AsyncIterable<Uint8Array>, trailer: Headers): AsyncIterable<Uint8Array> {
  yield* body;
  rewriteMessage(trailer);
}

function rewriteMessage(trailer: Headers): void {
  const message = trailer.get('grpc-message');
  if (message !== null) trailer.set('grpc-message', statusMessage(decodeURIComponent(message)));
}
