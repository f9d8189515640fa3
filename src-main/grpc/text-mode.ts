import { Code, ConnectError } from '@connectrpc/connect';
import type { UniversalHandlerFn } from '@connectrpc/connect/protocol';

/** The text mode of gRPC-web, of protobuf: its JSON has none that a client speaks. */
const textModeType = /^application\/grpc-web-text(?=\+proto|;|$)/i;

/**
 * Returns a handler that speaks `application/grpc-web-text` as well, the only mode in which Google's own client streams and which
 * Connect does not speak: its base64 is taken off and put on around the handler.
 */
export function speakingText(handler: UniversalHandlerFn): UniversalHandlerFn {
  return async (request) => {
    const contentType = request.header.get('content-type') ?? '';
    if (!textModeType.test(contentType)) return handler(request);
    const header = new Headers(request.header);
    header.set('content-type', contentType.replace(textModeType, 'application/grpc-web'));
    // @connectrpc/connect types a body as parsed JSON or as bytes; from a Node request it is always bytes.
    const body = decodeBase64Body(request.body as AsyncIterable<Uint8Array>);
    const answer = await handler({ ...request, header, body });
    if (answer.status !== 200) return answer;
    const answerHeader = new Headers(answer.header);
    answerHeader.set('content-type', 'application/grpc-web-text+proto');
    return {
      ...answer,
      header: answerHeader,
      ...(answer.body === undefined ? {} : { body: encodeBase64Body(answer.body) }),
    };
  };
}

/**
 * Decodes an `application/grpc-web-text` body: base64 that may come in several padded segments one after another,
 * cut anywhere (gRPC-web protocol, "Text-encoded streams"). Throws INVALID_ARGUMENT on anything else.
 */
async function* decodeBase64Body(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let rest = '';
  for await (const chunk of body) {
    const text = rest + Buffer.from(chunk).toString('latin1');
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    if (whole > 0) yield decodeQuads(text.slice(0, whole));
  }
  if (rest !== '')
    throw new ConnectError('The base64 of the request ends in the middle.', Code.InvalidArgument);
}

/** Encodes every piece on its own, padded, so that each message can be decoded the moment it arrives. */
async function* encodeBase64Body(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    if (chunk.length > 0) yield Buffer.from(Buffer.from(chunk).toString('base64'), 'latin1');
  }
}

/** Whole groups of four; padding may close any group, not only the last. */
function decodeQuads(text: string): Uint8Array {
  if (!/^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)*$/.test(text)) {
    throw new ConnectError('The request is not valid base64.', Code.InvalidArgument);
  }
  const segments = text.match(/[^=]+={0,2}/g) ?? [];
  return Buffer.concat(segments.map((segment) => Buffer.from(segment, 'base64')));
}
