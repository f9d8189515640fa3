import { randomUUID } from 'node:crypto';
import { type QueryExecutorProvider, sql } from 'kysely';
import { Client } from 'pg';
import { localNotices, type Notices, type NoticeTopic } from './notices.ts';

export type SharedNoticesOptions = {
  /** Sends notices, through a pooler or not. */
  readonly db: QueryExecutorProvider;
  /** Connection URL for the one connection that listens: to PostgreSQL itself, because a pooler does not keep LISTEN. */
  readonly listenUrl: string;
  /** Called with a sentence when notices of other consoles stop arriving, and with none when they arrive again. */
  readonly onTrouble: (trouble: string | undefined) => void;
};

const channel = 'operator_console';
/** Pauses between two tries to listen, in ms. */
const firstPause = 500;
const longestPause = 30_000;

/** Opens notices that reach every console on the same PostgreSQL database. Resolves at once; it listens when it can. */
export function sharedNotices({ db, listenUrl, onTrouble }: SharedNoticesOptions): Notices {
  const local = localNotices();
  const self = randomUUID();
  const topics: readonly NoticeTopic[] = ['commands', 'playbooks'];
  let client: Client | undefined;
  let isListening = false;
  let closed = false;
  let pause = firstPause;
  let timer: NodeJS.Timeout | undefined;

  const lost = (current: Client, error?: Error): void => {
    if (client !== current || closed) return;
    client = undefined;
    if (isListening || pause === firstPause)
      onTrouble(`Notices of other consoles do not arrive: ${error?.message ?? 'the connection ended'}.`);
    isListening = false;
    current.end().catch(() => undefined);
    timer = setTimeout(() => void listen(), pause);
    timer.unref();
    pause = Math.min(pause * 2, longestPause);
  };

  const listen = async (): Promise<void> => {
    const current = new Client({
      connectionString: listenUrl,
      application_name: 'operator-console listen',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client = current;
    current.on('error', (error) => lost(current, error));
    current.on('end', () => lost(current));
    current.on('notification', ({ payload }) => tell(payload));
    try {
      await current.connect();
      await current.query(`listen ${channel}`);
    } catch (error) {
      lost(current, error instanceof Error ? error : undefined);
      return;
    }
    if (closed || client !== current) return;
    isListening = true;
    pause = firstPause;
    onTrouble(undefined);
    // Whatever was told meanwhile was missed.
    for (const topic of topics) local.tell(topic);
  };

  const tell = (payload: string | undefined): void => {
    const [from, topic, key] = payload?.split('\n') ?? [];
    const known = topics.find((each) => each === topic);
    if (from !== self && known !== undefined && key !== undefined) local.tell(known, key);
  };

  void listen();
  return {
    subscribe: local.subscribe,
    isShared: () => isListening,
    publish(topic, key) {
      local.publish(topic, key);
      sql`select pg_notify(${channel}, ${`${self}\n${topic}\n${key}`})`.execute(db).catch(() => {
        // Only a hint: whoever waits looks at intervals, too.
      });
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
