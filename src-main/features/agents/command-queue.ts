import { randomBytes } from 'node:crypto';
import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from 'kysely';
import type { SessionCommand } from '#shared/api/agents.ts';
import { ConsoleError } from '#shared/errors.ts';
import { exactText, storableText } from '../../store/index.ts';
import type { AgentTables, SessionCommandRow } from './store.ts';

/** Most commands that may wait in one person's queue. */
const mostWaiting = 100;
/** Most that may wait or be claimed: claims without results must not make room without end. */
const mostUnfinished = 200;
/**
 * Lifetime of a claim without a result before the command returns to the queue, in ms: 5 minutes (RTE-024).
 */
const claimLifetime = 5 * 60_000;
/** Retention of a result, in ms, and the most results kept per person. */
const resultLifetime = 30 * 24 * 3_600_000;
const mostResults = 100;
/** Most commands listed at once. */
const listSize = 100;

/** Each person's own queue of commands for the agent session that works for them, first in first out. */
export type CommandQueue = {
  /**
   * Enqueues a command, once for each ID: for one that was used it answers the command that has it. Throws
   * `TooManyRequests` when too many wait already, `Conflict` for an ID of another person's queue.
   */
  enqueue(email: string, command: string, id?: string): Promise<SessionCommand>;
  /** Returns a command of the person's; undefined for one that was cleared away or is not theirs. */
  find(email: string, id: string): Promise<SessionCommand | undefined>;
  /** Claims the command that has waited longest, if any: of several claimers, on any console, exactly one gets it. */
  claim(email: string): Promise<SessionCommand | undefined>;
  /**
   * Returns a claimed command to the queue unworked, to be claimed again at once; does nothing when it is not
   * claimed.
   */
  giveBack(id: string): Promise<void>;
  /**
   * Records a claimed command's result. A late one is accepted, too, unless another one was reported: the
   * work is done. Throws `NotFound` for a command that is not this person's, `Conflict` for one that is not
   * claimed or has a result.
   */
  finish(
    email: string,
    id: string,
    result: { status: 'done' | 'failed'; output: string },
  ): Promise<SessionCommand>;
  /** The person's newest commands, newest first. */
  list(email: string): Promise<SessionCommand[]>;
  /** Those of these people whose queue has a command to claim. */
  withWork(emails: readonly string[]): Promise<string[]>;
};

