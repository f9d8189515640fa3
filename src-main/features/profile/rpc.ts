import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import type { Kysely } from 'kysely';
import { Density, type ProfileService, Theme } from '#shared/gen/profile/v1/profile_pb.js';
import { changeProfile, type ProfileRow, type ProfileTables, readProfile } from './store.ts';

const tabPattern = /^[a-z][A-Za-z0-9]{0,39}$/;

const defaults = { theme: Theme.SYSTEM, density: Density.DEFAULT, default_tab: 'forgeStudio' };

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
      return { profile: toMessage((await readProfile(db, email)) ?? { email, ...defaults }) };
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
      const row = await changeProfile(
        db,
        { email, ...defaults },
        {
          ...(request.theme === undefined ? {} : { theme: request.theme }),
          ...(request.density === undefined ? {} : { density: request.density }),
          ...(request.defaultTab === undefined ? {} : { default_tab: request.defaultTab }),
        },
      );
      return { profile: toMessage(row) };
    },
  };
}

function toMessage(row: ProfileRow) {
  return { email: row.email, theme: row.theme, density: row.density, defaultTab: row.default_tab };
}

function mustBeOneOf(field: string, value: number, allowed: readonly number[]): void {
  if (!allowed.includes(value)) {
    throw new ConnectError(`${field} is ${value}: give one of ${allowed.join(', ')}.`, Code.InvalidArgument);
  }
}
