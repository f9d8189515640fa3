import type { Kysely } from 'kysely';
import type { SessionCommand } from '#shared/api/agents.ts';
import type { Call, Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { Notices } from '../../store/index.ts';
import { type CommandQueue, createCommandQueue } from './command-queue.ts';
import { createLongPolls, type LongPolls } from './long-polls.ts';
import { keepHealth, keepSessionRun } from './reports.ts';
import type { AgentTables } from './store.ts';

type AgentRouteId = Extract<RouteId, `agents.${string}` | `sessionCommands.${string}`>;

type AgentParts = {
  readonly db: () => Kysely<AgentTables>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The command queues of people's agent sessions, for whatever of this console puts commands into them. */
export type SessionCommands = Pick<CommandQueue, 'enqueue' | 'find'>;

/** The queues, and those on this console who wait for a command. */
type Commands = SessionCommands & {
  readonly queue: CommandQueue;
  readonly polls: LongPolls;
  /** Tells those who wait for a person's commands, on every console. */
  wake(email: string): void;
};

/** Builds the queues of commands. What is enqueued wakes the sessions that wait, here and on other consoles. */
export function createSessionCommands({
  db,
  now,
  notices,
}: AgentParts & { readonly notices: Notices }): Commands {
  const queue = createCommandQueue(db, now);
  const polls = createLongPolls(queue.withWork, notices);
  const wake = (email: string): void => notices.publish('commands', email);
  return {
    queue,
    polls,
    wake,
    find: queue.find,
    async enqueue(email, command, id) {
      const queued = await queue.enqueue(email, command, id);
      wake(email);
      return queued;
    },
  };
}

/** The routes of agents: their reports, and the command queue of each person's sessions. */
export function agentHandlers({
  db,
  now,
  commands,
  onFinished,
}: AgentParts & {
  readonly commands: Commands;
  /** Called with the id of a command whose result was taken. */
  readonly onFinished: (id: string) => Promise<void>;
}): Handlers<AgentRouteId> {
  const { queue, polls } = commands;

  const enqueue = (command: string, { caller }: Call): Promise<SessionCommand> =>
    commands.enqueue(caller.email ?? '', command);

  /** Gives a claimed command back when nobody is there to take it: it would lie claimed for its five minutes. */
  const unlessTaken = async (
    email: string,
    claimed: SessionCommand,
    taken: () => Promise<boolean>,
  ): Promise<SessionCommand | undefined> => {
    const giveBack = async (): Promise<void> => {
      await queue.giveBack(claimed.id);
      commands.wake(email);
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

    'sessionCommands.finish': async ({ params, body }, { caller }) => {
      const finished = await queue.finish(caller.email ?? '', params.id, body);
      await onFinished(params.id);
      return finished;
    },

    'sessionCommands.queue': async (_input, { caller }) => ({ items: await queue.list(caller.email ?? '') }),

    'sessionCommands.enqueueHere': ({ body }, call) => enqueue(body.command, call),
  };
}
