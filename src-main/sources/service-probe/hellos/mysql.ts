import type { Socket } from 'node:net';
import { type Conversation, readBytes } from '../conversation.ts';
import { ProbeError, quoted } from '../probe-error.ts';

/** MySQL client/server protocol, "Protocol::HandshakeV10" and "Protocol::SSLRequest". */
const clientSsl = 0x800;
const clientProtocol41 = 0x200;
const clientSecureConnection = 0x8000;
const utf8mb4 = 45;

/** Most bytes of a greeting. */
const longestGreeting = 4096;

type Greeting = { readonly version: string; readonly offersTls: boolean };

/** MySQL and MariaDB: the server speaks first; then TLS, where both want it. Nothing is logged in. */
export async function helloMysql(conversation: Conversation): Promise<string> {
  const { target, socket, peer, step, skip } = conversation;
  const began = performance.now();
  const greeting = await conversation.step(
    'protocol',
    `${peer} accepted the connection, but sent no MySQL greeting within 5 s.`,
    async () => {
      const value = await readGreeting(socket, peer);
      const took = Math.round(performance.now() - began);
      return { value, detail: `${describe(value)} greeted after ${took} ms.` };
    },
  );
  const { tlsMode } = target;
  if (tlsMode === 'disable') skip('tls', 'Turned off in the settings of this connection.');
  else if (!greeting.offersTls && tlsMode === 'prefer')
    skip('tls', 'The server offers no TLS; this connection does not require it.');
  else
    await step('tls', `${peer} offered TLS, but did not finish the handshake within 5 s.`, async () => {
      if (!greeting.offersTls)
        throw new ProbeError(`${peer} offers no TLS, and this connection requires it.`);
      socket.write(sslRequest());
      return conversation.startTls();
    });
  return `${describe(greeting)} answered.`;
}

function describe({ version }: Greeting): string {
  // MariaDB says 5.5.5 first, for clients that know no newer MySQL.
  const mariadb = /^(?:5\.5\.5-)?(\d[\d.]*)-MariaDB/i.exec(version)?.[1];
  return mariadb === undefined ? `MySQL ${version}` : `MariaDB ${mariadb}`;
}

async function readGreeting(socket: Socket, peer: string): Promise<Greeting> {
  const head = await readBytes(socket, 4, peer);
  const length = head.readUIntLE(0, 3);
  if (head[3] !== 0 || length < 3 || length > longestGreeting)
    throw new ProbeError(`${peer} does not speak MySQL.`);
  const body = await readBytes(socket, length, peer);
  // ERR_Packet: too many connections, or this host may not connect.
  if (body[0] === 0xff)
    throw new ProbeError(
      `MySQL refused the connection: ${quoted(body.subarray(3).toString('utf8'))} (${body.readUInt16LE(1)}).`,
    );
  const end = body.indexOf(0, 1);
  // After the version: thread id, eight bytes of salt, a filler, then the lower capabilities.
  if (body[0] !== 10 || end < 2 || body.length < end + 16)
    throw new ProbeError(`${peer} does not speak MySQL.`);
  const capabilities = body.readUInt16LE(end + 14);
  return {
    version: quoted(body.subarray(1, end).toString('latin1')),
    offersTls: (capabilities & clientSsl) !== 0,
  };
}

function sslRequest(): Buffer {
  const packet = Buffer.alloc(36);
  packet.writeUIntLE(32, 0, 3);
  packet[3] = 1;
  packet.writeUInt32LE(clientSsl | clientProtocol41 | clientSecureConnection, 4);
  packet.writeUInt32LE(1 << 24, 8);
  packet[12] = utf8mb4;
  return packet;
}
