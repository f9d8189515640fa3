import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to PostgreSQL that breaks on purpose. */
export type CutConnection = {
  readonly url: string;
  /** The fate of the next COMMITs, in turn; after the last of them they pass. */
  plan: ('pass' | 'cut before it arrives' | 'cut before it is answered')[];
  /** Number of COMMITs cut. */
  cut: number;
  /** Refuses every connection, and ends those that are open. */
  down: boolean;
  close(): Promise<void>;
};

/** Stands between a client and the database of `url`, and cuts the client's connection around its COMMITs. */
export async function cutConnection(url: string): Promise<CutConnection> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    if (way.down) client.destroy();
    let answered = true;
    client.on('data', (data) => {
      // A simple query: Q, its length in four bytes, its text (PostgreSQL documentation, Message Formats).
      const commits =
        (data.length === 12 && data.toString('latin1', 5, 11).toLowerCase() === 'commit') ||
        // A statement outside a transaction commits by itself.
        data.includes('insert into audit_records (seq,');
      const fate = commits ? (way.plan.shift() ?? 'pass') : 'pass';
      if (fate !== 'pass') way.cut += 1;
      if (fate === 'cut before it arrives') client.destroy();
      else {
        answered = fate === 'pass';
        database.write(data);
      }
    });
    database.on('data', (data) => {
      if (answered) client.write(data);
      else client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  let down = false;
  const way: CutConnection = {
    url: own.href,
    plan: [],
    cut: 0,
    get down() {
      return down;
    },
    set down(value) {
      down = value;
      if (down) for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return way;
}
