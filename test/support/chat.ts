import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import type { ChatAnswer } from '../../src-shared/api/chat.ts';
import type { TestConsole } from './test-console.ts';

export type Said = ChatAnswer & { readonly status: number; readonly error?: string };

/** Says something in the chat of a console, as the session of a cookie. */
export async function say(
  console_: Pick<TestConsole, 'url'>,
  cookie: string | undefined,
  message: string,
  more: object = {},
): Promise<Said> {
  const { statusCode, body } = await request(`${console_.url}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) },
    body: JSON.stringify({ message, ...more }),
  });
  return { ...((await body.json()) as ChatAnswer), status: statusCode };
}

/** What a model double is asked, and what it does: calls of tools, a text, or the pieces of its stream as they are. */
export type DoubleReply = {
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[];
  readonly text?: string;
  /** Sent in place of a stream, such as a broken one. */
  readonly raw?: string;
  readonly status?: number;
};
export type DoubleRequest = {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly max_tokens?: number;
  readonly model?: string;
};

/** A model behind an OpenAI-compatible endpoint that does what its script says, in pieces of a stream. */
export async function modelDouble(script: (request: DoubleRequest) => DoubleReply) {
  const requests: DoubleRequest[] = [];
  const server = createServer((incoming, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of incoming) text += String(chunk);
      const asked = JSON.parse(text) as DoubleRequest;
      requests.push(asked);
      const reply = script(asked);
      response.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream' });
      response.end(reply.raw ?? streamed(reply));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function streamed({ calls = [], text = '' }: DoubleReply): string {
  const event = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const parts = calls.flatMap(({ name, args }, index) => {
    const json = typeof args === 'string' ? args : JSON.stringify(args);
    const half = Math.ceil(json.length / 2);
    return [
      event({
        tool_calls: [{ index, id: `call-${index}`, type: 'function', function: { name, arguments: '' } }],
      }),
      event({ tool_calls: [{ index, function: { arguments: json.slice(0, half) } }] }),
      event({ tool_calls: [{ index, function: { arguments: json.slice(half) } }] }),
    ];
  });
  const words = text.match(/.{1,20}/gs) ?? [];
  return `: keep-alive\n\n${words.map((word) => event({ content: word })).join('')}${parts.join('')}${event({}, 'stop')}data: [DONE]\n\n`;
}
