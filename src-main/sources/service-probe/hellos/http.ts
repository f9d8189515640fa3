import type { Socket } from 'node:net';
import { Client, errors } from 'undici';
import type { Conversation } from '../conversation.ts';
import { errorCode, ProbeError, quoted, socketFault } from '../probe-error.ts';

/** Most bytes of an answer's body that are read. */
const longestBody = 64 * 1024;

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  readonly body: string;
};

/** HTTP: one GET without credentials. A redirect is reported and not followed. */
export async function helloHttp(conversation: Conversation): Promise<string> {
  const { target } = conversation;
  const answer = await getOnce(conversation, target.hello.path ?? '/');
  return answer.detail;
}

/** Begins TLS where the target has it, and makes one request over the connection. */
export async function getOnce(
  conversation: Conversation,
  path: string,
  judge: (answer: HttpAnswer) => string = describeAnswer,
): Promise<{ detail: string }> {
  const { target, peer, step } = conversation;
  let channel: Socket = conversation.socket;
  if (target.tls === 'direct')
    channel = await step(
      'tls',
      `${peer} accepted the connection, but did not finish the TLS handshake within 5 s.`,
      conversation.startTls,
    );
  const late = `${peer} accepted the connection, but did not answer the HTTP request within 5 s.`;
  return step('protocol', late, async () => {
    const detail = judge(await request(conversation, channel, path));
    return { value: { detail }, detail };
  });
}

async function request(
  { target, peer, signal }: Conversation,
  channel: Socket,
  path: string,
): Promise<HttpAnswer> {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  const scheme = target.tls === 'direct' ? 'https' : 'http';
  let handed = false;
  const client = new Client(`${scheme}://${host}:${target.port}`, {
    // The connection that was judged and dialled, once: a client that connected again would look the name up again.
    connect: (_options, callback) => {
      const again = handed;
      handed = true;
      // Not within the call: undici goes on with its requests only after it.
      setImmediate(() => {
        if (again) callback(new ProbeError(`${peer} closed the connection without an answer.`), null);
        else callback(null, channel);
      });
    },
    pipelining: 0,
    maxHeaderSize: 16 * 1024,
  });
  try {
    const { statusCode, headers, body } = await client.request({
      method: 'GET',
      path,
      headers: { accept: '*/*', 'user-agent': 'operator-console' },
      signal,
    });
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of body) {
      pieces.push(Buffer.from(piece));
      length += pieces.at(-1)?.length ?? 0;
      if (length >= longestBody) break;
    }
    return {
      status: statusCode,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? (value[0] ?? '') : (value ?? ''),
        ]),
      ),
      body: Buffer.concat(pieces).subarray(0, longestBody).toString('utf8'),
    };
  } catch (error) {
    if (signal.aborted || error instanceof ProbeError) throw error;
    throw new ProbeError(requestFault(peer, error));
  } finally {
    client.destroy().catch(() => undefined);
  }
}

function describeAnswer({ status, headers }: HttpAnswer): string {
  if (status >= 500) throw new ProbeError(`The service answered HTTP ${status}.`);
  const { location } = headers;
  if (status >= 300 && status < 400 && location !== undefined)
    return `HTTP ${status}: redirects to ${quoted(location.replace(/[?#].*$/, ''))}, which is not followed.`;
  const meaning = status === 401 || status === 403 ? ': credentials are required' : '';
  return `HTTP ${status}${meaning}.`;
}

function requestFault(peer: string, error: unknown): string {
  const code = errorCode(error);
  if (error instanceof errors.HTTPParserError) return `${peer} does not speak HTTP.`;
  if (code === 'UND_ERR_SOCKET') {
    const cause = error instanceof Error ? error.cause : undefined;
    return errorCode(cause) === ''
      ? `${peer} closed the connection without an answer.`
      : socketFault(peer, cause, ' instead of answering');
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return `${peer} sent too large a header.`;
  return socketFault(peer, error, ' instead of answering');
}
