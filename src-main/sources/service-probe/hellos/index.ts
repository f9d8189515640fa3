import type { ProbeProtocol } from '#shared/api/connectors.ts';
import type { Conversation } from '../conversation.ts';
import { helloHttp } from './http.ts';
import { helloMysql } from './mysql.ts';
import { helloPostgresql } from './postgresql.ts';
import { helloS3 } from './s3.ts';

/** Speaks TLS and the hello; returns a sentence on the answer, or undefined where the protocol is not probed. */
type Hello = (conversation: Conversation) => Promise<string | undefined>;

const hellos: Readonly<Record<ProbeProtocol, Hello>> = {
  postgresql: helloPostgresql,
  mysql: helloMysql,
  http: helloHttp,
  s3: helloS3,
  async none(conversation) {
    if (conversation.target.tls === 'direct')
      await conversation.step('tls', lateHandshake(conversation.peer), conversation.startTls);
    conversation.skip('protocol', 'Protocol not probed: its hello is not public.');
    return undefined;
  },
};

/** Speaks to a service that has accepted a connection. Throws `ProbeError` where it does not answer as its protocol says. */
export function sayHello(conversation: Conversation): Promise<string | undefined> {
  return hellos[conversation.target.protocol](conversation);
}

function lateHandshake(peer: string): string {
  return `${peer} accepted the connection, but did not finish the TLS handshake within 5 s.`;
}
