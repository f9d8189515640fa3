import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { localNotices, type Notices, type Store, sharedNotices } from '../store/index.ts';
import type { ConsoleTables } from './tables.ts';

/** Opens the notices of changes in the store: shared by the consoles on one database where one connection may listen. */
export function consoleNotices(
  { kind, db }: Store<ConsoleTables>,
  { databaseListenUrl: listenUrl }: Pick<Config, 'databaseListenUrl'>,
  log: Logger,
): Notices {
  if (kind !== 'postgres' || listenUrl === undefined) return localNotices();
  return sharedNotices({
    db,
    listenUrl,
    onTrouble(trouble) {
      if (trouble === undefined) log.info('notices of other consoles arrive');
      else log.warn({ reason: trouble }, 'other consoles are polled');
    },
  });
}
