import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import type { Kysely } from 'kysely';
import { Density, type ProfileService, Theme } from '#shared/gen/profile/v1/profile_pb.js';
import {
  changeProfile,
  changeTable,
  type ProfileRow,
  type ProfileTables,
  readProfile,
  readTables,
  type TableArrangement,
} from './store.ts';

const tabPattern = /^[a-z][A-Za-z0-9]{0,39}$/;

/** Pattern for names of tables and columns. */
const namePattern = /^[a-z][A-Za-z0-9_]{0,39}$/;

/** Matches an order: the name of a column, after `-` when descending. */
const sortPattern = /^(-?[a-z][A-Za-z0-9_]{0,39})?$/;

/** Columns of one table, and arranged tables, a person may have. */
const mostColumns = 40;
const mostTables = 100;

/** Pixels a column may have. */
const leastWidth = 48;
const mostWidth = 1600;

const defaults = { theme: Theme.SYSTEM, density: Density.DEFAULT, default_tab: 'overview' };

type Options = {
  readonly db: Kysely<ProfileTables>;
  /** Signed-in email of the caller; throws UNAUTHENTICATED without one. */
  readonly emailOf: (context: Parameters<ServiceImpl<typeof ProfileService>['getProfile']>[1]) => string;
};

/** profile.v1.ProfileService: the caller's own preferences. */
export function profileService({ db, emailOf }: Options): ServiceImpl<typeof ProfileService> {
  return {
    async getProfile(_request, context) {
      const email = emailOf(context);
      const row = (await readProfile(db, email)) ?? { email, ...defaults };
      return { profile: toMessage(row, await readTables(db, email)) };
    },

    async updateProfile(request, context) {
      const email = emailOf(context);
      if (request.theme !== undefined)
        mustBeOneOf('theme', request.theme, [Theme.SYSTEM, Theme.LIGHT, Theme.DARK]);
      if (request.density !== undefined)
        mustBeOneOf('density', request.density, [Density.DEFAULT, Density.COMPACT]);
      if (request.defaultTab !== undefined && !tabPattern.test(request.defaultTab)) {
        throw new ConnectError(
          'default_tab must be the name of a tab, such as forgeStudio.',
          Code.InvalidArgument,
        );
      }
      if (request.columns !== undefined) {
        mustBeArrangement(request.columns, await readTables(db, email));
        await changeTable(db, email, request.columns);
      }
      const row = await changeProfile(
        db,
        { email, ...defaults },
        {
          ...(request.theme === undefined ? {} : { theme: request.theme }),
          ...(request.density === undefined ? {} : { density: request.density }),
          ...(request.defaultTab === undefined ? {} : { default_tab: request.defaultTab }),
        },
      );
      return { profile: toMessage(row, await readTables(db, email)) };
    },
  };
}

function toMessage(row: ProfileRow, tables: readonly TableArrangement[]) {
  return {
    email: row.email,
    theme: row.theme,
    density: row.density,
    defaultTab: row.default_tab,
    tables: tables.map(({ table, hidden, sort, widths }) => ({
      table,
      hidden: [...hidden],
      sort,
      widths: { ...widths },
    })),
  };
}

/** Refuses what is no arrangement of a table, and one table more than a person may have. */
function mustBeArrangement(arranged: TableArrangement, known: readonly TableArrangement[]): void {
  const { table, hidden, sort, widths } = arranged;
  const isNew = !known.some((other) => other.table === table);
  const names = [table, ...hidden, ...Object.keys(widths)];
  if (!names.every((name) => namePattern.test(name)) || !sortPattern.test(sort)) {
    throw new ConnectError(
      'columns must name a table and its columns, such as runs and actor.',
      Code.InvalidArgument,
    );
  }
  if (!Object.values(widths).every((width) => width >= leastWidth && width <= mostWidth)) {
    throw new ConnectError(
      `columns.widths must be pixels from ${leastWidth} to ${mostWidth}.`,
      Code.InvalidArgument,
    );
  }
  if (
    hidden.length > mostColumns ||
    Object.keys(widths).length > mostColumns ||
    (isNew && known.length >= mostTables)
  ) {
    throw new ConnectError(
      `columns holds too much: at most ${mostColumns} columns of ${mostTables} tables.`,
      Code.InvalidArgument,
    );
  }
}

function mustBeOneOf(field: string, value: number, allowed: readonly number[]): void {
  if (!allowed.includes(value)) {
    throw new ConnectError(`${field} is ${value}: give one of ${allowed.join(', ')}.`, Code.InvalidArgument);
  }
}
