import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import type { Kysely } from 'kysely';
import { Density, type ProfileService, Theme } from '#shared/gen/profile/v1/profile_pb.js';
import {
  changeColumns,
  changeProfile,
  type HiddenColumns,
  type ProfileRow,
  type ProfileTables,
  readColumns,
  readProfile,
} from './store.ts';

const tabPattern = /^[a-z][A-Za-z0-9]{0,39}$/;

/** Pattern for names of tables and columns. */
const namePattern = /^[a-z][A-Za-z0-9_]{0,39}$/;

/** Columns hidden of one table, and tables with a choice of columns, a person may have. */
const mostHidden = 40;
const mostTables = 60;

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
      return { profile: toMessage(row, await readColumns(db, email)) };
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
        mustBeColumns(request.columns, await readColumns(db, email));
        await changeColumns(db, email, request.columns);
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
      return { profile: toMessage(row, await readColumns(db, email)) };
    },
  };
}

function toMessage(row: ProfileRow, tables: readonly HiddenColumns[]) {
  return {
    email: row.email,
    theme: row.theme,
    density: row.density,
    defaultTab: row.default_tab,
    tables: tables.map(({ table, hidden }) => ({ table, hidden: [...hidden] })),
  };
}

/** Refuses a choice of columns that is no choice, and one table more than a person may have. */
function mustBeColumns({ table, hidden }: HiddenColumns, known: readonly HiddenColumns[]): void {
  const isNew = !known.some((choice) => choice.table === table);
  if (!namePattern.test(table) || !hidden.every((name) => namePattern.test(name))) {
    throw new ConnectError(
      'columns must name a table and its columns, such as runs and actor.',
      Code.InvalidArgument,
    );
  }
  if (hidden.length > mostHidden || (isNew && known.length >= mostTables)) {
    throw new ConnectError(
      `columns holds too much: at most ${mostHidden} columns of ${mostTables} tables.`,
      Code.InvalidArgument,
    );
  }
}

function mustBeOneOf(field: string, value: number, allowed: readonly number[]): void {
  if (!allowed.includes(value)) {
    throw new ConnectError(`${field} is ${value}: give one of ${allowed.join(', ')}.`, Code.InvalidArgument);
  }
}
