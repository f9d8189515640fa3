import {
  create,
  type DescMessage,
  type DescMethodServerStreaming,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { answered, refusal } from './call-route.ts';
import { failureOf, frameOf, headBytes, trailersOf } from './rpc.ts';

/** Calls a server-streaming method of a service of the console. Yields each message as it comes; throws `CallFailed`. */
export async function* consoleStream<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodServerStreaming<Input, Output>,
  input: MessageInitShape<Input>,
  signal: AbortSignal,
): AsyncGenerator<MessageShape<Output>> {
  const response = await answered(
    fetch(`/${method.parent.typeName}/${method.name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/grpc-web+proto', 'X-Grpc-Web': '1' },
      body: frameOf(toBinary(method.input, create(method.input, input))),
      signal,
    }),
    signal,
  );
  if (!response.ok || response.body === null)
    throw refusal(response, await answered(response.text(), signal));
  const status = response.headers.get('grpc-status');
  if (status !== null && status !== '0')
    throw failureOf(Number(status), response.headers.get('grpc-message') ?? '');
  const reader = response.body.getReader();
  let bytes: Uint8Array = new Uint8Array();
  try {
    for (;;) {
      const { done, value } = await answered(reader.read(), signal);
      if (done) return;
      bytes = joined(bytes, value);
      while (bytes.length >= headBytes) {
        const end = headBytes + new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
        if (bytes.length < end) break;
        const content = bytes.subarray(headBytes, end);
        if (bytes[0] === 0) yield fromBinary(method.output, content);
        else endOf(trailersOf(new TextDecoder().decode(content)));
        bytes = bytes.subarray(end);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function endOf(trailers: Headers): void {
  const status = Number(trailers.get('grpc-status') ?? 2);
  if (status !== 0) throw failureOf(status, trailers.get('grpc-message') ?? '');
}

function joined(before: Uint8Array, more: Uint8Array): Uint8Array {
  const both = new Uint8Array(before.length + more.length);
  both.set(before);
  both.set(more, before.length);
  return both;
}
