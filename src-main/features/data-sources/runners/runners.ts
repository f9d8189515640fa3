import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Runner, RunnerTicket } from '#shared/api/runners.ts';
import { ConsoleError } from '#shared/errors.ts';
import { createSlidingLimit } from '../../../base/sliding-limit.ts';
import { type Acting, newId, timeText } from '../acting.ts';
import type { DataSourceTables, RunnerRow, RunnerTicketRow } from '../store.ts';
import { digestOf, newSecret } from './tokens.ts';

/** Lifetime of an enrolment ticket, in ms. */
const ticketLifetime = 15 * 60_000;

/** Seconds between two heartbeats. */
export const heartbeatSeconds = 15;

/** A runner that was silent for longer is offline, in ms: three heartbeats and a little. */
const offlineAfter = 3 * heartbeatSeconds * 1000 + 5000;

/** Most runners, and most open tickets of one. */
const mostRunners = 200;
const mostTickets = 5;

/** Wrong tickets and tokens of one address a minute. */
const mostWrong = 20;

export type NewTicket = { readonly ticket: RunnerTicket; readonly secret: string };

/** The data-access runners. */
export type Runners = {
  /** In the order of names. */
  list(): Promise<Runner[]>;
  /** Throws `NotFound`. */
  read(id: string): Promise<Runner>;
  /** Throws `Conflict` for a name that is taken. */
  enrol(
    given: { name: string; address: string; labels: Readonly<Record<string, string>> },
    acting: Acting,
  ): Promise<NewTicket & { readonly runner: Runner }>;
  /** Throws `NotFound`, and `Conflict` for a runner that is revoked. */
  ticket(id: string, acting: Acting): Promise<NewTicket>;
  /** Throws `NotFound` for a ticket that was used or has expired. */
  revokeTicket(id: string, acting: Acting): Promise<void>;
  change(
    id: string,
    change: {
      address?: string | undefined;
      labels?: Readonly<Record<string, string>> | undefined;
    },
    acting: Acting,
  ): Promise<Runner>;
  revoke(id: string, acting: Acting): Promise<Runner>;
  /**
   * Redeems a ticket once, for a token. Throws `NotSignedIn` for any other secret, `TooManyRequests` after too many of an
   * address.
   */
  connect(
    given: { id: string; secret: string; version: string },
    from: { address: string },
  ): Promise<{ runner: Runner; token: string }>;
  /** Notes that the runner of a token lives. Throws as `connect`. */
  seen(token: string, version: string, from: { address: string }): Promise<RunnerRow>;
};

