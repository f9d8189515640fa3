import type { DescService } from '@bufbuild/protobuf';
import { type Client, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

export type TextModeAnswer = { readonly contentType: string | null; readonly arrivals: number[] };

/**
 * A client of a service that speaks `application/grpc-web-text`: Connect's own of the browser, with base64 around its bodies. `answers`
 * gets what was seen of each answer.
 */
export function textModeClient<T extends DescService>(
  service: T,
  url: string,
  options: { readonly headers?: Record<string, string>; readonly answers?: TextModeAnswer[] } = {},
): Client<T> {
  return createClient(
    service,
    createGrpcWebTransport({
      baseUrl: url,
      fetch: async (address, init) => {
        const sent = new Headers(init?.headers);
        sent.set('content-type', 'application/grpc-web-text');
        for (const [name, value] of Object.entries(options.headers ?? {})) sent.set(name, value);
        const body = Buffer.from(await new Response(init?.body).arrayBuffer()).toString('base64');
        const answer = await fetch(address, {
          method: 'POST',
          headers: sent,
          body,
          signal: init?.signal ?? null,
        });
        const seen: TextModeAnswer = { contentType: answer.headers.get('content-type'), arrivals: [] };
        options.answers?.push(seen);
        if (seen.contentType?.startsWith('application/grpc-web-text') !== true) return answer;
        const headers = new Headers(answer.headers);
        headers.set('content-type', 'application/grpc-web+proto');
        return new Response(answer.body?.pipeThrough(decoding(seen.arrivals)) ?? null, {
          status: answer.status,
          headers,
        });
      },
    }),
  );
}

/** Base64 in padded segments, decoded by groups of four as they arrive. */
function decoding(arrivals: number[]): TransformStream<Uint8Array, Uint8Array> {
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      arrivals.push(performance.now());
      const text = rest + Buffer.from(chunk).toString('latin1');
      const whole = text.length - (text.length % 4);
      rest = text.slice(whole);
      for (const part of text.slice(0, whole).match(/[^=]+={0,2}/g) ?? [])
        controller.enqueue(new Uint8Array(Buffer.from(part, 'base64')));
    },
    flush() {
      if (rest !== '') throw new Error('the base64 ends in the middle');
    },
  });
}
