import type { Socket } from 'node:net';
import { type Conversation, readBytes, type StepResult } from '../conversation.ts';
import { ProbeError, quoted } from '../probe-error.ts';

/** PostgreSQL frontend/backend protocol 3.0, "Message Formats". */
const sslRequestCode = 80877103;
const protocolVersion = 196608;

/** Most bytes of an answer that is read: an error message, or a list of authentication methods. */
const longestAnswer = 16_384;

const authentications: Readonly<Record<number, string>> = {
  0: 'no password is asked',
  2: 'Kerberos is asked',
  3: 'a password in plain text is asked',
  5: 'a password (MD5) is asked',
  7: 'GSSAPI is asked',
  9: 'SSPI is asked',
  10: 'a password (SCRAM) is asked',
};

/**
 * PostgreSQL: asks for TLS, then begins a session and reads what the server asks for. No password is sent, so that
 * nothing is logged in.
 */
export async function helloPostgresql(conversation: Conversation): Promise<string> {
  const { target, peer, step, skip } = conversation;
  let channel: Socket = conversation.socket;
  if (target.tlsMode === 'disable') skip('tls', 'Turned off in the settings of this connection.');
  else {
    const late = `${peer} accepted the connection, but did not answer the request for TLS within 5 s.`;
    channel = await step('tls', late, () => upgraded(conversation));
  }
  const late = `${peer} accepted the connection, but did not answer the PostgreSQL startup within 5 s.`;
  return step('protocol', late, async () => {
    const { user = 'postgres', database = 'postgres' } = target.hello;
    channel.write(startup({ user, database, application_name: 'operator-console' }));
    const detail = await readAnswer(channel, peer);
    // Terminate: leaves no session waiting for a password.
    channel.write(Buffer.from([0x58, 0, 0, 0, 4]));
    return { value: `PostgreSQL answered: ${detail}.`, detail: `PostgreSQL answered: ${detail}.` };
  });
}

async function upgraded({ socket, peer, target, startTls }: Conversation): Promise<StepResult<Socket>> {
  const request = Buffer.alloc(8);
  request.writeInt32BE(8, 0);
  request.writeInt32BE(sslRequestCode, 4);
  socket.write(request);
  const answer = String.fromCharCode((await readBytes(socket, 1, peer))[0] ?? 0);
  if (answer === 'S') {
    // Plain bytes sent ahead of the handshake are somebody's in between (CVE-2021-23222).
    if (socket.readableLength > 0)
      throw new ProbeError(`${peer} sent bytes ahead of the TLS handshake: not accepted.`);
    return startTls();
  }
  if (answer === 'N' && target.tlsMode === 'prefer')
    return { value: socket, detail: 'The server offers no TLS; this connection does not require it.' };
  if (answer === 'N') throw new ProbeError(`${peer} offers no TLS, and this connection requires it.`);
  throw foreign(peer);
}

function startup(parameters: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(parameters).map(([name, value]) => `${name}\0${value.replaceAll('\0', '')}\0`);
  const body = Buffer.from(`${text.join('')}\0`, 'utf8');
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(protocolVersion, 4);
  return Buffer.concat([head, body]);
}

/** Most messages read: who is let in without a password is told its settings, some twenty of them. */
const mostMessages = 100;

/** Reads what the server asks for; one that asks for nothing until it is ready, as it may refuse the session still. */
async function readAnswer(channel: Socket, peer: string): Promise<string> {
  let asked: string | undefined;
  for (let count = 0; count < mostMessages; count += 1) {
    const { kind, body } = await readMessage(channel, peer);
    if (kind === 'E') throw new ProbeError(`PostgreSQL refused the session: ${errorOf(body)}`);
    if (kind === 'Z' && asked !== undefined) return asked;
    if (kind === 'R') {
      const code = body.length < 4 ? -1 : body.readInt32BE(0);
      asked = authentications[code] ?? `authentication ${code} is asked`;
      if (code !== 0) return asked;
    } else if (asked === undefined && kind !== 'v') throw foreign(peer);
  }
  throw foreign(peer);
}

async function readMessage(channel: Socket, peer: string): Promise<{ kind: string; body: Buffer }> {
  const head = await readBytes(channel, 5, peer);
  const kind = String.fromCharCode(head[0] ?? 0);
  const length = head.readInt32BE(1) - 4;
  if (!/^[A-Za-z]$/.test(kind) || length < 0 || length > longestAnswer) throw foreign(peer);
  return { kind, body: length === 0 ? Buffer.alloc(0) : await readBytes(channel, length, peer) };
}

function foreign(peer: string): ProbeError {
  return new ProbeError(`${peer} does not speak PostgreSQL.`);
}

/** The message of an ErrorResponse with its SQLSTATE. */
function errorOf(body: Buffer): string {
  const fields = new Map(
    body
      .toString('utf8')
      .split('\0')
      .map((field) => [field.slice(0, 1), field.slice(1)] as const),
  );
  const message = quoted(fields.get('M') ?? 'no message');
  const code = fields.get('C');
  return code === undefined ? `${message}.` : `${message} (${quoted(code)}).`;
}