type Parts = {
  readonly db: Kysely<DataSourceTables>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The data-access runners over the store, which holds digests of their secrets only. */
export function createRunners({ db, now }: Parts): Runners {
  const wrong = createSlidingLimit({ most: mostWrong, windowMs: 60_000, now });

  const rowOf = async (id: string): Promise<RunnerRow> => {
    const row = await db.selectFrom('runners').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw new ConsoleError('NotFound', `There is no runner ${id}.`);
    return row;
  };

  const openTickets = (): Promise<RunnerTicketRow[]> =>
    db.selectFrom('runner_tickets').selectAll().where('expires_at', '>', now()).execute();

  const shown = async (row: RunnerRow): Promise<Runner> => shownRunner(row, await openTickets(), now());

  const addTicket = async (
    tx: Transaction<DataSourceTables>,
    runnerId: string,
    by: string | undefined,
  ): Promise<NewTicket> => {
    const at = now();
    await tx.deleteFrom('runner_tickets').where('expires_at', '<=', at).execute();
    const secret = newSecret('ticket');
    const row: RunnerTicketRow = {
      id: newId(),
      runner_id: runnerId,
      secret_hash: digestOf(secret),
      created_at: at,
      created_by: by ?? null,
      expires_at: at + ticketLifetime,
    };
    await tx.insertInto('runner_tickets').values(row).execute();
    return { ticket: shownTicket(row), secret };
  };

  const refuseGuessing = (address: string): void => {
    const wait = wrong.waitOf(address);
    if (wait === undefined) return;
    throw new ConsoleError(
      'TooManyRequests',
      'Too many wrong tickets or tokens from this address: wait, then try again.',
      { 'retry-after': String(Math.ceil(wait / 1000)) },
    );
  };

  const isWrong = (address: string, message: string): ConsoleError => {
    wrong.count(address);
    return new ConsoleError('NotSignedIn', message);
  };

  return {
    async list() {
      const [rows, tickets] = await Promise.all([
        db.selectFrom('runners').selectAll().execute(),
        openTickets(),
      ]);
      return rows
        .map((row) => shownRunner(row, tickets, now()))
        .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    },

    read: async (id) => shown(await rowOf(id)),

    async enrol({ name, address, labels }, { by, record }) {
      record(`Enrolling the runner ${name}.`, { runner_address: address, labels });
      const rows = await db.selectFrom('runners').select('name').execute();
      if (rows.length >= mostRunners)
        throw new ConsoleError('Conflict', `${mostRunners} runners are enrolled already.`);
      const made = await db.transaction().execute(async (tx) => {
        const row = await tx
          .insertInto('runners')
          .values({
            id: newId(),
            name,
            address,
            labels: JSON.stringify(labels),
            version: '',
            token_hash: null,
            created_at: now(),
            created_by: by ?? null,
            enrolled_at: null,
            last_seen_at: null,
            revoked_at: null,
            revoked_by: null,
          })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) throw new ConsoleError('Conflict', `A runner is already named ${name}.`);
        return { row, ...(await addTicket(tx, row.id, by)) };
      });
      record(`Its ticket ${made.ticket.id} is valid until ${made.ticket.expires_at}.`, {
        id: made.row.id,
        ticket: made.ticket.id,
      });
      return { runner: await shown(made.row), ticket: made.ticket, secret: made.secret };
    },

    async ticket(id, { by, record }) {
      const row = await rowOf(id);
      if (row.revoked_at !== null)
        throw new ConsoleError('Conflict', `The runner ${row.name} is revoked: enrol another one.`);
      const made = await db.transaction().execute(async (tx) => {
        const open = await tx
          .selectFrom('runner_tickets')
          .select('id')
          .where('runner_id', '=', id)
          .where('expires_at', '>', now())
          .execute();
        if (open.length >= mostTickets)
          throw new ConsoleError(
            'Conflict',
            `The runner ${row.name} has ${mostTickets} open tickets: revoke one, or wait until one expires.`,
          );
        return addTicket(tx, id, by);
      });
      record(`Another ticket for the runner ${row.name}.`, { ticket: made.ticket.id });
      return made;
    },

    async revokeTicket(id, { record }) {
      const revoked = await db
        .deleteFrom('runner_tickets')
        .where('id', '=', id)
        .where('expires_at', '>', now())
        .returning('runner_id')
        .executeTakeFirst();
      if (revoked === undefined)
        throw new ConsoleError('NotFound', `There is no open ticket ${id}: it was used or has expired.`);
      record('Revoked an enrolment ticket.', { runner: revoked.runner_id });
    },

    async change(id, { address, labels }, { record }) {
      const before = await rowOf(id);
      record(`Changing the runner ${before.name}.`, {
        ...(address === undefined ? {} : { runner_address: address }),
        ...(labels === undefined ? {} : { labels }),
      });
      const row = await db
        .updateTable('runners')
        .set({
          ...(address === undefined ? {} : { address }),
          labels: labels === undefined ? before.labels : JSON.stringify(labels),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return shown(row);
    },

    async revoke(id, { by, record }) {
      const before = await rowOf(id);
      record(`Revoking the runner ${before.name}.`);
      const row = await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('runner_tickets').where('runner_id', '=', id).execute();
        return tx
          .updateTable('runners')
          .set({
            token_hash: null,
            revoked_at: before.revoked_at ?? now(),
            revoked_by: before.revoked_at === null ? (by ?? null) : before.revoked_by,
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return shown(row);
    },

    async connect({ id, secret, version }, { address }) {
      refuseGuessing(address);
      const token = newSecret('runner');
      const row = await db.transaction().execute(async (tx) => {
        // Deleted in one statement: of two that redeem it at once, one wins.
        const redeemed = await tx
          .deleteFrom('runner_tickets')
          .where('secret_hash', '=', digestOf(secret))
          .where('runner_id', '=', id)
          .where('expires_at', '>', now())
          .returning('id')
          .executeTakeFirst();
        if (redeemed === undefined) return undefined;
        return tx
          .updateTable('runners')
          .set({ token_hash: digestOf(token), version, enrolled_at: now(), last_seen_at: now() })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
      });
      if (row === undefined)
        throw isWrong(address, 'This enrolment ticket is not valid: it was used, revoked, or has expired.');
      return { runner: await shown(row), token };
    },

    async seen(token, version, { address }) {
      refuseGuessing(address);
      const row = await db
        .updateTable('runners')
        .set({ last_seen_at: now(), version })
        .where('token_hash', '=', digestOf(token))
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw isWrong(address, 'This runner is not enrolled here, or was revoked.');
      return row;
    },
  };
}

/** Returns whether a runner is connected at this time, in epoch ms. */
export function isConnected({ revoked_at, last_seen_at }: RunnerRow, at: number): boolean {
  return revoked_at === null && last_seen_at !== null && at - last_seen_at <= offlineAfter;
}

const textByName = z.record(z.string(), z.string());

function shownRunner(row: RunnerRow, tickets: readonly RunnerTicketRow[], at: number): Runner {
  const { revoked_at, enrolled_at, last_seen_at } = row;
  return {
    id: row.id,
    name: row.name,
    state: stateOf(row, at),
    ...(row.address === '' ? {} : { address: row.address }),
    labels: textByName.parse(JSON.parse(row.labels)),
    ...(row.version === '' ? {} : { version: row.version }),
    created_at: timeText(row.created_at),
    ...(row.created_by === null ? {} : { created_by: row.created_by }),
    ...(enrolled_at === null ? {} : { enrolled_at: timeText(enrolled_at) }),
    ...(last_seen_at === null ? {} : { last_seen_at: timeText(last_seen_at) }),
    ...(revoked_at === null ? {} : { revoked_at: timeText(revoked_at) }),
    ...(row.revoked_by === null ? {} : { revoked_by: row.revoked_by }),
    tickets: tickets.filter((ticket) => ticket.runner_id === row.id).map(shownTicket),
  };
}

function stateOf(row: RunnerRow, at: number): Runner['state'] {
  if (row.revoked_at !== null) return 'revoked';
  if (row.enrolled_at === null) return 'enrolling';
  return isConnected(row, at) ? 'connected' : 'offline';
}

function shownTicket({ id, created_at, created_by, expires_at }: RunnerTicketRow): RunnerTicket {
  return {
    id,
    created_at: timeText(created_at),
    ...(created_by === null ? {} : { created_by }),
    expires_at: timeText(expires_at),
  };
}
