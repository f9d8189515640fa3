import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { RunnersService } from '#shared/gen/datasource/v1/runners_pb.js';
import { isLoopbackHost } from '../../base/loopback.ts';
import type { BackendLog } from '../serving/index.ts';
import { createForwarding } from './forwarding.ts';
import { forgetEnrolment, keepEnrolment, readEnrolment } from './runner-token.ts';

export type RunnerOptions = {
  /** Origin of the console. */
  readonly console: string;
  /** ID of the runner, as the console shows it. */
  readonly id: string;
  /** Enrolment ticket; needed once. */
  readonly ticket: string | undefined;
  /** File of its token. */
  readonly file: string;
  /** Address its listeners open ports on. */
  readonly host: string;
  readonly version: string;
  readonly log: BackendLog;
};

export type RunningRunner = {
  /** Resolves when the console has revoked it; its ports are closed and its token is forgotten then. */
  readonly revoked: Promise<void>;
  close(): Promise<void>;
};

/** Longest a call of the console takes, in ms. */
const patience = 10_000;

/**
 * Starts the reference runner: redeems its ticket once, then beats, opens the ports that the console orders and forwards
 * them to connections. Throws where it is not enrolled and has no valid ticket, or where the token would go over a plain
 * network.
 */
export async function startRunner(options: RunnerOptions): Promise<RunningRunner> {
  const { id, file, log, version } = options;
  const origin = consoleOrigin(options.console);
  const client = createClient(
    RunnersService,
    createGrpcWebTransport({ baseUrl: origin, httpVersion: '1.1', defaultTimeoutMs: patience }),
  );
  const enrolment = readEnrolment(file, origin, id) ?? (await enrol());
  const forwarding = createForwarding(options.host);
  const headers = { authorization: `Bearer ${enrolment.token}` };
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let revoke: () => void = () => undefined;
  const revoked = new Promise<void>((resolve) => {
    revoke = resolve;
  });

  async function enrol() {
    if (options.ticket === undefined)
      throw new Error('This runner is not enrolled yet: give its ticket with --ticket-file.');
    const { token } = await client.connectRunner({ runnerId: id, secret: options.ticket, version });
    const made = { console: origin, id, token };
    keepEnrolment(file, made);
    log.info({ runner: id }, 'enrolled');
    return made;
  }

  /** Beats once; returns the seconds until the next one. */
  const beat = async (): Promise<number> => {
    const { listeners, heartbeatSeconds } = await client.heartbeat(
      { version, listeners: forwarding.states() },
      { headers, signal: over.signal },
    );
    const before = JSON.stringify(forwarding.states());
    await forwarding.follow(listeners);
    // What has changed is told at once, not with the next beat.
    return JSON.stringify(forwarding.states()) === before ? heartbeatSeconds : 0.2;
  };

  const end = async (): Promise<void> => {
    over.abort();
    clearTimeout(timer);
    await forwarding.close();
  };

  const next = async (): Promise<void> => {
    let seconds = 15;
    try {
      seconds = await beat();
    } catch (error) {
      if (over.signal.aborted) return;
      const { code, rawMessage } = ConnectError.from(error);
      if (code === Code.Unauthenticated) {
        forgetEnrolment(file);
        await end();
        log.error({ runner: id }, 'revoked by the console');
        revoke();
        return;
      }
      // The console may be away for a while: what is open stays open.
      log.warn({ runner: id, reason: rawMessage }, 'no heartbeat');
    }
    if (!over.signal.aborted) timer = setTimeout(() => void next(), seconds * 1000);
  };

  await next();
  return { revoked, close: end };
}

/** The console's origin. Throws for one to which a token would go over a plain network. */
function consoleOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error('--console must be the http(s) address of a console.');
  const isLocal = isLoopbackHost(url.hostname) || url.hostname.endsWith('.localhost');
  if (url.protocol === 'http:' && !isLocal)
    throw new Error(
      '--console must be an https address: the token of a runner is not sent over a plain network.',
    );
  return url.origin;
}
