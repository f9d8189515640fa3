import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { Code } from '@connectrpc/connect';
import { statusMessage } from './status-message.ts';

/** The protocols that tell their status in headers of HTTP, whose status is then always 200. */
const statusInHeaders = /^application\/grpc(?:-web(?:-text)?)?(?=[+;\s]|$)/i;

/**
 * Answers a call to a service or method that is not there: UNIMPLEMENTED, in the form without a body ("Trailers-Only"), so that a client
 * of gRPC and gRPC-web reports that and not a broken answer. A client of Connect reads it from 404 (Connect protocol, "HTTP to Error
 * Code"). `who` begins the sentence, such as `The console`.
 */
export function answerUnimplemented(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  who: string,
): void {
  const [type] = statusInHeaders.exec(request.headers['content-type'] ?? '') ?? [];
  response.statusCode = type === undefined ? 404 : 200;
  if (type !== undefined) {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    response.setHeader('content-type', `${type.toLowerCase()}+proto`);
    response.setHeader('grpc-status', `${Code.Unimplemented}`);
    response.setHeader('grpc-message', statusMessage(`${who} has no method ${path.slice(0, 200)}.`));
  }
  response.end();
}
