import type { ServiceImpl } from '@connectrpc/connect';
import type { Kysely } from 'kysely';
import { ConsoleError } from '#shared/errors.ts';
import { Density, type ProfileService, Theme } from '#shared/gen/profile/v1/profile_pb.js';
import type { RpcGate } from '../../grpc/rpc-gate.ts';
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

/** profile.v1.ProfileService: the caller's own preferences. */
export function profileService(db: Kysely<ProfileTables>, gate: RpcGate): ServiceImpl<typeof ProfileService> {
  return {
    getProfile: (_request, context) =>
      gate.own(context, async ({ email }) => {
        const row = (await readProfile(db, email)) ?? { email, ...defaults };
        return { profile: toMessage(row, await readTables(db, email)) };
      }),

    updateProfile: (request, context) =>
      gate.own(context, async ({ email }) => {
        const { theme, density, defaultTab, columns } = request;
        if (theme !== undefined) mustBeOneOf('theme', theme, [Theme.SYSTEM, Theme.LIGHT, Theme.DARK]);
        if (density !== undefined) mustBeOneOf('density', density, [Density.DEFAULT, Density.COMPACT]);
        if (defaultTab !== undefined && !tabPattern.test(defaultTab))
          throw new ConsoleError('BadInput', 'default_tab must be the name of a tab, such as forgeStudio.');
        if (columns !== undefined) {
          mustBeArrangement(columns, await readTables(db, email));
          await changeTable(db, email, columns);
        }
        const row = await changeProfile(
          db,
          { email, ...defaults },
          {
            ...(theme === undefined ? {} : { theme }),
            ...(density === undefined ? {} : { density }),
            ...(defaultTab === undefined ? {} : { default_tab: defaultTab }),
          },
        );
        return { profile: toMessage(row, await readTables(db, email)) };
      }),
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
    throw new ConsoleError('BadInput', 'columns must name a table and its columns, such as runs and actor.');
  }
  if (!Object.values(widths).every((width) => width >= leastWidth && width <= mostWidth)) {
    throw new ConsoleError('BadInput', `columns.widths must be pixels from ${leastWidth} to ${mostWidth}.`);
  }
  if (
    hidden.length > mostColumns ||
    Object.keys(widths).length > mostColumns ||
    (isNew && known.length >= mostTables)
  ) {
    throw new ConsoleError(
      'BadInput',
      `columns holds too much: at most ${mostColumns} columns of ${mostTables} tables.`,
    );
  }
}

function mustBeOneOf(field: string, value: number, allowed: readonly number[]): void {
  if (!allowed.includes(value)) {
    throw new ConsoleError('BadInput', `${field} is ${value}: give one of ${allowed.join(', ')}.`);
  }
}
