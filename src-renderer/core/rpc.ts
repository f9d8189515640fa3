import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { type ErrorName, statusOf } from '#shared/errors.ts';
import { answered, CallFailed, refusal, type Send } from './call-route.ts';

/** Calls a unary method of a service. */
type Rpc = <Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  input: MessageInitShape<Input>,
  signal?: AbortSignal,
) => Promise<MessageShape<Output>>;

/** The errors that a caller tells apart, by gRPC's codes. */
const nameByCode: Readonly<Record<number, ErrorName>> = {
  3: 'BadInput',
  5: 'NotFound',
  6: 'Conflict',
  7: 'NotAllowed',
  8: 'TooManyRequests',
  9: 'Refused',
  10: 'Conflict',
  16: 'NotSignedIn',
};

/**
 * Returns the client of the services at an address, by gRPC-web in binary. Connect's own client knows JSON, streams and
 * details of errors as well, and is half as large again as all that the first page asks of it. What refuses a call
 * before it reaches a service answers `{"error": "..."}`, as everywhere in the console: those are its words here, too.
 */
export function createRpc(send: Send, address: string): Rpc {
  return async (method, input, signal) => {
    const body = frameOf(toBinary(method.input, create(method.input, input)));
    const response = await answered(
      send(`${address}/${method.parent.typeName}/${method.name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/grpc-web+proto', 'X-Grpc-Web': '1' },
        body,
        ...(signal !== undefined && { signal }),
      }),
      signal,
    );
    if (!response.ok) throw refusal(response, await answered(response.text(), signal));
    const bytes = new Uint8Array(await answered(response.arrayBuffer(), signal));
    const { message, trailers } = readFrames(bytes, response.headers);
    const status = Number(trailers.get('grpc-status') ?? 2);
    if (status !== 0) throw failureOf(status, trailers.get('grpc-message') ?? '');
    if (message === undefined) throw failureOf(2, '');
    return fromBinary(method.output, message);
  };
}

/** The services of the console itself. What was changed just before the page was left is kept, too. */
export const consoleRpc: Rpc = createRpc((url, init) => fetch(url, { ...init, keepalive: true }), '');

/** The services of the studio, through the console's proxy. */
export const studioRpc: Rpc = createRpc((url, init) => fetch(url, init), '/studio');

/** Bytes before a message: a flag, and its length. */
export const headBytes = 5;

/** Returns a message as the body of a call. */
export function frameOf(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(headBytes + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, headBytes);
  return frame;
}

/** The message and the trailers of an answer; a service that only refuses puts its trailers in the head. */
function readFrames(
  bytes: Uint8Array,
  headers: Headers,
): { readonly message: Uint8Array | undefined; readonly trailers: Headers } {
  let message: Uint8Array | undefined;
  let trailers = headers;
  const view = new DataView(bytes.buffer);
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const end = at + headBytes + view.getUint32(at + 1);
    const content = bytes.subarray(at + headBytes, end);
    if (view.getUint8(at) === 0) message = content;
    else trailers = trailersOf(new TextDecoder().decode(content));
    at = end;
  }
  return { message, trailers };
}

/** Returns the trailers of an answer from their text. */
export function trailersOf(text: string): Headers {
  const lines = text.split('\r\n').flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
  return new Headers(lines);
}

/** Returns the failure that trailers tell of. */
export function failureOf(code: number, message: string): CallFailed {
  const name = nameByCode[code] ?? 'Unavailable';
  return new CallFailed(name, decoded(message) || `The call ended with code ${code}.`, statusOf[name]);
}

/** gRPC writes what is no ASCII percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