/** Builds the queues on the store that holds them now; `now` in epoch ms. */
export function createCommandQueue(db: () => Kysely<AgentTables>, now: () => number): CommandQueue {
  const claimable = (
    eb: ExpressionBuilder<AgentTables, 'session_commands'>,
  ): ExpressionWrapper<AgentTables, 'session_commands', SqlBool> =>
    eb.or([
      eb('state', '=', 'queued'),
      eb.and([eb('state', '=', 'claimed'), eb('claimed_at', '<=', now() - claimLifetime)]),
    ]);

  const prune = async (tx: Kysely<AgentTables>, email: string): Promise<void> => {
    const oldest = await tx
      .selectFrom('session_commands')
      .select('position')
      .where('email', '=', email)
      .where('state', 'in', ['done', 'failed'])
      .orderBy('position', 'desc')
      .offset(mostResults)
      .limit(1)
      .executeTakeFirst();
    await tx
      .deleteFrom('session_commands')
      .where('email', '=', email)
      .where('state', 'in', ['done', 'failed'])
      .where((eb) =>
        eb.or([
          eb('finished_at', '<=', now() - resultLifetime),
          ...(oldest === undefined ? [] : [eb('position', '<=', oldest.position)]),
        ]),
      )
      .execute();
  };

  return {
    async enqueue(email, command, id = randomBytes(16).toString('base64url')) {
      const text = exactText('command', command);
      return db()
        .transaction()
        .execute(async (tx) => {
          // One row of each person, which this locks: those who enqueue for one person take turns, on every console.
          const { last_position: position } = await tx
            .insertInto('session_queues')
            .values({ email, last_position: 1 })
            .onConflict((conflict) =>
              conflict
                .column('email')
                .doUpdateSet((eb) => ({ last_position: eb('session_queues.last_position', '+', 1) })),
            )
            .returning('last_position')
            .executeTakeFirstOrThrow();
          const known = await tx
            .selectFrom('session_commands')
            .selectAll()
            .where('id', '=', id)
            .executeTakeFirst();
          if (known?.email === email) return toCommand(known, now());
          if (known !== undefined)
            throw new ConsoleError('Conflict', 'Another command has this ID: nothing was queued.');
          const { waiting, unfinished } = await tx
            .selectFrom('session_commands')
            .select((eb) => [
              eb.fn.countAll<number>().filterWhere(claimable(eb)).as('waiting'),
              eb.fn.countAll<number>().as('unfinished'),
            ])
            .where('email', '=', email)
            .where('state', 'in', ['queued', 'claimed'])
            .executeTakeFirstOrThrow();
          if (waiting >= mostWaiting) {
            throw new ConsoleError(
              'TooManyRequests',
              `${mostWaiting} commands already wait in your queue: let an agent session take some first.`,
            );
          }
          if (unfinished >= mostUnfinished) {
            throw new ConsoleError(
              'TooManyRequests',
              `${mostUnfinished} of your commands have no result yet: report some, or wait 5 minutes for claims to end.`,
            );
          }
          await prune(tx, email);
          const row: SessionCommandRow = {
            id,
            email,
            position,
            command: text,
            state: 'queued',
            queued_at: now(),
            claimed_at: null,
            finished_at: null,
            output: null,
          };
          await tx.insertInto('session_commands').values(row).execute();
          return toCommand(row, now());
        });
    },

    async claim(email) {
      for (;;) {
        const first = await db()
          .selectFrom('session_commands')
          .select('id')
          .where('email', '=', email)
          .where(claimable)
          .orderBy('position')
          .limit(1)
          .executeTakeFirst();
        if (first === undefined) return undefined;
        // Asked again where it is changed: whoever comes second waits for the first and then finds it taken.
        const claimed = await db()
          .updateTable('session_commands')
          .set({ state: 'claimed', claimed_at: now() })
          .where('id', '=', first.id)
          .where(claimable)
          .returningAll()
          .executeTakeFirst();
        if (claimed !== undefined) return toCommand(claimed, now());
      }
    },

    async giveBack(id) {
      await db()
        .updateTable('session_commands')
        .set({ state: 'queued', claimed_at: null })
        .where('id', '=', id)
        .where('state', '=', 'claimed')
        .execute();
    },

    async finish(email, id, { status, output }) {
      const finished = await db()
        .updateTable('session_commands')
        .set({ state: status, output: storableText(output), finished_at: now() })
        .where('id', '=', id)
        .where('email', '=', email)
        .where('state', '=', 'claimed')
        .returningAll()
        .executeTakeFirst();
      if (finished !== undefined) return toCommand(finished, now());
      const found = await db()
        .selectFrom('session_commands')
        .select('state')
        .where('id', '=', id)
        .where('email', '=', email)
        .executeTakeFirst();
      if (found === undefined) throw unknownCommand();
      throw new ConsoleError(
        'Conflict',
        found.state === 'queued'
          ? 'Nobody has claimed this command, so it takes no result: claim it first.'
          : 'This command has its result already: a result is taken once.',
      );
    },

    async find(email, id) {
      const row = await db()
        .selectFrom('session_commands')
        .selectAll()
        .where('email', '=', email)
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? undefined : toCommand(row, now());
    },

    async list(email) {
      const rows = await db()
        .selectFrom('session_commands')
        .selectAll()
        .where('email', '=', email)
        .orderBy('position', 'desc')
        .limit(listSize)
        .execute();
      return rows.map((row) => toCommand(row, now()));
    },

    async withWork(emails) {
      const rows = await db()
        .selectFrom('session_commands')
        .select('email')
        .distinct()
        .where('email', 'in', emails)
        .where(claimable)
        .execute();
      return rows.map(({ email }) => email);
    },
  };
}

function unknownCommand(): ConsoleError {
  return new ConsoleError('NotFound', 'Your queue has no command of this id: it may have been cleared away.');
}

function toCommand(row: SessionCommandRow, at: number): SessionCommand {
  const expired = row.state === 'claimed' && row.claimed_at !== null && row.claimed_at <= at - claimLifetime;
  const time = (ms: number): string => new Date(ms).toISOString();
  return {
    id: row.id,
    command: row.command,
    state: expired ? 'queued' : row.state,
    queued_at: time(row.queued_at),
    ...(row.claimed_at === null || expired ? {} : { claimed_at: time(row.claimed_at) }),
    ...(row.finished_at === null ? {} : { finished_at: time(row.finished_at) }),
    ...(row.output === null ? {} : { output: row.output }),
  };
}
