import type { Kysely } from 'kysely';
import type { SessionCommand } from '#shared/api/agents.ts';
import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { ConsoleError } from '#shared/errors.ts';
import { createCommandQueue } from './command-queue.ts';
import { createLongPolls } from './long-polls.ts';
import { keepHealth, keepSessionRun } from './reports.ts';
import type { AgentTables } from './store.ts';

type AgentRouteId = Extract<RouteId, `agents.${string}` | `sessionCommands.${string}`>;

/** The routes of agents: their reports, and the command queue of each person's sessions. `now` in epoch ms. */
export function agentHandlers({
  db,
  now,
}: {
  readonly db: () => Kysely<AgentTables>;
  readonly now: () => number;
}): Handlers<AgentRouteId> {
  const queue = createCommandQueue(db, now);
  const polls = createLongPolls(queue.withWork);

  const enqueue = async (command: string, { caller }: Call): Promise<SessionCommand> => {
    const email = caller.email ?? '';
    const queued = await queue.enqueue(email, command);
    polls.wake(email);
    return queued;
  };

  /** Gives a claimed command back when nobody is there to take it: it would lie claimed for its five minutes. */
  const unlessTaken = async (
    email: string,
    claimed: SessionCommand,
    taken: () => Promise<boolean>,
  ): Promise<SessionCommand | undefined> => {
    const giveBack = async (): Promise<void> => {
      await queue.giveBack(claimed.id);
      polls.wake(email);
    };
    try {
      if (await taken()) return claimed;
    } catch (error) {
      await giveBack();
      throw error;
    }
    await giveBack();
    return undefined;
  };

  const claimWithin = async (
    email: string,
    ms: number,
    { signal, recheck }: Call,
  ): Promise<SessionCommand | undefined> => {
    const until = performance.now() + ms;
    const poll = polls.enter(email);
    if (poll === undefined) {
      throw new ConsoleError(
        'TooManyRequests',
        'Too many agent sessions wait for your commands on this console: close those you do not use.',
      );
    }
    try {
      for (;;) {
        const claimed = await queue.claim(email);
        if (claimed !== undefined)
          return await unlessTaken(email, claimed, async () => {
            await recheck();
            return !signal.aborted;
          });
        const left = until - performance.now();
        if (left <= 0) return undefined;
        await poll.wait(left, signal);
        if (signal.aborted) return undefined;
        // The session may have ended while this waited: it claims nothing afterwards.
        await recheck();
      }
    } finally {
      poll.leave();
    }
  };

  return {
    'agents.reportHealth': async ({ body }) => ({ accepted: await keepHealth(db(), body, now()) }),

    'agents.reportSessionRun': async ({ body }, { caller }) => {
      if (caller.agent === undefined)
        throw new ConsoleError('NotSignedIn', 'This report names no App: send an installation token.');
      return { run_id: body.run_id, ...(await keepSessionRun(db(), caller.agent.app, body, now())) };
    },

    'sessionCommands.enqueue': ({ body }, call) => enqueue(body.command, call),

    'sessionCommands.claim': async ({ query }, call) => {
      if (call.accepts('text/html')) {
        // A link on any page would open this address with the reader's cookie, and take a command nobody then works on.
        throw new ConsoleError(
          'NotAllowed',
          'Agent sessions claim commands here: a browser cannot open this.',
        );
      }
      const email = call.caller.email ?? '';
      const ms = (query.wait ?? 0) * 1000;
      const claimed = ms === 0 ? await queue.claim(email) : await claimWithin(email, ms, call);
      return claimed === undefined ? {} : { command: claimed };
    },

    'sessionCommands.finish': ({ params, body }, { caller }) =>
      queue.finish(caller.email ?? '', params.id, body),

    'sessionCommands.queue': async (_input, { caller }) => ({ items: await queue.list(caller.email ?? '') }),

    'sessionCommands.enqueueHere': ({ body }, call) => enqueue(body.command, call),
  };
}
